import yaml


def load(text, loader=yaml.SafeLoader):
    try:
        print(repr(yaml.load(text, Loader=loader)))
    except Exception as e:
        print(type(e).__name__, repr(str(e)))



load('<<: {a: 1}\nb: 2')  # expect: {'a': 1, 'b': 2}
load('b: 2\n<<: {a: 1}')  # expect: {'a': 1, 'b': 2}
load('a: 0\n<<: {a: 1, b: 2}')  # expect: {'a': 0, 'b': 2}
load('<<: {a: 1}\na: 0')  # expect: {'a': 0}
load('<<: [{a: 1}, {a: 2, b: 3}]\nc: 4')  # expect: {'a': 1, 'b': 3, 'c': 4}
load('base: &b {x: 1, y: 2}\nd:\n  <<: *b\n  y: 3')  # expect: {'base': {'x': 1, 'y': 2}, 'd': {'x': 1, 'y': 3}}
load('a: &a {x: 1}\nb: &b {<<: *a, y: 2}\nc: {<<: *b, z: 3}')  # expect: {'a': {'x': 1}, 'b': {'x': 1, 'y': 2}, 'c': {'x': 1, 'y': 2, 'z': 3}}
load('a: &a {x: 1}\nb: &b {x: 2, y: 2}\nc:\n  <<: [*a, *b]\n  z: 3')  # expect: {'a': {'x': 1}, 'b': {'x': 2, 'y': 2}, 'c': {'x': 1, 'y': 2, 'z': 3}}
load('a: &a {x: 1}\nb: &b {y: 2}\nc:\n  <<: *a\n  <<: *b')  # expect: {'a': {'x': 1}, 'b': {'y': 2}, 'c': {'x': 1, 'y': 2}}
load('<<: 1')  # expect: ConstructorError 'while constructing a mapping\n  in "<unicode string>", line 1, column 1:\n    <<: 1\n    ^\nexpected a mapping or list of mappings for merging, but found scalar\n  in "<unicode string>", line 1, column 5:\n    <<: 1\n        ^'
load('<<: ~')  # expect: ConstructorError 'while constructing a mapping\n  in "<unicode string>", line 1, column 1:\n    <<: ~\n    ^\nexpected a mapping or list of mappings for merging, but found scalar\n  in "<unicode string>", line 1, column 5:\n    <<: ~\n        ^'
load('<<:')  # expect: ConstructorError 'while constructing a mapping\n  in "<unicode string>", line 1, column 1:\n    <<:\n    ^\nexpected a mapping or list of mappings for merging, but found scalar\n  in "<unicode string>", line 1, column 4:\n    <<:\n       ^'
load('<<: []')  # expect: {}
load("'<<': {a: 1}")  # expect: {'<<': {'a': 1}}
load('"<<": 1')  # expect: {'<<': 1}
load('a: <<')  # expect: ConstructorError 'could not determine a constructor for the tag \'tag:yaml.org,2002:merge\'\n  in "<unicode string>", line 1, column 4:\n    a: <<\n       ^'
load('- <<')  # expect: ConstructorError 'could not determine a constructor for the tag \'tag:yaml.org,2002:merge\'\n  in "<unicode string>", line 1, column 3:\n    - <<\n      ^'
load('{<<: {a: 1}, b: 2}')  # expect: {'a': 1, 'b': 2}
load('<<: {}')  # expect: {}
load('? <<\n: {a: 1}')  # expect: {'a': 1}
load('x: &x {a: 1}\ny: {<<: *x}\nz: *x')  # expect: {'x': {'a': 1}, 'y': {'a': 1}, 'z': {'a': 1}}
load('<<: {1: a, yes: b}\n1: c')  # expect: {1: 'c'}
load('=: 1')  # expect: {'=': 1}
load('a: =')  # expect: ConstructorError 'could not determine a constructor for the tag \'tag:yaml.org,2002:value\'\n  in "<unicode string>", line 1, column 4:\n    a: =\n       ^'
load('[=]')  # expect: ConstructorError 'could not determine a constructor for the tag \'tag:yaml.org,2002:value\'\n  in "<unicode string>", line 1, column 2:\n    [=]\n     ^'
load('<<: {<<: {a: 1}, b: 2}\nc: 3')  # expect: {'a': 1, 'b': 2, 'c': 3}
load('defaults: &d\n  adapter: x\n  host: h\ndev:\n  <<: *d\n  database: dev\n  host: other\n')  # expect: {'defaults': {'adapter': 'x', 'host': 'h'}, 'dev': {'adapter': 'x', 'host': 'other', 'database': 'dev'}}
