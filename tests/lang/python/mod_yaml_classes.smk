import yaml
from yaml import SafeLoader, YAMLError
from yaml.scanner import ScannerError
import yaml.constructor


class Mine(yaml.SafeLoader):
    pass


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __repr__(self):
        return f"Point({self.x}, {self.y})"


Mine.add_constructor("!point", lambda loader, node: Point(*loader.construct_sequence(node)))
Mine.add_constructor("!named", lambda loader, node: Point(**loader.construct_mapping(node, deep=True)))
yaml.add_constructor("!upper", lambda loader, node: loader.construct_scalar(node).upper(), Loader=Mine)
Mine.add_multi_constructor("!m/", lambda loader, suffix, node: (suffix, node.tag))
Mine.add_constructor("tag:yaml.org,2002:float", lambda loader, node: "float " + node.value)


class Quiet(yaml.SafeDumper):
    def ignore_aliases(self, data):
        return True


class Indented(yaml.Dumper):
    def increase_indent(self, flow=False, indentless=False):
        return super().increase_indent(flow, False)


class Styled(yaml.SafeDumper):
    pass


Styled.add_representer(str, lambda d, s: d.represent_scalar("tag:yaml.org,2002:str", s, style="|" if "\n" in s else None))
Styled.add_representer(Point, lambda d, p: d.represent_sequence("!point", [p.x, p.y], flow_style=True))
Styled.add_representer(type(None), lambda d, n: d.represent_scalar("tag:yaml.org,2002:null", ""))
shared = [1]


def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__, repr(str(e)))



t(lambda: yaml.load('- !point [1, 2]\n- !upper abc\n- !m/x [1]\n- 1.5\n', Loader=Mine))  # expect: [Point(1, 2), 'ABC', ('x', '!m/x'), 'float 1.5']
t(lambda: yaml.load('!named {x: 1, y: [2]}', Loader=Mine))  # expect: Point(1, [2])
t(lambda: yaml.load('!point x', Loader=Mine))  # expect: ConstructorError 'expected a sequence node, but found scalar\n  in "<unicode string>", line 1, column 1:\n    !point x\n    ^'
t(lambda: yaml.load('!upper [x]', Loader=Mine))  # expect: ConstructorError 'expected a scalar node, but found sequence\n  in "<unicode string>", line 1, column 1:\n    !upper [x]\n    ^'
t(lambda: yaml.load('!other x', Loader=Mine))  # expect: ConstructorError 'could not determine a constructor for the tag \'!other\'\n  in "<unicode string>", line 1, column 1:\n    !other x\n    ^'
t(lambda: yaml.safe_load('!upper x'))  # expect: ConstructorError 'could not determine a constructor for the tag \'!upper\'\n  in "<unicode string>", line 1, column 1:\n    !upper x\n    ^'
t(lambda: yaml.load('1'))  # expect: TypeError "load() missing 1 required positional argument: 'Loader'"
t(lambda: yaml.load('[1, yes]', SafeLoader))  # expect: [1, True]
t(lambda: yaml.load('[1, yes]', Loader=yaml.Loader))  # expect: [1, True]
t(lambda: yaml.full_load('!!python/tuple [1]'))  # expect: (1,)
t(lambda: issubclass(ScannerError, YAMLError))  # expect: True
t(lambda: issubclass(yaml.constructor.ConstructorError, yaml.MarkedYAMLError))  # expect: True
t(lambda: yaml.dump([shared, shared], Dumper=Quiet))  # expect: '- - 1\n- - 1\n'
t(lambda: yaml.dump({'a': {'b': [1, {'c': [2]}]}}, Dumper=Indented))  # expect: 'a:\n  b:\n    - 1\n    - c:\n        - 2\n'
t(lambda: yaml.dump({'a': 'x\ny\n', 'b': 'z', 'n': None, 'p': Point(1, 2)}, Dumper=Styled))  # expect: 'a: |\n  x\n  y\nb: z\nn:\np: !point [1, 2]\n'
t(lambda: yaml.dump(['a\n', None], Dumper=Styled, default_flow_style=True))  # expect: '["a\\n", !!null \'\']\n'
t(lambda: yaml.safe_dump([1, (2, 3)]))  # expect: '- 1\n- - 2\n  - 3\n'
t(lambda: yaml.dump_all([1, 'a', [2]]))  # expect: '1\n--- a\n---\n- 2\n'
t(lambda: yaml.safe_dump_all([{'a': 1}, {'b': 2}]))  # expect: 'a: 1\n---\nb: 2\n'
t(lambda: yaml.safe_dump_all([]))  # expect: ''
t(lambda: yaml.dump_all(['a', 'b'], explicit_start=True))  # expect: '--- a\n--- b\n...\n'


import collections, enum


class Colour(enum.Enum):
    RED, GREEN = 1, 2


Place = collections.namedtuple("Place", "x y")
t(lambda: yaml.dump({"a": Colour.GREEN, "p": Place(1, "b")}))
# expect: 'a: !!python/object/apply:__main__.Colour\n- 2\np: !!python/object/new:__main__.Place\n- 1\n- b\n'
