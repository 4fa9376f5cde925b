import json


def loads(text):
    try:
        print(ascii(json.loads(text)))
    except json.JSONDecodeError as e:
        print(type(e).__name__, e, e.pos, e.lineno, e.colno)
    except Exception as e:
        print(type(e).__name__, str(e)[:60])



loads('"a"')  # expect: 'a'
loads('""')  # expect: ''
loads('"\\u00e9"')  # expect: '\xe9'
loads('"\\ud83d\\ude00"')  # expect: '\U0001f600'
loads('"\\ud83d"')  # expect: '\ud83d'
loads('"\\ude00\\ud83d"')  # expect: '\ude00\ud83d'
loads('"\\ud83dx"')  # expect: '\ud83dx'
loads('"\\ud83d\\u0041"')  # expect: '\ud83dA'
loads('"\\x"')  # expect: JSONDecodeError Invalid \escape: line 1 column 2 (char 1) 1 1 2
loads('"\\u12"')  # expect: JSONDecodeError Invalid \uXXXX escape: line 1 column 3 (char 2) 2 1 3
loads('"\\u12g4"')  # expect: JSONDecodeError Invalid \uXXXX escape: line 1 column 3 (char 2) 2 1 3
loads('"\\u"')  # expect: JSONDecodeError Invalid \uXXXX escape: line 1 column 3 (char 2) 2 1 3
loads('"\\')  # expect: JSONDecodeError Unterminated string starting at: line 1 column 1 (char 0) 0 1 1
loads('"a')  # expect: JSONDecodeError Unterminated string starting at: line 1 column 1 (char 0) 0 1 1
loads('"')  # expect: JSONDecodeError Unterminated string starting at: line 1 column 1 (char 0) 0 1 1
loads('"\t"')  # expect: JSONDecodeError Invalid control character at: line 1 column 2 (char 1) 1 1 2
loads('"\n"')  # expect: JSONDecodeError Invalid control character at: line 1 column 2 (char 1) 1 1 2
loads('"\x01"')  # expect: JSONDecodeError Invalid control character at: line 1 column 2 (char 1) 1 1 2
loads('"\x7f"')  # expect: '\x7f'
loads('"é"')  # expect: '\xe9'
loads('"日本😀"')  # expect: '\u65e5\u672c\U0001f600'
loads('"\\"\\\\\\/\\b\\f\\n\\r\\t"')  # expect: '"\\/\x08\x0c\n\r\t'
loads("'a'")  # expect: JSONDecodeError Expecting value: line 1 column 1 (char 0) 0 1 1
loads('"a" "b"')  # expect: JSONDecodeError Extra data: line 1 column 5 (char 4) 4 1 5
loads('"\\u0000"')  # expect: '\x00'
loads('"a\\')  # expect: JSONDecodeError Unterminated string starting at: line 1 column 1 (char 0) 0 1 1
loads('"\\ud83d\\ude"')  # expect: JSONDecodeError Invalid \uXXXX escape: line 1 column 9 (char 8) 8 1 9
loads('"é\\q"')  # expect: JSONDecodeError Invalid \escape: line 1 column 3 (char 2) 2 1 3
