import json


def dumps(data, **options):
    try:
        print(repr(json.dumps(data, **options)))
    except Exception as e:
        print(type(e).__name__, e)



dumps(None)  # expect: 'null'
dumps(True)  # expect: 'true'
dumps(0)  # expect: '0'
dumps(-1)  # expect: '-1'
dumps(10 ** 30)  # expect: '1000000000000000000000000000000'
dumps(1.0)  # expect: '1.0'
dumps(-0.0)  # expect: '-0.0'
dumps(0.1)  # expect: '0.1'
dumps(1e16)  # expect: '1e+16'
dumps(1e22)  # expect: '1e+22'
dumps(1e-7)  # expect: '1e-07'
dumps(1.5e300)  # expect: '1.5e+300'
dumps(float('nan'))  # expect: 'NaN'
dumps(-float('inf'))  # expect: '-Infinity'
dumps('')  # expect: '""'
dumps('a')  # expect: '"a"'
dumps('"\\/')  # expect: '"\\"\\\\/"'
dumps('\n\t\r\b\f\x00\x1f\x7f')  # expect: '"\\n\\t\\r\\b\\f\\u0000\\u001f\\u007f"'
dumps('é日本😀')  # expect: '"\\u00e9\\u65e5\\u672c\\ud83d\\ude00"'
dumps('\u2028')  # expect: '"\\u2028"'
dumps('\ud83d')  # expect: '"\\ud83d"'
dumps([])  # expect: '[]'
dumps({})  # expect: '{}'
dumps(())  # expect: '[]'
dumps((1, 2))  # expect: '[1, 2]'
dumps([1, [2, {}]])  # expect: '[1, [2, {}]]'
dumps({'a': 1, 'b': [1, 2]})  # expect: '{"a": 1, "b": [1, 2]}'
dumps({1: 2, 1.5: 3, True: 4, None: 5})  # expect: '{"1": 4, "1.5": 3, "null": 5}'
dumps({'b': 1, 'a': 2})  # expect: '{"b": 1, "a": 2}'
dumps({2: 1, 10: 1})  # expect: '{"2": 1, "10": 1}'
dumps({'b': {'d': 1, 'c': 2}, 'a': []})  # expect: '{"b": {"d": 1, "c": 2}, "a": []}'
dumps({(1, 2): 3})  # expect: TypeError keys must be str, int, float, bool or None, not tuple
dumps({'a': (), 'b': {}})  # expect: '{"a": [], "b": {}}'
dumps({'b': 1, 2: 3})  # expect: '{"b": 1, "2": 3}'
dumps([[], [[]], {'a': {}}])  # expect: '[[], [[]], {"a": {}}]'
dumps(b'x')  # expect: TypeError Object of type bytes is not JSON serializable
dumps(1 + 2j)  # expect: TypeError Object of type complex is not JSON serializable
dumps({1})  # expect: TypeError Object of type set is not JSON serializable
dumps([None, True, 1.5])  # expect: '[null, true, 1.5]'
dumps({'k': {'l': {'m': [1, {'n': None}]}}})  # expect: '{"k": {"l": {"m": [1, {"n": null}]}}}'
dumps({float('inf'): 1})  # expect: '{"Infinity": 1}'
