import yaml


def load(text, loader=yaml.SafeLoader):
    try:
        print(repr(yaml.load(text, Loader=loader)))
    except Exception as e:
        print(type(e).__name__, repr(str(e)))



load('[1, a b]')  # expect: [1, 'a b']
load('[yes, x:y]')  # expect: [True, 'x:y']
load('[x: y, z]')  # expect: [{'x': 'y'}, 'z']
load('[{a: 1}, [b]]')  # expect: [{'a': 1}, ['b']]
load('[\'a\', "b"]')  # expect: ['a', 'b']
load('[a, b,c]')  # expect: ['a', 'b', 'c']
load('[~, ]')  # expect: [None]
load('[é, 1.5]')  # expect: ['é', 1.5]
load('[http://x, y]')  # expect: ['http://x', 'y']
load('[?a, -b]')  # expect: [{'a': None}, '-b']
load('[&x 1, *x]')  # expect: [1, 1]
load("[!!str 1, !!int '2']")  # expect: ['1', 2]
load('[a#b, c]')  # expect: ['a#b', 'c']
load('[{a, b}]')  # expect: [{'a': None, 'b': None}]
load('[{}, []]')  # expect: [{}, []]
load('[1:30, a:b]')  # expect: [90, 'a:b']
load('[2001-1-1, 0x1]')  # expect: ['2001-1-1', 1]
load('["a": 1, \'b\':2]')  # expect: [{'a': 1}, {'b': 2}]
load('[{"a":1}, {a:1}]')  # expect: [{'a': 1}, {'a:1': None}]
load('[{a: }, {b}]')  # expect: [{'a': None}, {'b': None}]
load('[{? a : b}, {? c}]')  # expect: [{'a': 'b'}, {'c': None}]
load('[a, b')  # expect: ParserError 'while parsing a flow sequence\n  in "<unicode string>", line 1, column 1:\n    [a, b\n    ^\nexpected \',\' or \']\', but got \'<stream end>\'\n  in "<unicode string>", line 1, column 6:\n    [a, b\n         ^'
load('[a b]')  # expect: ['a b']
load('[a,, b]')  # expect: ParserError 'while parsing a flow node\nexpected the node content, but found \',\'\n  in "<unicode string>", line 1, column 4:\n    [a,, b]\n       ^'
load('[,]')  # expect: ParserError 'while parsing a flow node\nexpected the node content, but found \',\'\n  in "<unicode string>", line 1, column 2:\n    [,]\n     ^'
load('[')  # expect: ParserError 'while parsing a flow node\nexpected the node content, but found \'<stream end>\'\n  in "<unicode string>", line 1, column 2:\n    [\n     ^'
load(']')  # expect: ParserError 'while parsing a block node\nexpected the node content, but found \']\'\n  in "<unicode string>", line 1, column 1:\n    ]\n    ^'
load('[a]]')  # expect: ParserError 'expected \'<document start>\', but found \']\'\n  in "<unicode string>", line 1, column 4:\n    [a]]\n       ^'
load('{a: 1, a: 2}')  # expect: {'a': 2}
load('{a: b: c}')  # expect: ParserError 'while parsing a flow mapping\n  in "<unicode string>", line 1, column 1:\n    {a: b: c}\n    ^\nexpected \',\' or \'}\', but got \':\'\n  in "<unicode string>", line 1, column 6:\n    {a: b: c}\n         ^'
load('{a, b: 1,}')  # expect: {'a': None, 'b': 1}
load('{[1]: 2}')  # expect: ConstructorError 'while constructing a mapping\n  in "<unicode string>", line 1, column 1:\n    {[1]: 2}\n    ^\nfound unhashable key\n  in "<unicode string>", line 1, column 2:\n    {[1]: 2}\n     ^'
load('{{a: 1}: 2}')  # expect: ConstructorError 'while constructing a mapping\n  in "<unicode string>", line 1, column 1:\n    {{a: 1}: 2}\n    ^\nfound unhashable key\n  in "<unicode string>", line 1, column 2:\n    {{a: 1}: 2}\n     ^'
load('[\n a,\n b\n]')  # expect: ['a', 'b']
load('{\n  a: 1,\n  b: [1,\n    2]\n}')  # expect: {'a': 1, 'b': [1, 2]}
load('[a\n b, c]')  # expect: ['a b', 'c']
load('[]\n[]')  # expect: ParserError 'expected \'<document start>\', but found \'[\'\n  in "<unicode string>", line 2, column 1:\n    []\n    ^'
