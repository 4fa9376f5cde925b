import json


def dumps(data, **options):
    try:
        print(repr(json.dumps(data, **options)))
    except Exception as e:
        print(type(e).__name__, e)



dumps(None, allow_nan=False, indent=0)  # expect: 'null'
dumps(True, allow_nan=False, indent=0)  # expect: 'true'
dumps(0, allow_nan=False, indent=0)  # expect: '0'
dumps(-1, allow_nan=False, indent=0)  # expect: '-1'
dumps(10 ** 30, allow_nan=False, indent=0)  # expect: '1000000000000000000000000000000'
dumps(1.0, allow_nan=False, indent=0)  # expect: '1.0'
dumps(-0.0, allow_nan=False, indent=0)  # expect: '-0.0'
dumps(0.1, allow_nan=False, indent=0)  # expect: '0.1'
dumps(1e16, allow_nan=False, indent=0)  # expect: '1e+16'
dumps(1e22, allow_nan=False, indent=0)  # expect: '1e+22'
dumps(1e-7, allow_nan=False, indent=0)  # expect: '1e-07'
dumps(1.5e300, allow_nan=False, indent=0)  # expect: '1.5e+300'
dumps(float('nan'), allow_nan=False, indent=0)  # expect: ValueError Out of range float values are not JSON compliant: nan
dumps(-float('inf'), allow_nan=False, indent=0)  # expect: ValueError Out of range float values are not JSON compliant: -inf
dumps('', allow_nan=False, indent=0)  # expect: '""'
dumps('a', allow_nan=False, indent=0)  # expect: '"a"'
dumps('"\\/', allow_nan=False, indent=0)  # expect: '"\\"\\\\/"'
dumps('\n\t\r\b\f\x00\x1f\x7f', allow_nan=False, indent=0)  # expect: '"\\n\\t\\r\\b\\f\\u0000\\u001f\\u007f"'
dumps('é日本😀', allow_nan=False, indent=0)  # expect: '"\\u00e9\\u65e5\\u672c\\ud83d\\ude00"'
dumps('\u2028', allow_nan=False, indent=0)  # expect: '"\\u2028"'
dumps('\ud83d', allow_nan=False, indent=0)  # expect: '"\\ud83d"'
dumps([], allow_nan=False, indent=0)  # expect: '[]'
dumps({}, allow_nan=False, indent=0)  # expect: '{}'
dumps((), allow_nan=False, indent=0)  # expect: '[]'
dumps((1, 2), allow_nan=False, indent=0)  # expect: '[\n1,\n2\n]'
dumps([1, [2, {}]], allow_nan=False, indent=0)  # expect: '[\n1,\n[\n2,\n{}\n]\n]'
dumps({'a': 1, 'b': [1, 2]}, allow_nan=False, indent=0)  # expect: '{\n"a": 1,\n"b": [\n1,\n2\n]\n}'
dumps({1: 2, 1.5: 3, True: 4, None: 5}, allow_nan=False, indent=0)  # expect: '{\n"1": 4,\n"1.5": 3,\n"null": 5\n}'
dumps({'b': 1, 'a': 2}, allow_nan=False, indent=0)  # expect: '{\n"b": 1,\n"a": 2\n}'
dumps({2: 1, 10: 1}, allow_nan=False, indent=0)  # expect: '{\n"2": 1,\n"10": 1\n}'
dumps({'b': {'d': 1, 'c': 2}, 'a': []}, allow_nan=False, indent=0)  # expect: '{\n"b": {\n"d": 1,\n"c": 2\n},\n"a": []\n}'
dumps({(1, 2): 3}, allow_nan=False, indent=0)  # expect: TypeError keys must be str, int, float, bool or None, not tuple
dumps({'a': (), 'b': {}}, allow_nan=False, indent=0)  # expect: '{\n"a": [],\n"b": {}\n}'
dumps({'b': 1, 2: 3}, allow_nan=False, indent=0)  # expect: '{\n"b": 1,\n"2": 3\n}'
dumps([[], [[]], {'a': {}}], allow_nan=False, indent=0)  # expect: '[\n[],\n[\n[]\n],\n{\n"a": {}\n}\n]'
dumps(b'x', allow_nan=False, indent=0)  # expect: TypeError Object of type bytes is not JSON serializable
dumps(1 + 2j, allow_nan=False, indent=0)  # expect: TypeError Object of type complex is not JSON serializable
dumps({1}, allow_nan=False, indent=0)  # expect: TypeError Object of type set is not JSON serializable
dumps([None, True, 1.5], allow_nan=False, indent=0)  # expect: '[\nnull,\ntrue,\n1.5\n]'
dumps({'k': {'l': {'m': [1, {'n': None}]}}}, allow_nan=False, indent=0)  # expect: '{\n"k": {\n"l": {\n"m": [\n1,\n{\n"n": null\n}\n]\n}\n}\n}'
dumps({float('inf'): 1}, allow_nan=False, indent=0)  # expect: ValueError Out of range float values are not JSON compliant: inf
dumps([float('nan')], allow_nan=False)  # expect: ValueError Out of range float values are not JSON compliant: nan
