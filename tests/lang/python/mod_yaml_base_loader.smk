import yaml


def load(text, loader=yaml.SafeLoader):
    try:
        print(repr(yaml.load(text, Loader=loader)))
    except Exception as e:
        print(type(e).__name__, repr(str(e)))



load('1', yaml.BaseLoader)  # expect: '1'
load('yes', yaml.BaseLoader)  # expect: 'yes'
load('~', yaml.BaseLoader)  # expect: '~'
load('', yaml.BaseLoader)  # expect: None
load('a: 1\nb: [no, 0x1, ~]', yaml.BaseLoader)  # expect: {'a': '1', 'b': ['no', '0x1', '~']}
load('!!int 1', yaml.BaseLoader)  # expect: '1'
load('!x {a: !y b}', yaml.BaseLoader)  # expect: {'a': 'b'}
load('<<: {a: 1}\nb: 2', yaml.BaseLoader)  # expect: {'<<': {'a': '1'}, 'b': '2'}
load('2001-01-01', yaml.BaseLoader)  # expect: '2001-01-01'
load('a:', yaml.BaseLoader)  # expect: {'a': ''}
load("'q'", yaml.BaseLoader)  # expect: 'q'
load('[1, *x]', yaml.BaseLoader)  # expect: ComposerError 'found undefined alias \'x\'\n  in "<unicode string>", line 1, column 5:\n    [1, *x]\n        ^'
load('[&x 1, *x]', yaml.BaseLoader)  # expect: ['1', '1']
load('{a: 1}', yaml.BaseLoader)  # expect: {'a': '1'}
load('1: {2: 3}', yaml.BaseLoader)  # expect: {'1': {'2': '3'}}
