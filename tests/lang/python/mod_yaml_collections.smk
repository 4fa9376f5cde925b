import yaml


def load(text, loader=yaml.SafeLoader):
    try:
        print(repr(yaml.load(text, Loader=loader)))
    except Exception as e:
        print(type(e).__name__, repr(str(e)))



load('a: 1')  # expect: {'a': 1}
load('a: 1\nb: 2')  # expect: {'a': 1, 'b': 2}
load('a:\n  b:\n    c: 1')  # expect: {'a': {'b': {'c': 1}}}
load('- 1\n- 2')  # expect: [1, 2]
load('- - 1\n  - 2\n- - 3')  # expect: [[1, 2], [3]]
load('a:\n- 1\n- 2')  # expect: {'a': [1, 2]}
load('a:\n  - 1\n  - 2\nb: 3')  # expect: {'a': [1, 2], 'b': 3}
load('- a: 1\n  b: 2\n- c: 3')  # expect: [{'a': 1, 'b': 2}, {'c': 3}]
load('- a:\n    - 1\n  b:\n  - 2')  # expect: [{'a': [1], 'b': [2]}]
load('a:\nb:')  # expect: {'a': None, 'b': None}
load('-\n-')  # expect: [None, None]
load('- \n- x')  # expect: [None, 'x']
load('a: {b: 1}\nc: [d, e]')  # expect: {'a': {'b': 1}, 'c': ['d', 'e']}
load('? a\n: b')  # expect: {'a': 'b'}
load('? a')  # expect: {'a': None}
load('? [1, 2]\n: x')  # expect: ConstructorError 'while constructing a mapping\n  in "<unicode string>", line 1, column 1:\n    ? [1, 2]\n    ^\nfound unhashable key\n  in "<unicode string>", line 1, column 3:\n    ? [1, 2]\n      ^'
load('? |\n  k\n: v')  # expect: {'k\n': 'v'}
load("1: a\n1.5: b\nyes: c\n~: d\n'1': e")  # expect: {1: 'c', 1.5: 'b', None: 'd', '1': 'e'}
load('a: 1\na: 2')  # expect: {'a': 2}
load('b: 1\na: 2\nb: 3')  # expect: {'b': 3, 'a': 2}
load('a : 1')  # expect: {'a': 1}
load('a:   1   ')  # expect: {'a': 1}
load("'a' : 1")  # expect: {'a': 1}
load('# c\na: 1 # d\n# e\n')  # expect: {'a': 1}
load('a: 1\n\n\nb: 2\n')  # expect: {'a': 1, 'b': 2}
load('a: 1\r\nb: 2\r\n')  # expect: {'a': 1, 'b': 2}
load('\n\na: 1')  # expect: {'a': 1}
load('%YAML 1.1\n---\na: 1')  # expect: {'a': 1}
load('%YAML 1.2\n---\na: yes')  # expect: {'a': True}
load('%TAG ! tag:x,2000:\n---\na: !!str 1')  # expect: {'a': '1'}
load('--- a')  # expect: 'a'
load('---\na: 1\n...')  # expect: {'a': 1}
load('--- {a: 1}')  # expect: {'a': 1}
load('---\n- 1\n---\n- 2')  # expect: ComposerError 'expected a single document in the stream\n  in "<unicode string>", line 2, column 1:\n    - 1\n    ^\nbut found another document\n  in "<unicode string>", line 3, column 1:\n    ---\n    ^'
load('a: 1\n---\nb: 2')  # expect: ComposerError 'expected a single document in the stream\n  in "<unicode string>", line 1, column 1:\n    a: 1\n    ^\nbut found another document\n  in "<unicode string>", line 2, column 1:\n    ---\n    ^'
load('a: 1\n...\nb: 2')  # expect: ParserError 'expected \'<document start>\', but found \'<block mapping start>\'\n  in "<unicode string>", line 3, column 1:\n    b: 2\n    ^'
load('\ufeffa: 1')  # expect: {'a': 1}
load('a: b: c')  # expect: ScannerError 'mapping values are not allowed here\n  in "<unicode string>", line 1, column 5:\n    a: b: c\n        ^'
load('a: 1\n b: 2')  # expect: ScannerError 'mapping values are not allowed here\n  in "<unicode string>", line 2, column 3:\n     b: 2\n      ^'
load('a:\n    b: 1\n  c: 2')  # expect: ParserError 'while parsing a block mapping\n  in "<unicode string>", line 1, column 1:\n    a:\n    ^\nexpected <block end>, but found \'<block mapping start>\'\n  in "<unicode string>", line 3, column 3:\n      c: 2\n      ^'
load('a:\n  - 1\n - 2')  # expect: ParserError 'while parsing a block mapping\n  in "<unicode string>", line 1, column 1:\n    a:\n    ^\nexpected <block end>, but found \'<block sequence start>\'\n  in "<unicode string>", line 3, column 2:\n     - 2\n     ^'
load('- 1\n  - 2')  # expect: ['1 - 2']
load('- 1\n2')  # expect: ScannerError 'while scanning a simple key\n  in "<unicode string>", line 2, column 1:\n    2\n    ^\ncould not find expected \':\'\n  in "<unicode string>", line 2, column 2:\n    2\n     ^'
load('a: 1\n- 2')  # expect: ParserError 'while parsing a block mapping\n  in "<unicode string>", line 1, column 1:\n    a: 1\n    ^\nexpected <block end>, but found \'-\'\n  in "<unicode string>", line 2, column 1:\n    - 2\n    ^'
load('a\nb: 1')  # expect: ScannerError 'mapping values are not allowed here\n  in "<unicode string>", line 2, column 2:\n    b: 1\n     ^'
load("a: 'x'\n  'y'")  # expect: ParserError 'while parsing a block mapping\n  in "<unicode string>", line 1, column 1:\n    a: \'x\'\n    ^\nexpected <block end>, but found \'<scalar>\'\n  in "<unicode string>", line 2, column 3:\n      \'y\'\n      ^'
load('key: [1, 2\nb: 3')  # expect: ParserError 'while parsing a flow sequence\n  in "<unicode string>", line 1, column 6:\n    key: [1, 2\n         ^\nexpected \',\' or \']\', but got \':\'\n  in "<unicode string>", line 2, column 2:\n    b: 3\n     ^'
load('\ta: 1')  # expect: ScannerError 'while scanning for the next token\nfound character \'\\t\' that cannot start any token\n  in "<unicode string>", line 1, column 1:\n    \ta: 1\n    ^'
load('a:\n\tb: 1')  # expect: ScannerError 'while scanning for the next token\nfound character \'\\t\' that cannot start any token\n  in "<unicode string>", line 2, column 1:\n    \tb: 1\n    ^'
load('a: - b')  # expect: ScannerError 'sequence entries are not allowed here\n  in "<unicode string>", line 1, column 4:\n    a: - b\n       ^'
load('a:1')  # expect: 'a:1'
load('{a: 1}: 2')  # expect: ConstructorError 'while constructing a mapping\nfound unhashable key\n  in "<unicode string>", line 1, column 1:\n    {a: 1}: 2\n    ^'
load('[1]: 2')  # expect: ConstructorError 'while constructing a mapping\nfound unhashable key\n  in "<unicode string>", line 1, column 1:\n    [1]: 2\n    ^'
load('a: ! 12')  # expect: {'a': 12}
load('samples:\n  A: data/A.fq\n  B: data/B.fq\nthreads: 8\nparams:\n  extra: "-k 31"\n  list: [1, 2.5, x]\n')  # expect: {'samples': {'A': 'data/A.fq', 'B': 'data/B.fq'}, 'threads': 8, 'params': {'extra': '-k 31', 'list': [1, 2.5, 'x']}}
load('a: 1\x07')  # expect: ReaderError 'unacceptable character #x0007: special characters are not allowed\n  in "<unicode string>", position 4'
load('a: \x00')  # expect: ReaderError 'unacceptable character #x0000: special characters are not allowed\n  in "<unicode string>", position 3'
load('a: \x80')  # expect: ReaderError 'unacceptable character #x0080: special characters are not allowed\n  in "<unicode string>", position 3'
load('a: \x9f')  # expect: ReaderError 'unacceptable character #x009f: special characters are not allowed\n  in "<unicode string>", position 3'
load("[" * 100000 + "]" * 100000)  # expect: RecursionError 'maximum recursion depth exceeded'
