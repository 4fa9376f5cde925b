import json


def loads(text):
    try:
        print(ascii(json.loads(text)))
    except json.JSONDecodeError as e:
        print(type(e).__name__, e, e.pos, e.lineno, e.colno)
    except Exception as e:
        print(type(e).__name__, str(e)[:60])



loads('0')  # expect: 0
loads('-0')  # expect: 0
loads('1')  # expect: 1
loads('-1')  # expect: -1
loads('12345678901234567890123')  # expect: 12345678901234567890123
loads('1.5')  # expect: 1.5
loads('-1.5')  # expect: -1.5
loads('1e5')  # expect: 100000.0
loads('1E+5')  # expect: 100000.0
loads('1e-5')  # expect: 1e-05
loads('-1.5e-3')  # expect: -0.0015
loads('1e400')  # expect: inf
loads('-1e400')  # expect: -inf
loads('0.1')  # expect: 0.1
loads('0.30000000000000004')  # expect: 0.30000000000000004
loads('5e-324')  # expect: 5e-324
loads('1.7976931348623157e308')  # expect: 1.7976931348623157e+308
loads('123456789.123456789')  # expect: 123456789.12345679
loads('1.0')  # expect: 1.0
loads('100000000000000000.0')  # expect: 1e+17
loads('01')  # expect: JSONDecodeError Extra data: line 1 column 2 (char 1) 1 1 2
loads('-01')  # expect: JSONDecodeError Extra data: line 1 column 3 (char 2) 2 1 3
loads('1.')  # expect: JSONDecodeError Extra data: line 1 column 2 (char 1) 1 1 2
loads('1.e5')  # expect: JSONDecodeError Extra data: line 1 column 2 (char 1) 1 1 2
loads('.5')  # expect: JSONDecodeError Expecting value: line 1 column 1 (char 0) 0 1 1
loads('-')  # expect: JSONDecodeError Expecting value: line 1 column 1 (char 0) 0 1 1
loads('+1')  # expect: JSONDecodeError Expecting value: line 1 column 1 (char 0) 0 1 1
loads('1e')  # expect: JSONDecodeError Extra data: line 1 column 2 (char 1) 1 1 2
loads('1e+')  # expect: JSONDecodeError Extra data: line 1 column 2 (char 1) 1 1 2
loads('--1')  # expect: JSONDecodeError Expecting value: line 1 column 1 (char 0) 0 1 1
loads('0x1')  # expect: JSONDecodeError Extra data: line 1 column 2 (char 1) 1 1 2
loads('1_000')  # expect: JSONDecodeError Extra data: line 1 column 2 (char 1) 1 1 2
loads('NaN')  # expect: nan
loads('Infinity')  # expect: inf
loads('-Infinity')  # expect: -inf
loads('-NaN')  # expect: JSONDecodeError Expecting value: line 1 column 1 (char 0) 0 1 1
loads('nan')  # expect: JSONDecodeError Expecting value: line 1 column 1 (char 0) 0 1 1
loads('true')  # expect: True
loads('false')  # expect: False
loads('null')  # expect: None
loads('True')  # expect: JSONDecodeError Expecting value: line 1 column 1 (char 0) 0 1 1
loads('None')  # expect: JSONDecodeError Expecting value: line 1 column 1 (char 0) 0 1 1
loads('nul')  # expect: JSONDecodeError Expecting value: line 1 column 1 (char 0) 0 1 1
loads('tru e')  # expect: JSONDecodeError Expecting value: line 1 column 1 (char 0) 0 1 1
