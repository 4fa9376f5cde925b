import json


def dumps(data, **options):
    try:
        print(repr(json.dumps(data, **options)))
    except Exception as e:
        print(type(e).__name__, e)



dumps(None, indent=2)  # expect: 'null'
dumps(True, indent=2)  # expect: 'true'
dumps(0, indent=2)  # expect: '0'
dumps(-1, indent=2)  # expect: '-1'
dumps(10 ** 30, indent=2)  # expect: '1000000000000000000000000000000'
dumps(1.0, indent=2)  # expect: '1.0'
dumps(-0.0, indent=2)  # expect: '-0.0'
dumps(0.1, indent=2)  # expect: '0.1'
dumps(1e16, indent=2)  # expect: '1e+16'
dumps(1e22, indent=2)  # expect: '1e+22'
dumps(1e-7, indent=2)  # expect: '1e-07'
dumps(1.5e300, indent=2)  # expect: '1.5e+300'
dumps(float('nan'), indent=2)  # expect: 'NaN'
dumps(-float('inf'), indent=2)  # expect: '-Infinity'
dumps('', indent=2)  # expect: '""'
dumps('a', indent=2)  # expect: '"a"'
dumps('"\\/', indent=2)  # expect: '"\\"\\\\/"'
dumps('\n\t\r\b\f\x00\x1f\x7f', indent=2)  # expect: '"\\n\\t\\r\\b\\f\\u0000\\u001f\\u007f"'
dumps('é日本😀', indent=2)  # expect: '"\\u00e9\\u65e5\\u672c\\ud83d\\ude00"'
dumps('\u2028', indent=2)  # expect: '"\\u2028"'
dumps('\ud83d', indent=2)  # expect: '"\\ud83d"'
dumps([], indent=2)  # expect: '[]'
dumps({}, indent=2)  # expect: '{}'
dumps((), indent=2)  # expect: '[]'
dumps((1, 2), indent=2)  # expect: '[\n  1,\n  2\n]'
dumps([1, [2, {}]], indent=2)  # expect: '[\n  1,\n  [\n    2,\n    {}\n  ]\n]'
dumps({'a': 1, 'b': [1, 2]}, indent=2)  # expect: '{\n  "a": 1,\n  "b": [\n    1,\n    2\n  ]\n}'
dumps({1: 2, 1.5: 3, True: 4, None: 5}, indent=2)  # expect: '{\n  "1": 4,\n  "1.5": 3,\n  "null": 5\n}'
dumps({'b': 1, 'a': 2}, indent=2)  # expect: '{\n  "b": 1,\n  "a": 2\n}'
dumps({2: 1, 10: 1}, indent=2)  # expect: '{\n  "2": 1,\n  "10": 1\n}'
dumps({'b': {'d': 1, 'c': 2}, 'a': []}, indent=2)  # expect: '{\n  "b": {\n    "d": 1,\n    "c": 2\n  },\n  "a": []\n}'
dumps({(1, 2): 3}, indent=2)  # expect: TypeError keys must be str, int, float, bool or None, not tuple
dumps({'a': (), 'b': {}}, indent=2)  # expect: '{\n  "a": [],\n  "b": {}\n}'
dumps({'b': 1, 2: 3}, indent=2)  # expect: '{\n  "b": 1,\n  "2": 3\n}'
dumps([[], [[]], {'a': {}}], indent=2)  # expect: '[\n  [],\n  [\n    []\n  ],\n  {\n    "a": {}\n  }\n]'
dumps(b'x', indent=2)  # expect: TypeError Object of type bytes is not JSON serializable
dumps(1 + 2j, indent=2)  # expect: TypeError Object of type complex is not JSON serializable
dumps({1}, indent=2)  # expect: TypeError Object of type set is not JSON serializable
dumps([None, True, 1.5], indent=2)  # expect: '[\n  null,\n  true,\n  1.5\n]'
dumps({'k': {'l': {'m': [1, {'n': None}]}}}, indent=2)  # expect: '{\n  "k": {\n    "l": {\n      "m": [\n        1,\n        {\n          "n": null\n        }\n      ]\n    }\n  }\n}'
dumps({float('inf'): 1}, indent=2)  # expect: '{\n  "Infinity": 1\n}'
