import json


def dumps(data, **options):
    try:
        print(repr(json.dumps(data, **options)))
    except Exception as e:
        print(type(e).__name__, e)



dumps(None, sort_keys=True, ensure_ascii=False)  # expect: 'null'
dumps(True, sort_keys=True, ensure_ascii=False)  # expect: 'true'
dumps(0, sort_keys=True, ensure_ascii=False)  # expect: '0'
dumps(-1, sort_keys=True, ensure_ascii=False)  # expect: '-1'
dumps(10 ** 30, sort_keys=True, ensure_ascii=False)  # expect: '1000000000000000000000000000000'
dumps(1.0, sort_keys=True, ensure_ascii=False)  # expect: '1.0'
dumps(-0.0, sort_keys=True, ensure_ascii=False)  # expect: '-0.0'
dumps(0.1, sort_keys=True, ensure_ascii=False)  # expect: '0.1'
dumps(1e16, sort_keys=True, ensure_ascii=False)  # expect: '1e+16'
dumps(1e22, sort_keys=True, ensure_ascii=False)  # expect: '1e+22'
dumps(1e-7, sort_keys=True, ensure_ascii=False)  # expect: '1e-07'
dumps(1.5e300, sort_keys=True, ensure_ascii=False)  # expect: '1.5e+300'
dumps(float('nan'), sort_keys=True, ensure_ascii=False)  # expect: 'NaN'
dumps(-float('inf'), sort_keys=True, ensure_ascii=False)  # expect: '-Infinity'
dumps('', sort_keys=True, ensure_ascii=False)  # expect: '""'
dumps('a', sort_keys=True, ensure_ascii=False)  # expect: '"a"'
dumps('"\\/', sort_keys=True, ensure_ascii=False)  # expect: '"\\"\\\\/"'
dumps('\n\t\r\b\f\x00\x1f\x7f', sort_keys=True, ensure_ascii=False)  # expect: '"\\n\\t\\r\\b\\f\\u0000\\u001f\x7f"'
dumps('é日本😀', sort_keys=True, ensure_ascii=False)  # expect: '"é日本😀"'
dumps('\u2028', sort_keys=True, ensure_ascii=False)  # expect: '"\u2028"'
dumps('\ud83d', sort_keys=True, ensure_ascii=False)  # expect: '"\ud83d"'
dumps([], sort_keys=True, ensure_ascii=False)  # expect: '[]'
dumps({}, sort_keys=True, ensure_ascii=False)  # expect: '{}'
dumps((), sort_keys=True, ensure_ascii=False)  # expect: '[]'
dumps((1, 2), sort_keys=True, ensure_ascii=False)  # expect: '[1, 2]'
dumps([1, [2, {}]], sort_keys=True, ensure_ascii=False)  # expect: '[1, [2, {}]]'
dumps({'a': 1, 'b': [1, 2]}, sort_keys=True, ensure_ascii=False)  # expect: '{"a": 1, "b": [1, 2]}'
dumps({1: 2, 1.5: 3, True: 4, None: 5}, sort_keys=True, ensure_ascii=False)  # expect: TypeError '<' not supported between instances of 'NoneType' and 'float'
dumps({'b': 1, 'a': 2}, sort_keys=True, ensure_ascii=False)  # expect: '{"a": 2, "b": 1}'
dumps({2: 1, 10: 1}, sort_keys=True, ensure_ascii=False)  # expect: '{"2": 1, "10": 1}'
dumps({'b': {'d': 1, 'c': 2}, 'a': []}, sort_keys=True, ensure_ascii=False)  # expect: '{"a": [], "b": {"c": 2, "d": 1}}'
dumps({(1, 2): 3}, sort_keys=True, ensure_ascii=False)  # expect: TypeError keys must be str, int, float, bool or None, not tuple
dumps({'a': (), 'b': {}}, sort_keys=True, ensure_ascii=False)  # expect: '{"a": [], "b": {}}'
dumps({'b': 1, 2: 3}, sort_keys=True, ensure_ascii=False)  # expect: TypeError '<' not supported between instances of 'int' and 'str'
dumps([[], [[]], {'a': {}}], sort_keys=True, ensure_ascii=False)  # expect: '[[], [[]], {"a": {}}]'
dumps(b'x', sort_keys=True, ensure_ascii=False)  # expect: TypeError Object of type bytes is not JSON serializable
dumps(1 + 2j, sort_keys=True, ensure_ascii=False)  # expect: TypeError Object of type complex is not JSON serializable
dumps({1}, sort_keys=True, ensure_ascii=False)  # expect: TypeError Object of type set is not JSON serializable
dumps([None, True, 1.5], sort_keys=True, ensure_ascii=False)  # expect: '[null, true, 1.5]'
dumps({'k': {'l': {'m': [1, {'n': None}]}}}, sort_keys=True, ensure_ascii=False)  # expect: '{"k": {"l": {"m": [1, {"n": null}]}}}'
dumps({float('inf'): 1}, sort_keys=True, ensure_ascii=False)  # expect: '{"Infinity": 1}'
