import yaml


def load(text, loader=yaml.SafeLoader):
    try:
        print(repr(yaml.load(text, Loader=loader)))
    except Exception as e:
        print(type(e).__name__, repr(str(e)))



load('!!python/tuple [1, [2]]', yaml.FullLoader)  # expect: (1, [2])
load('!!python/none', yaml.FullLoader)  # expect: None
load('!!python/str 1', yaml.FullLoader)  # expect: '1'
load("!!python/int '3'", yaml.FullLoader)  # expect: 3
load('!!python/float 2', yaml.FullLoader)  # expect: 2.0
load('!!python/bool no', yaml.FullLoader)  # expect: False
load('!!python/complex 1+2j', yaml.FullLoader)  # expect: (1+2j)
load('!!python/list [1]', yaml.FullLoader)  # expect: [1]
load('!!python/dict {a: 1}', yaml.FullLoader)  # expect: {'a': 1}
load('? !!python/tuple [1, 2]\n: x', yaml.FullLoader)  # expect: {(1, 2): 'x'}
load('a: yes\nb: 1:30', yaml.FullLoader)  # expect: {'a': True, 'b': 90}
load('!!python/tuple x', yaml.FullLoader)  # expect: ConstructorError 'expected a sequence node, but found scalar\n  in "<unicode string>", line 1, column 1:\n    !!python/tuple x\n    ^'
load('{[1]: 2}', yaml.FullLoader)  # expect: ConstructorError 'while constructing a mapping\n  in "<unicode string>", line 1, column 1:\n    {[1]: 2}\n    ^\nfound unhashable key\n  in "<unicode string>", line 1, column 2:\n    {[1]: 2}\n     ^'
load('!x 1', yaml.FullLoader)  # expect: ConstructorError 'could not determine a constructor for the tag \'!x\'\n  in "<unicode string>", line 1, column 1:\n    !x 1\n    ^'
