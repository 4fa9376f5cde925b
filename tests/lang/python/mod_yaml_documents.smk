import yaml


def load(text, loader=yaml.SafeLoader):
    try:
        print(repr(yaml.load(text, Loader=loader)))
    except Exception as e:
        print(type(e).__name__, repr(str(e)))


def load_all(text):
    try:
        print(list(yaml.safe_load_all(text)))
    except Exception as e:
        print(type(e).__name__, repr(str(e)))



load_all('')  # expect: []
load_all('a')  # expect: ['a']
load_all('--- a\n--- b')  # expect: ['a', 'b']
load_all('a: 1\n---\nb: 2\n...\n---\nc')  # expect: [{'a': 1}, {'b': 2}, 'c']
load_all('---\n---\n')  # expect: [None, None]
load_all('...\n')  # expect: ParserError 'while parsing a block node\nexpected the node content, but found \'<document end>\'\n  in "<unicode string>", line 1, column 1:\n    ...\n    ^'
load_all('--- |\n x\n--- >\n y\n')  # expect: ['x\n', 'y\n']
load_all('- 1\n---\n- &a 2\n---\n- *a')  # expect: ComposerError 'found undefined alias \'a\'\n  in "<unicode string>", line 5, column 3:\n    - *a\n      ^'
load_all('# only\n')  # expect: []
load_all('---')  # expect: [None]
load_all('a\n...\n# c\n...\nb')  # expect: ParserError 'expected \'<document start>\', but found \'<scalar>\'\n  in "<unicode string>", line 5, column 1:\n    b\n    ^'
load_all('%YAML 1.1\n--- a\n...\n%YAML 1.1\n--- b')  # expect: ['a', 'b']
