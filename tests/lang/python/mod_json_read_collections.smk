import json


def loads(text):
    try:
        print(ascii(json.loads(text)))
    except json.JSONDecodeError as e:
        print(type(e).__name__, e, e.pos, e.lineno, e.colno)
    except Exception as e:
        print(type(e).__name__, str(e)[:60])



loads('[]')  # expect: []
loads('{}')  # expect: {}
loads('[ ]')  # expect: []
loads('{ }')  # expect: {}
loads('[1]')  # expect: [1]
loads('[1, 2]')  # expect: [1, 2]
loads('[1,]')  # expect: JSONDecodeError Expecting value: line 1 column 4 (char 3) 3 1 4
loads('[,1]')  # expect: JSONDecodeError Expecting value: line 1 column 2 (char 1) 1 1 2
loads('[1 2]')  # expect: JSONDecodeError Expecting ',' delimiter: line 1 column 4 (char 3) 3 1 4
loads('[1')  # expect: JSONDecodeError Expecting ',' delimiter: line 1 column 3 (char 2) 2 1 3
loads('[')  # expect: JSONDecodeError Expecting value: line 1 column 2 (char 1) 1 1 2
loads('[1,')  # expect: JSONDecodeError Expecting value: line 1 column 4 (char 3) 3 1 4
loads(']')  # expect: JSONDecodeError Expecting value: line 1 column 1 (char 0) 0 1 1
loads('[]]')  # expect: JSONDecodeError Extra data: line 1 column 3 (char 2) 2 1 3
loads('[[[]]]')  # expect: [[[]]]
loads('{"a": 1}')  # expect: {'a': 1}
loads('{"a":1,"b":2}')  # expect: {'a': 1, 'b': 2}
loads('{"a":1,"a":2}')  # expect: {'a': 2}
loads('{"a":1,}')  # expect: JSONDecodeError Expecting property name enclosed in double quotes: line 1 column 8 (char 7) 7 1 8
loads('{,}')  # expect: JSONDecodeError Expecting property name enclosed in double quotes: line 1 column 2 (char 1) 1 1 2
loads('{"a" 1}')  # expect: JSONDecodeError Expecting ':' delimiter: line 1 column 6 (char 5) 5 1 6
loads('{"a":}')  # expect: JSONDecodeError Expecting value: line 1 column 6 (char 5) 5 1 6
loads('{"a"')  # expect: JSONDecodeError Expecting ':' delimiter: line 1 column 5 (char 4) 4 1 5
loads('{"a":')  # expect: JSONDecodeError Expecting value: line 1 column 6 (char 5) 5 1 6
loads('{"a":1')  # expect: JSONDecodeError Expecting ',' delimiter: line 1 column 7 (char 6) 6 1 7
loads('{1:2}')  # expect: JSONDecodeError Expecting property name enclosed in double quotes: line 1 column 2 (char 1) 1 1 2
loads('{a:1}')  # expect: JSONDecodeError Expecting property name enclosed in double quotes: line 1 column 2 (char 1) 1 1 2
loads("{'a':1}")  # expect: JSONDecodeError Expecting property name enclosed in double quotes: line 1 column 2 (char 1) 1 1 2
loads('{"a":{"b":[1,{"c":null}]}}')  # expect: {'a': {'b': [1, {'c': None}]}}
loads(' \n\t[1]\r\n ')  # expect: [1]
loads('[1]\n2')  # expect: JSONDecodeError Extra data: line 2 column 1 (char 4) 4 2 1
loads('1 2')  # expect: JSONDecodeError Extra data: line 1 column 3 (char 2) 2 1 3
loads('/*x*/1')  # expect: JSONDecodeError Expecting value: line 1 column 1 (char 0) 0 1 1
loads('[1]//x')  # expect: JSONDecodeError Extra data: line 1 column 4 (char 3) 3 1 4
loads('\ufeff1')  # expect: JSONDecodeError Unexpected UTF-8 BOM (decode using utf-8-sig): line 1 column 1 (char 0) 0 1 1
loads('')  # expect: JSONDecodeError Expecting value: line 1 column 1 (char 0) 0 1 1
loads(' ')  # expect: JSONDecodeError Expecting value: line 1 column 2 (char 1) 1 1 2
loads('\n\n')  # expect: JSONDecodeError Expecting value: line 3 column 1 (char 2) 2 3 1
loads('{"é": 1')  # expect: JSONDecodeError Expecting ',' delimiter: line 1 column 8 (char 7) 7 1 8
loads('[1,\n  2,\n  x]')  # expect: JSONDecodeError Expecting value: line 3 column 3 (char 11) 11 3 3
loads('{"a": [1,\n"b": 2}')  # expect: JSONDecodeError Expecting ',' delimiter: line 2 column 4 (char 13) 13 2 4
loads('\x0b1')  # expect: JSONDecodeError Expecting value: line 1 column 1 (char 0) 0 1 1
loads('[1]\x00')  # expect: JSONDecodeError Extra data: line 1 column 4 (char 3) 3 1 4
loads('{"b": 1, "a": 2}')  # expect: {'b': 1, 'a': 2}
loads('{"": 0}')  # expect: {'': 0}
loads('[true, false, null]')  # expect: [True, False, None]
loads('[tru]')  # expect: JSONDecodeError Expecting value: line 1 column 2 (char 1) 1 1 2
loads('[NaN, Infinity]')  # expect: [nan, inf]
loads('{"a": 1} {"b": 2}')  # expect: JSONDecodeError Extra data: line 1 column 10 (char 9) 9 1 10
