import yaml


def load(text, loader=yaml.SafeLoader):
    try:
        print(repr(yaml.load(text, Loader=loader)))
    except Exception as e:
        print(type(e).__name__, repr(str(e)))



load("'it''s'")  # expect: "it's"
load("''")  # expect: ''
load('""')  # expect: ''
load('"a\\nb"')  # expect: 'a\nb'
load('"\\t\\\\\\"\\/"')  # expect: '\t\\"/'
load('"\\x41\\u00e9\\U0001F600"')  # expect: 'Aé😀'
load('"\\0\\a\\b\\e\\f\\v\\r\\N\\_\\L\\P"')  # expect: '\x00\x07\x08\x1b\x0c\x0b\r\x85\xa0\u2028\u2029'
load('"\\q"')  # expect: ScannerError 'while scanning a double-quoted scalar\n  in "<unicode string>", line 1, column 1:\n    "\\q"\n    ^\nfound unknown escape character \'q\'\n  in "<unicode string>", line 1, column 3:\n    "\\q"\n      ^'
load('"\\x4"')  # expect: ScannerError 'while scanning a double-quoted scalar\n  in "<unicode string>", line 1, column 1:\n    "\\x4"\n    ^\nexpected escape sequence of 2 hexadecimal numbers, but found \'"\'\n  in "<unicode string>", line 1, column 4:\n    "\\x4"\n       ^'
load('"\\u12"')  # expect: ScannerError 'while scanning a double-quoted scalar\n  in "<unicode string>", line 1, column 1:\n    "\\u12"\n    ^\nexpected escape sequence of 4 hexadecimal numbers, but found \'"\'\n  in "<unicode string>", line 1, column 4:\n    "\\u12"\n       ^'
load('"a\\\n  b"')  # expect: 'ab'
load('"a\n  b"')  # expect: 'a b'
load('"a\n\n  b"')  # expect: 'a\nb'
load("'a\n  b\n\n  c'")  # expect: 'a b\nc'
load('a\n  b')  # expect: 'a b'
load('a: x\n  y\n  z')  # expect: {'a': 'x y z'}
load('a: x\n\n  y')  # expect: {'a': 'x\ny'}
load('|\n  a\n  b\n')  # expect: 'a\nb\n'
load('|\n  a\n\n  b')  # expect: 'a\n\nb'
load('|-\n  a\n')  # expect: 'a'
load('|+\n  a\n\n')  # expect: 'a\n\n'
load('|2\n   a\n  b\n')  # expect: ' a\nb\n'
load('>\n  a\n  b\n')  # expect: 'a b\n'
load('>\n  a\n\n  b\n')  # expect: 'a\nb\n'
load('>\n  a\n   b\n  c\n')  # expect: 'a\n b\nc\n'
load('>-\n  a\n  b\n\n')  # expect: 'a b'
load('>+\n  a\n\n\n')  # expect: 'a\n\n\n'
load('a: |\n  x\nb: >-\n  y\n  z\n')  # expect: {'a': 'x\n', 'b': 'y z'}
load('a: |\nb: 1')  # expect: {'a': '', 'b': 1}
load('- |\n a\n- >\n b\n')  # expect: ['a\n', 'b\n']
load('|1\n a')  # expect: 'a'
load('|x\n a')  # expect: ScannerError 'while scanning a block scalar\n  in "<unicode string>", line 1, column 1:\n    |x\n    ^\nexpected chomping or indentation indicators, but found \'x\'\n  in "<unicode string>", line 1, column 2:\n    |x\n     ^'
load("a: 'x")  # expect: ScannerError 'while scanning a quoted scalar\n  in "<unicode string>", line 1, column 4:\n    a: \'x\n       ^\nfound unexpected end of stream\n  in "<unicode string>", line 1, column 6:\n    a: \'x\n         ^'
load('a: "x')  # expect: ScannerError 'while scanning a quoted scalar\n  in "<unicode string>", line 1, column 4:\n    a: "x\n       ^\nfound unexpected end of stream\n  in "<unicode string>", line 1, column 6:\n    a: "x\n         ^'
load("a: 'x' y")  # expect: ParserError 'while parsing a block mapping\n  in "<unicode string>", line 1, column 1:\n    a: \'x\' y\n    ^\nexpected <block end>, but found \'<scalar>\'\n  in "<unicode string>", line 1, column 8:\n    a: \'x\' y\n           ^'
load("'a': 'b'")  # expect: {'a': 'b'}
load('"a b": 1')  # expect: {'a b': 1}
load('"a":1')  # expect: ParserError 'expected \'<document start>\', but found \'<scalar>\'\n  in "<unicode string>", line 1, column 4:\n    "a":1\n       ^'
load("' a '")  # expect: ' a '
load('" a "')  # expect: ' a '
load("'a\n\n\n  b'")  # expect: 'a\n\nb'
load('"\\\n"')  # expect: ''
load("'#'")  # expect: '#'
load('"# x" # y')  # expect: '# x'
load('a: |  # comment\n  x')  # expect: {'a': 'x'}
load('|\n  a  \n  b\t\n')  # expect: 'a  \nb\t\n'
load('a: >\n\n  x\n  y\n\n\n')  # expect: {'a': '\nx y\n'}
