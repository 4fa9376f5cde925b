import yaml


def dump(data, **options):
    try:
        print(repr(yaml.safe_dump(data, **options)))
    except Exception as e:
        print(type(e).__name__, str(e))



dump(None, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: 'null\n...\n'
dump(True, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: 'true\n...\n'
dump(False, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: 'false\n...\n'
dump(0, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '0\n...\n'
dump(-5, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '-5\n...\n'
dump(12345678901234567890, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '12345678901234567890\n...\n'
dump(1.0, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '1.0\n...\n'
dump(-0.5, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '-0.5\n...\n'
dump(1e17, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '1.0e+17\n...\n'
dump(1.5e300, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '1.5e+300\n...\n'
dump(1e-7, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '1.0e-07\n...\n'
dump(float('nan'), default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '.nan\n...\n'
dump(float('inf'), default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '.inf\n...\n'
dump(-float('inf'), default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '-.inf\n...\n'
dump('', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "''\n"
dump('a', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: 'a\n...\n'
dump('yes', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'yes'\n"
dump('No', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'No'\n"
dump('true', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'true'\n"
dump('null', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'null'\n"
dump('~', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'~'\n"
dump('1', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'1'\n"
dump('1.5', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'1.5'\n"
dump('1e3', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '1e3\n...\n'
dump('1.0e+3', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'1.0e+3'\n"
dump('0x1', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'0x1'\n"
dump('012', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'012'\n"
dump('1:30', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'1:30'\n"
dump('2001-01-01', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'2001-01-01'\n"
dump('.inf', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'.inf'\n"
dump('=', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'='\n"
dump('<<', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'<<'\n"
dump('!', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'!'\n"
dump('&', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'&'\n"
dump('*', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'*'\n"
dump(' a', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "' a'\n"
dump('a ', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'a '\n"
dump('a b', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: 'a b\n...\n'
dump('a: b', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'a: b'\n"
dump('a:b', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: 'a:b\n...\n'
dump('a #b', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'a #b'\n"
dump('a#b', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: 'a#b\n...\n'
dump('#a', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'#a'\n"
dump('- a', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'- a'\n"
dump('-a', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '-a\n...\n'
dump('-', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'-'\n"
dump('? a', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'? a'\n"
dump('?', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'?'\n"
dump(':', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "':'\n"
dump('a:', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'a:'\n"
dump('[a]', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'[a]'\n"
dump('{a}', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'{a}'\n"
dump('a, b', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: 'a, b\n...\n'
dump('a]b', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: 'a]b\n...\n'
dump('%a', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'%a'\n"
dump('@a', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'@a'\n"
dump('`a', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'`a'\n"
dump('|', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'|'\n"
dump('>', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'>'\n"
dump("it's", default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "it's\n...\n"
dump("'", default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "''''\n"
dump('"', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '\'"\'\n'
dump('"a" b', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '\'"a" b\'\n'
dump('a\nb', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'a\n\n  b'\n"
dump('a\n', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'a\n\n  '\n"
dump('\na', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'\n\n  a'\n"
dump('a\n\nb', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'a\n\n\n  b'\n"
dump('a \nb', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '"a \\nb"\n'
dump('a\n b', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '"a\\n b"\n'
dump('\t', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '"\\t"\n'
dump('a\tb', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '"a\\tb"\n'
dump('a\\b', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: 'a\\b\n...\n'
dump('\x00', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '"\\0"\n'
dump('\x07', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '"\\a"\n'
dump('\x7f', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '"\\x7F"\n'
dump('\x85', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'\x85  '\n"
dump('\xa0', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '\xa0\n...\n'
dump('é', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: 'é\n...\n'
dump('日本', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '日本\n...\n'
dump('😀', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '😀\n...\n'
dump('\u2028', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'\u2028  '\n"
dump('\ufeff', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '"\\uFEFF"\n'
dump('---', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'---'\n"
dump('--- a', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'--- a'\n"
dump('...', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'...'\n"
dump('a\rb', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '"a\\rb"\n'
dump(b'', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '!!binary ""\n'
dump(b'hello', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '!!binary |\n  aGVsbG8=\n'
dump(b'\xff' * 60, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '!!binary |\n  ////////////////////////////////////////////////////////////////////////////\n  ////\n'
dump('word ' * 30, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'word word word word word word word word word word word word word word word word word\n  word word word word word word word word word word word word word '\n"
dump('x' * 200, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n...\n'
dump('é ' * 60, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'é é é é é é é é é é é é é é é é é é é é é é é é é é é é é é é é é é é é é é é é é\n  é é é é é é é é é é é é é é é é é é é '\n"
dump('a\nb ' * 20, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'a\n\n  b a\n\n  b a\n\n  b a\n\n  b a\n\n  b a\n\n  b a\n\n  b a\n\n  b a\n\n  b a\n\n  b a\n\n  b a\n\n  b a\n\n  b a\n\n  b a\n\n  b a\n\n  b a\n\n  b a\n\n  b a\n\n  b a\n\n  b '\n"
dump('a  b ' * 20, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'a  b a  b a  b a  b a  b a  b a  b a  b a  b a  b a  b a  b a  b a  b a  b a  b a  b\n  a  b a  b a  b '\n"
dump('\t' + 'word ' * 30, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '"\\tword word word word word word word word word word word word word word word word\\\n  \\ word word word word word word word word word word word word word word "\n'
dump('it' + "'" * 3, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "it'''\n...\n"
dump([], default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '[]\n'
dump({}, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '{}\n'
dump((), default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '[]\n'
dump([1, 'a'], default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '[1, a]\n'
dump((1, 2), default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '[1, 2]\n'
dump({'a': 1}, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '{a: 1}\n'
dump({1: 2, 'b': None}, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '{1: 2, b: null}\n'
dump({None: 1}, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '{null: 1}\n'
dump({'a': [1, 2], 'b': {'c': []}}, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: 'a: [1, 2]\nb:\n  c: []\n'
dump([[1, [2]], []], default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '- - 1\n  - [2]\n- []\n'
dump([{'a': 1, 'b': 2}, {'c': [3]}], default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '- {a: 1, b: 2}\n- c: [3]\n'
dump({'a': {'b': {'c': {'d': 1}}}}, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: 'a:\n  b:\n    c: {d: 1}\n'
dump({'b': 1, 'a': 2}, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '{b: 1, a: 2}\n'
dump({2: 1, 10: 1}, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '{2: 1, 10: 1}\n'
dump({'x y': 1, 'a: b': 2, '': 3, 'yes': 4}, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "{x y: 1, 'a: b': 2, ? '' : 3, 'yes': 4}\n"
dump({'k' * 130: 1}, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '{? kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk\n  : 1}\n'
dump({'k\nl': 1}, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "{? 'k\n\n    l' : 1}\n"
dump({(1, 2): 3}, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '? [1, 2]\n: 3\n'
dump({'a': 'x\ny\n', 'b': ' z'}, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "{a: 'x\n\n    y\n\n    ', b: ' z'}\n"
dump({'a': ['x' * 50, 'y' * 50]}, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: 'a: [xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx, yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy]\n'
dump(set(), default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '!!set {}\n'
dump({'one'}, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '!!set {one: null}\n'
dump([None, [None]], default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '- null\n- [null]\n'
dump({'a': {}, 'b': []}, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: 'a: {}\nb: []\n'
dump(1 + 2j, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: RepresenterError ('cannot represent an object', (1+2j))
dump({'path': 'results/{sample}.bam', 'url': 'http://x/y'}, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "{path: 'results/{sample}.bam', url: 'http://x/y'}\n"
dump([[[]]], default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '- - []\n'
dump([{}], default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: '- {}\n'
dump({'a': ()}, default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: 'a: []\n'
dump([True, 'True'], default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "[true, 'True']\n"
dump('multi word: value # c', default_flow_style=None, sort_keys=False, allow_unicode=True)  # expect: "'multi word: value # c'\n"
