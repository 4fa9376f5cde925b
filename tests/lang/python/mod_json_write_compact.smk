import json


def dumps(data, **options):
    try:
        print(repr(json.dumps(data, **options)))
    except Exception as e:
        print(type(e).__name__, e)



dumps(None, separators=(',', ':'), skipkeys=True)  # expect: 'null'
dumps(True, separators=(',', ':'), skipkeys=True)  # expect: 'true'
dumps(0, separators=(',', ':'), skipkeys=True)  # expect: '0'
dumps(-1, separators=(',', ':'), skipkeys=True)  # expect: '-1'
dumps(10 ** 30, separators=(',', ':'), skipkeys=True)  # expect: '1000000000000000000000000000000'
dumps(1.0, separators=(',', ':'), skipkeys=True)  # expect: '1.0'
dumps(-0.0, separators=(',', ':'), skipkeys=True)  # expect: '-0.0'
dumps(0.1, separators=(',', ':'), skipkeys=True)  # expect: '0.1'
dumps(1e16, separators=(',', ':'), skipkeys=True)  # expect: '1e+16'
dumps(1e22, separators=(',', ':'), skipkeys=True)  # expect: '1e+22'
dumps(1e-7, separators=(',', ':'), skipkeys=True)  # expect: '1e-07'
dumps(1.5e300, separators=(',', ':'), skipkeys=True)  # expect: '1.5e+300'
dumps(float('nan'), separators=(',', ':'), skipkeys=True)  # expect: 'NaN'
dumps(-float('inf'), separators=(',', ':'), skipkeys=True)  # expect: '-Infinity'
dumps('', separators=(',', ':'), skipkeys=True)  # expect: '""'
dumps('a', separators=(',', ':'), skipkeys=True)  # expect: '"a"'
dumps('"\\/', separators=(',', ':'), skipkeys=True)  # expect: '"\\"\\\\/"'
dumps('\n\t\r\b\f\x00\x1f\x7f', separators=(',', ':'), skipkeys=True)  # expect: '"\\n\\t\\r\\b\\f\\u0000\\u001f\\u007f"'
dumps('é日本😀', separators=(',', ':'), skipkeys=True)  # expect: '"\\u00e9\\u65e5\\u672c\\ud83d\\ude00"'
dumps('\u2028', separators=(',', ':'), skipkeys=True)  # expect: '"\\u2028"'
dumps('\ud83d', separators=(',', ':'), skipkeys=True)  # expect: '"\\ud83d"'
dumps([], separators=(',', ':'), skipkeys=True)  # expect: '[]'
dumps({}, separators=(',', ':'), skipkeys=True)  # expect: '{}'
dumps((), separators=(',', ':'), skipkeys=True)  # expect: '[]'
dumps((1, 2), separators=(',', ':'), skipkeys=True)  # expect: '[1,2]'
dumps([1, [2, {}]], separators=(',', ':'), skipkeys=True)  # expect: '[1,[2,{}]]'
dumps({'a': 1, 'b': [1, 2]}, separators=(',', ':'), skipkeys=True)  # expect: '{"a":1,"b":[1,2]}'
dumps({1: 2, 1.5: 3, True: 4, None: 5}, separators=(',', ':'), skipkeys=True)  # expect: '{"1":4,"1.5":3,"null":5}'
dumps({'b': 1, 'a': 2}, separators=(',', ':'), skipkeys=True)  # expect: '{"b":1,"a":2}'
dumps({2: 1, 10: 1}, separators=(',', ':'), skipkeys=True)  # expect: '{"2":1,"10":1}'
dumps({'b': {'d': 1, 'c': 2}, 'a': []}, separators=(',', ':'), skipkeys=True)  # expect: '{"b":{"d":1,"c":2},"a":[]}'
dumps({(1, 2): 3}, separators=(',', ':'), skipkeys=True)  # expect: '{}'
dumps({'a': (), 'b': {}}, separators=(',', ':'), skipkeys=True)  # expect: '{"a":[],"b":{}}'
dumps({'b': 1, 2: 3}, separators=(',', ':'), skipkeys=True)  # expect: '{"b":1,"2":3}'
dumps([[], [[]], {'a': {}}], separators=(',', ':'), skipkeys=True)  # expect: '[[],[[]],{"a":{}}]'
dumps(b'x', separators=(',', ':'), skipkeys=True)  # expect: TypeError Object of type bytes is not JSON serializable
dumps(1 + 2j, separators=(',', ':'), skipkeys=True)  # expect: TypeError Object of type complex is not JSON serializable
dumps({1}, separators=(',', ':'), skipkeys=True)  # expect: TypeError Object of type set is not JSON serializable
dumps([None, True, 1.5], separators=(',', ':'), skipkeys=True)  # expect: '[null,true,1.5]'
dumps({'k': {'l': {'m': [1, {'n': None}]}}}, separators=(',', ':'), skipkeys=True)  # expect: '{"k":{"l":{"m":[1,{"n":null}]}}}'
dumps({float('inf'): 1}, separators=(',', ':'), skipkeys=True)  # expect: '{"Infinity":1}'
