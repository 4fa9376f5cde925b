import json


def dumps(data, **options):
    try:
        print(repr(json.dumps(data, **options)))
    except Exception as e:
        print(type(e).__name__, e)



dumps(None, indent='\t', sort_keys=True)  # expect: 'null'
dumps(True, indent='\t', sort_keys=True)  # expect: 'true'
dumps(0, indent='\t', sort_keys=True)  # expect: '0'
dumps(-1, indent='\t', sort_keys=True)  # expect: '-1'
dumps(10 ** 30, indent='\t', sort_keys=True)  # expect: '1000000000000000000000000000000'
dumps(1.0, indent='\t', sort_keys=True)  # expect: '1.0'
dumps(-0.0, indent='\t', sort_keys=True)  # expect: '-0.0'
dumps(0.1, indent='\t', sort_keys=True)  # expect: '0.1'
dumps(1e16, indent='\t', sort_keys=True)  # expect: '1e+16'
dumps(1e22, indent='\t', sort_keys=True)  # expect: '1e+22'
dumps(1e-7, indent='\t', sort_keys=True)  # expect: '1e-07'
dumps(1.5e300, indent='\t', sort_keys=True)  # expect: '1.5e+300'
dumps(float('nan'), indent='\t', sort_keys=True)  # expect: 'NaN'
dumps(-float('inf'), indent='\t', sort_keys=True)  # expect: '-Infinity'
dumps('', indent='\t', sort_keys=True)  # expect: '""'
dumps('a', indent='\t', sort_keys=True)  # expect: '"a"'
dumps('"\\/', indent='\t', sort_keys=True)  # expect: '"\\"\\\\/"'
dumps('\n\t\r\b\f\x00\x1f\x7f', indent='\t', sort_keys=True)  # expect: '"\\n\\t\\r\\b\\f\\u0000\\u001f\\u007f"'
dumps('é日本😀', indent='\t', sort_keys=True)  # expect: '"\\u00e9\\u65e5\\u672c\\ud83d\\ude00"'
dumps('\u2028', indent='\t', sort_keys=True)  # expect: '"\\u2028"'
dumps('\ud83d', indent='\t', sort_keys=True)  # expect: '"\\ud83d"'
dumps([], indent='\t', sort_keys=True)  # expect: '[]'
dumps({}, indent='\t', sort_keys=True)  # expect: '{}'
dumps((), indent='\t', sort_keys=True)  # expect: '[]'
dumps((1, 2), indent='\t', sort_keys=True)  # expect: '[\n\t1,\n\t2\n]'
dumps([1, [2, {}]], indent='\t', sort_keys=True)  # expect: '[\n\t1,\n\t[\n\t\t2,\n\t\t{}\n\t]\n]'
dumps({'a': 1, 'b': [1, 2]}, indent='\t', sort_keys=True)  # expect: '{\n\t"a": 1,\n\t"b": [\n\t\t1,\n\t\t2\n\t]\n}'
dumps({1: 2, 1.5: 3, True: 4, None: 5}, indent='\t', sort_keys=True)  # expect: TypeError '<' not supported between instances of 'NoneType' and 'float'
dumps({'b': 1, 'a': 2}, indent='\t', sort_keys=True)  # expect: '{\n\t"a": 2,\n\t"b": 1\n}'
dumps({2: 1, 10: 1}, indent='\t', sort_keys=True)  # expect: '{\n\t"2": 1,\n\t"10": 1\n}'
dumps({'b': {'d': 1, 'c': 2}, 'a': []}, indent='\t', sort_keys=True)  # expect: '{\n\t"a": [],\n\t"b": {\n\t\t"c": 2,\n\t\t"d": 1\n\t}\n}'
dumps({(1, 2): 3}, indent='\t', sort_keys=True)  # expect: TypeError keys must be str, int, float, bool or None, not tuple
dumps({'a': (), 'b': {}}, indent='\t', sort_keys=True)  # expect: '{\n\t"a": [],\n\t"b": {}\n}'
dumps({'b': 1, 2: 3}, indent='\t', sort_keys=True)  # expect: TypeError '<' not supported between instances of 'int' and 'str'
dumps([[], [[]], {'a': {}}], indent='\t', sort_keys=True)  # expect: '[\n\t[],\n\t[\n\t\t[]\n\t],\n\t{\n\t\t"a": {}\n\t}\n]'
dumps(b'x', indent='\t', sort_keys=True)  # expect: TypeError Object of type bytes is not JSON serializable
dumps(1 + 2j, indent='\t', sort_keys=True)  # expect: TypeError Object of type complex is not JSON serializable
dumps({1}, indent='\t', sort_keys=True)  # expect: TypeError Object of type set is not JSON serializable
dumps([None, True, 1.5], indent='\t', sort_keys=True)  # expect: '[\n\tnull,\n\ttrue,\n\t1.5\n]'
dumps({'k': {'l': {'m': [1, {'n': None}]}}}, indent='\t', sort_keys=True)  # expect: '{\n\t"k": {\n\t\t"l": {\n\t\t\t"m": [\n\t\t\t\t1,\n\t\t\t\t{\n\t\t\t\t\t"n": null\n\t\t\t\t}\n\t\t\t]\n\t\t}\n\t}\n}'
dumps({float('inf'): 1}, indent='\t', sort_keys=True)  # expect: '{\n\t"Infinity": 1\n}'
