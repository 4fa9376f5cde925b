import yaml


def load(text, loader=yaml.SafeLoader):
    try:
        print(repr(yaml.load(text, Loader=loader)))
    except Exception as e:
        print(type(e).__name__, repr(str(e)))



load('1')  # expect: 1
load('-1')  # expect: -1
load('+12')  # expect: 12
load('0')  # expect: 0
load('-0')  # expect: 0
load('+0')  # expect: 0
load('00')  # expect: 0
load('012')  # expect: 10
load('-017')  # expect: -15
load('08')  # expect: '08'
load('09')  # expect: '09'
load('0o17')  # expect: '0o17'
load('0x1F')  # expect: 31
load('-0xff')  # expect: -255
load('0x_1')  # expect: 1
load('0xG')  # expect: '0xG'
load('0b101')  # expect: 5
load('-0b1')  # expect: -1
load('0b_1')  # expect: 1
load('0b2')  # expect: '0b2'
load('1_000')  # expect: 1000
load('1__0')  # expect: 10
load('_1')  # expect: '_1'
load('1_')  # expect: 1
load('1,000')  # expect: '1,000'
load('1:30')  # expect: 90
load('190:20:30')  # expect: 685230
load('-1:30')  # expect: -90
load('1:60')  # expect: '1:60'
load('01:30')  # expect: '01:30'
load('1:5:9')  # expect: 3909
load('9223372036854775807')  # expect: 9223372036854775807
load('9223372036854775808')  # expect: 9223372036854775808
load('-123456789012345678901234567890')  # expect: -123456789012345678901234567890
load('1.5')  # expect: 1.5
load('-1.5')  # expect: -1.5
load('+1.5')  # expect: 1.5
load('.5')  # expect: 0.5
load('-.5')  # expect: '-.5'
load('1.')  # expect: 1.0
load('1.e+3')  # expect: 1000.0
load('1e3')  # expect: '1e3'
load('1e+3')  # expect: '1e+3'
load('1.0e3')  # expect: '1.0e3'
load('1.0e+3')  # expect: 1000.0
load('1.0E-3')  # expect: 0.001
load('6.8523015e+5')  # expect: 685230.15
load('685_230.15')  # expect: 685230.15
load('1_.5')  # expect: 1.5
load('190:20:30.15')  # expect: 685230.15
load('1:30.')  # expect: 90.0
load('+.inf')  # expect: inf
load('-.INF')  # expect: -inf
load('.Inf')  # expect: inf
load('.inF')  # expect: '.inF'
load('.nan')  # expect: nan
load('.NaN')  # expect: nan
load('.NAN')  # expect: nan
load('-.nan')  # expect: '-.nan'
load('nan')  # expect: 'nan'
load('inf')  # expect: 'inf'
load('Infinity')  # expect: 'Infinity'
load('1.2.3')  # expect: '1.2.3'
load('1-2')  # expect: '1-2'
load('0.1.')  # expect: '0.1.'
load('..')  # expect: '..'
load('true')  # expect: True
load('True')  # expect: True
load('TRUE')  # expect: True
load('tRUE')  # expect: 'tRUE'
load('yes')  # expect: True
load('Yes')  # expect: True
load('YES')  # expect: True
load('no')  # expect: False
load('No')  # expect: False
load('on')  # expect: True
load('On')  # expect: True
load('ON')  # expect: True
load('off')  # expect: False
load('Off')  # expect: False
load('OFF')  # expect: False
load('y')  # expect: 'y'
load('n')  # expect: 'n'
load('Y')  # expect: 'Y'
load('N')  # expect: 'N'
load('t')  # expect: 't'
load('f')  # expect: 'f'
load('~')  # expect: None
load('null')  # expect: None
load('Null')  # expect: None
load('NULL')  # expect: None
load('nULL')  # expect: 'nULL'
load('None')  # expect: 'None'
load('')  # expect: None
load('NA')  # expect: 'NA'
load('  ')  # expect: None
load('# just a comment')  # expect: None
load('=')  # expect: ConstructorError 'could not determine a constructor for the tag \'tag:yaml.org,2002:value\'\n  in "<unicode string>", line 1, column 1:\n    =\n    ^'
load('<<')  # expect: ConstructorError 'could not determine a constructor for the tag \'tag:yaml.org,2002:merge\'\n  in "<unicode string>", line 1, column 1:\n    <<\n    ^'
load('2001-01-01 x')  # expect: '2001-01-01 x'
load('12:00 pm')  # expect: '12:00 pm'
load('v1.0')  # expect: 'v1.0'
load('1.0.0')  # expect: '1.0.0'
load('1 2')  # expect: '1 2'
load('-')  # expect: [None]
load('--')  # expect: '--'
load('---')  # expect: None
load('...')  # expect: ParserError 'while parsing a block node\nexpected the node content, but found \'<document end>\'\n  in "<unicode string>", line 1, column 1:\n    ...\n    ^'
load('a')  # expect: 'a'
load('é')  # expect: 'é'
load('日本')  # expect: '日本'
load('a b')  # expect: 'a b'
load('a#b')  # expect: 'a#b'
load('a #b')  # expect: 'a'
load('a:b')  # expect: 'a:b'
load('http://x.y/z?q=1')  # expect: 'http://x.y/z?q=1'
load('C:\\path')  # expect: 'C:\\path'
load('x=y')  # expect: 'x=y'
load('a,b')  # expect: 'a,b'
load('[a')  # expect: ParserError 'while parsing a flow sequence\n  in "<unicode string>", line 1, column 1:\n    [a\n    ^\nexpected \',\' or \']\', but got \'<stream end>\'\n  in "<unicode string>", line 1, column 3:\n    [a\n      ^'
load('*')  # expect: ScannerError 'while scanning an alias\n  in "<unicode string>", line 1, column 1:\n    *\n    ^\nexpected alphabetic or numeric character, but found \'\\x00\'\n  in "<unicode string>", line 1, column 2:\n    *\n     ^'
load('&')  # expect: ScannerError 'while scanning an anchor\n  in "<unicode string>", line 1, column 1:\n    &\n    ^\nexpected alphabetic or numeric character, but found \'\\x00\'\n  in "<unicode string>", line 1, column 2:\n    &\n     ^'
load('!')  # expect: None
load('@a')  # expect: ScannerError 'while scanning for the next token\nfound character \'@\' that cannot start any token\n  in "<unicode string>", line 1, column 1:\n    @a\n    ^'
load('`a')  # expect: ScannerError 'while scanning for the next token\nfound character \'`\' that cannot start any token\n  in "<unicode string>", line 1, column 1:\n    `a\n    ^'
load('|')  # expect: ''
load("'")  # expect: ScannerError 'while scanning a quoted scalar\n  in "<unicode string>", line 1, column 1:\n    \'\n    ^\nfound unexpected end of stream\n  in "<unicode string>", line 1, column 2:\n    \'\n     ^'
load('"')  # expect: ScannerError 'while scanning a quoted scalar\n  in "<unicode string>", line 1, column 1:\n    "\n    ^\nfound unexpected end of stream\n  in "<unicode string>", line 1, column 2:\n    "\n     ^'
load('{')  # expect: ParserError 'while parsing a flow node\nexpected the node content, but found \'<stream end>\'\n  in "<unicode string>", line 1, column 2:\n    {\n     ^'
load('}')  # expect: ParserError 'while parsing a block node\nexpected the node content, but found \'}\'\n  in "<unicode string>", line 1, column 1:\n    }\n    ^'
load(']')  # expect: ParserError 'while parsing a block node\nexpected the node content, but found \']\'\n  in "<unicode string>", line 1, column 1:\n    ]\n    ^'
load('?')  # expect: {None: None}
load('?a')  # expect: '?a'
load(':a')  # expect: ':a'
load('::')  # expect: {':': None}
load('-a')  # expect: '-a'
load('- a')  # expect: ['a']
load('a:')  # expect: {'a': None}
load('a: ')  # expect: {'a': None}
load('$HOME/{x}')  # expect: '$HOME/{x}'
load('{wildcard}')  # expect: {'wildcard': None}
load('{a}_b')  # expect: ParserError 'expected \'<document start>\', but found \'<scalar>\'\n  in "<unicode string>", line 1, column 4:\n    {a}_b\n       ^'
load('\\d+')  # expect: '\\d+'
load('0.0')  # expect: 0.0
load('1e400')  # expect: '1e400'
load('1.0e+400')  # expect: inf
load('-0.0')  # expect: -0.0
load('0.30000000000000004')  # expect: 0.30000000000000004
load('5e-324')  # expect: '5e-324'
