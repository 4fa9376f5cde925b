import yaml


def load(text, loader=yaml.SafeLoader):
    try:
        print(repr(yaml.load(text, Loader=loader)))
    except Exception as e:
        print(type(e).__name__, repr(str(e)))



load('!!str 1')  # expect: '1'
load('!!str yes')  # expect: 'yes'
load('!!str')  # expect: ''
load("!!int '12'")  # expect: 12
load('!!int 0x10')  # expect: 16
load('!!int abc')  # expect: ValueError "invalid literal for int() with base 10: 'abc'"
load('!!int 1:30')  # expect: 90
load('!!float 3')  # expect: 3.0
load("!!float '1.5'")  # expect: 1.5
load('!!float x')  # expect: ValueError "could not convert string to float: 'x'"
load('!!bool yes')  # expect: True
load('!!bool maybe')  # expect: KeyError "'maybe'"
load('!!bool TRUE')  # expect: True
load('!!null x')  # expect: None
load("!!null ''")  # expect: None
load('!!seq [1]')  # expect: [1]
load('!!map {a: 1}')  # expect: {'a': 1}
load('!!seq x')  # expect: ConstructorError 'expected a sequence node, but found scalar\n  in "<unicode string>", line 1, column 1:\n    !!seq x\n    ^'
load('!!map [1]')  # expect: ConstructorError 'expected a mapping node, but found sequence\n  in "<unicode string>", line 1, column 1:\n    !!map [1]\n    ^'
load('!!str [1]')  # expect: ConstructorError 'expected a scalar node, but found sequence\n  in "<unicode string>", line 1, column 1:\n    !!str [1]\n    ^'
load('!!str {a: 1}')  # expect: ConstructorError 'expected a scalar node, but found mapping\n  in "<unicode string>", line 1, column 1:\n    !!str {a: 1}\n    ^'
load('!!set {a}')  # expect: {'a'}
load('!!set [a]')  # expect: ConstructorError 'expected a mapping node, but found sequence\n  in "<unicode string>", line 1, column 1:\n    !!set [a]\n    ^'
load('!!omap [a: 1, b: 2]')  # expect: [('a', 1), ('b', 2)]
load('!!omap [1]')  # expect: ConstructorError 'while constructing an ordered map\n  in "<unicode string>", line 1, column 1:\n    !!omap [1]\n    ^\nexpected a mapping of length 1, but found scalar\n  in "<unicode string>", line 1, column 9:\n    !!omap [1]\n            ^'
load('!!omap [{a: 1, b: 2}]')  # expect: ConstructorError 'while constructing an ordered map\n  in "<unicode string>", line 1, column 1:\n    !!omap [{a: 1, b: 2}]\n    ^\nexpected a single mapping item, but found 2 items\n  in "<unicode string>", line 1, column 9:\n    !!omap [{a: 1, b: 2}]\n            ^'
load('!!pairs [a: 1, a: 2]')  # expect: [('a', 1), ('a', 2)]
load('!!binary aGVsbG8=')  # expect: b'hello'
load('!!binary aGVsbG8')  # expect: ConstructorError 'failed to decode base64 data: Incorrect padding\n  in "<unicode string>", line 1, column 1:\n    !!binary aGVsbG8\n    ^'
load('!!binary "aGVs\\n bG8="')  # expect: b'hello'
load("!!binary ''")  # expect: b''
load('!x 1')  # expect: ConstructorError 'could not determine a constructor for the tag \'!x\'\n  in "<unicode string>", line 1, column 1:\n    !x 1\n    ^'
load('!x [1]')  # expect: ConstructorError 'could not determine a constructor for the tag \'!x\'\n  in "<unicode string>", line 1, column 1:\n    !x [1]\n    ^'
load('!x {a: 1}')  # expect: ConstructorError 'could not determine a constructor for the tag \'!x\'\n  in "<unicode string>", line 1, column 1:\n    !x {a: 1}\n    ^'
load('!!foo 1')  # expect: ConstructorError 'could not determine a constructor for the tag \'tag:yaml.org,2002:foo\'\n  in "<unicode string>", line 1, column 1:\n    !!foo 1\n    ^'
load('!!python/tuple [1]')  # expect: ConstructorError 'could not determine a constructor for the tag \'tag:yaml.org,2002:python/tuple\'\n  in "<unicode string>", line 1, column 1:\n    !!python/tuple [1]\n    ^'
load('!<tag:yaml.org,2002:str> 1')  # expect: '1'
load('!<x> 1')  # expect: ConstructorError 'could not determine a constructor for the tag \'x\'\n  in "<unicode string>", line 1, column 1:\n    !<x> 1\n    ^'
load('! 12')  # expect: 12
load("! '12'")  # expect: 12
load('! [1]')  # expect: [1]
load('a: !!str\nb: !!null')  # expect: {'a': '', 'b': None}
load('!!timestamp 2001-01-01')  # expect: datetime.date(2001, 1, 1)
load('!e!x 1')  # expect: ParserError 'while parsing a node\nfound undefined tag handle \'!e!\'\n  in "<unicode string>", line 1, column 1:\n    !e!x 1\n    ^'
