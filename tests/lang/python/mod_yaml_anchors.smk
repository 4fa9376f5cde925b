import yaml


def load(text, loader=yaml.SafeLoader):
    try:
        print(repr(yaml.load(text, Loader=loader)))
    except Exception as e:
        print(type(e).__name__, repr(str(e)))



load('a: &x 1\nb: *x')  # expect: {'a': 1, 'b': 1}
load('a: &x [1]\nb: *x')  # expect: {'a': [1], 'b': [1]}
load('- &x {a: 1}\n- *x')  # expect: [{'a': 1}, {'a': 1}]
load('*x')  # expect: ComposerError 'found undefined alias \'x\'\n  in "<unicode string>", line 1, column 1:\n    *x\n    ^'
load('a: *x')  # expect: ComposerError 'found undefined alias \'x\'\n  in "<unicode string>", line 1, column 4:\n    a: *x\n       ^'
load('a: &x 1\nb: &x 2')  # expect: ComposerError 'found duplicate anchor \'x\'; first occurrence\n  in "<unicode string>", line 1, column 4:\n    a: &x 1\n       ^\nsecond occurrence\n  in "<unicode string>", line 2, column 4:\n    b: &x 2\n       ^'
load('&a a: &b b')  # expect: {'a': 'b'}
load('&x [*x]')  # expect: [[...]]
load('&x {a: *x}')  # expect: {'a': {...}}
load('a: &x\nb: *x')  # expect: {'a': None, 'b': None}
load('&x\na: 1')  # expect: {'a': 1}
load('a: &x !!str 1\nb: *x')  # expect: {'a': '1', 'b': '1'}
load('a: !!str &x 1\nb: *x')  # expect: {'a': '1', 'b': '1'}
load('- &x a\n- {*x : 1}')  # expect: ['a', {'a': 1}]
load('- &x a\n- *x : 1\n')  # expect: ['a', {'a': 1}]
load('a: &x-y_1 2\nb: *x-y_1')  # expect: {'a': 2, 'b': 2}
load('a: & 1')  # expect: ScannerError 'while scanning an anchor\n  in "<unicode string>", line 1, column 4:\n    a: & 1\n       ^\nexpected alphabetic or numeric character, but found \' \'\n  in "<unicode string>", line 1, column 5:\n    a: & 1\n        ^'
load('a: * 1')  # expect: ScannerError 'while scanning an alias\n  in "<unicode string>", line 1, column 4:\n    a: * 1\n       ^\nexpected alphabetic or numeric character, but found \' \'\n  in "<unicode string>", line 1, column 5:\n    a: * 1\n        ^'
load('- &x 1\n---\n- *x')  # expect: ComposerError 'expected a single document in the stream\n  in "<unicode string>", line 1, column 1:\n    - &x 1\n    ^\nbut found another document\n  in "<unicode string>", line 2, column 1:\n    ---\n    ^'
load('&a !!set {x}')  # expect: {'x'}
