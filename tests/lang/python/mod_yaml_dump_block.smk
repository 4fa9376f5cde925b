import yaml


def dump(data, **options):
    try:
        print(repr(yaml.safe_dump(data, **options)))
    except Exception as e:
        print(type(e).__name__, str(e))



dump(None)  # expect: 'null\n...\n'
dump(True)  # expect: 'true\n...\n'
dump(False)  # expect: 'false\n...\n'
dump(0)  # expect: '0\n...\n'
dump(-5)  # expect: '-5\n...\n'
dump(12345678901234567890)  # expect: '12345678901234567890\n...\n'
dump(1.0)  # expect: '1.0\n...\n'
dump(-0.5)  # expect: '-0.5\n...\n'
dump(1e17)  # expect: '1.0e+17\n...\n'
dump(1.5e300)  # expect: '1.5e+300\n...\n'
dump(1e-7)  # expect: '1.0e-07\n...\n'
dump(float('nan'))  # expect: '.nan\n...\n'
dump(float('inf'))  # expect: '.inf\n...\n'
dump(-float('inf'))  # expect: '-.inf\n...\n'
dump('')  # expect: "''\n"
dump('a')  # expect: 'a\n...\n'
dump('yes')  # expect: "'yes'\n"
dump('No')  # expect: "'No'\n"
dump('true')  # expect: "'true'\n"
dump('null')  # expect: "'null'\n"
dump('~')  # expect: "'~'\n"
dump('1')  # expect: "'1'\n"
dump('1.5')  # expect: "'1.5'\n"
dump('1e3')  # expect: '1e3\n...\n'
dump('1.0e+3')  # expect: "'1.0e+3'\n"
dump('0x1')  # expect: "'0x1'\n"
dump('012')  # expect: "'012'\n"
dump('1:30')  # expect: "'1:30'\n"
dump('2001-01-01')  # expect: "'2001-01-01'\n"
dump('.inf')  # expect: "'.inf'\n"
dump('=')  # expect: "'='\n"
dump('<<')  # expect: "'<<'\n"
dump('!')  # expect: "'!'\n"
dump('&')  # expect: "'&'\n"
dump('*')  # expect: "'*'\n"
dump(' a')  # expect: "' a'\n"
dump('a ')  # expect: "'a '\n"
dump('a b')  # expect: 'a b\n...\n'
dump('a: b')  # expect: "'a: b'\n"
dump('a:b')  # expect: 'a:b\n...\n'
dump('a #b')  # expect: "'a #b'\n"
dump('a#b')  # expect: 'a#b\n...\n'
dump('#a')  # expect: "'#a'\n"
dump('- a')  # expect: "'- a'\n"
dump('-a')  # expect: '-a\n...\n'
dump('-')  # expect: "'-'\n"
dump('? a')  # expect: "'? a'\n"
dump('?')  # expect: "'?'\n"
dump(':')  # expect: "':'\n"
dump('a:')  # expect: "'a:'\n"
dump('[a]')  # expect: "'[a]'\n"
dump('{a}')  # expect: "'{a}'\n"
dump('a, b')  # expect: 'a, b\n...\n'
dump('a]b')  # expect: 'a]b\n...\n'
dump('%a')  # expect: "'%a'\n"
dump('@a')  # expect: "'@a'\n"
dump('`a')  # expect: "'`a'\n"
dump('|')  # expect: "'|'\n"
dump('>')  # expect: "'>'\n"
dump("it's")  # expect: "it's\n...\n"
dump("'")  # expect: "''''\n"
dump('"')  # expect: '\'"\'\n'
dump('"a" b')  # expect: '\'"a" b\'\n'
dump('a\nb')  # expect: "'a\n\n  b'\n"
dump('a\n')  # expect: "'a\n\n  '\n"
dump('\na')  # expect: "'\n\n  a'\n"
dump('a\n\nb')  # expect: "'a\n\n\n  b'\n"
dump('a \nb')  # expect: '"a \\nb"\n'
dump('a\n b')  # expect: '"a\\n b"\n'
dump('\t')  # expect: '"\\t"\n'
dump('a\tb')  # expect: '"a\\tb"\n'
dump('a\\b')  # expect: 'a\\b\n...\n'
dump('\x00')  # expect: '"\\0"\n'
dump('\x07')  # expect: '"\\a"\n'
dump('\x7f')  # expect: '"\\x7F"\n'
dump('\x85')  # expect: '"\\N"\n'
dump('\xa0')  # expect: '"\\_"\n'
dump('é')  # expect: '"\\xE9"\n'
dump('日本')  # expect: '"\\u65E5\\u672C"\n'
dump('😀')  # expect: '"\\U0001F600"\n'
dump('\u2028')  # expect: '"\\L"\n'
dump('\ufeff')  # expect: '"\\uFEFF"\n'
dump('---')  # expect: "'---'\n"
dump('--- a')  # expect: "'--- a'\n"
dump('...')  # expect: "'...'\n"
dump('a\rb')  # expect: '"a\\rb"\n'
dump(b'')  # expect: '!!binary ""\n'
dump(b'hello')  # expect: '!!binary |\n  aGVsbG8=\n'
dump(b'\xff' * 60)  # expect: '!!binary |\n  ////////////////////////////////////////////////////////////////////////////\n  ////\n'
dump('word ' * 30)  # expect: "'word word word word word word word word word word word word word word word word word\n  word word word word word word word word word word word word word '\n"
dump('x' * 200)  # expect: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n...\n'
dump('é ' * 60)  # expect: '"\\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9\\\n  \\ \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9\\\n  \\ \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9\\\n  \\ \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 \\xE9 "\n'
dump('a\nb ' * 20)  # expect: "'a\n\n  b a\n\n  b a\n\n  b a\n\n  b a\n\n  b a\n\n  b a\n\n  b a\n\n  b a\n\n  b a\n\n  b a\n\n  b a\n\n  b a\n\n  b a\n\n  b a\n\n  b a\n\n  b a\n\n  b a\n\n  b a\n\n  b a\n\n  b '\n"
dump('a  b ' * 20)  # expect: "'a  b a  b a  b a  b a  b a  b a  b a  b a  b a  b a  b a  b a  b a  b a  b a  b a  b\n  a  b a  b a  b '\n"
dump('\t' + 'word ' * 30)  # expect: '"\\tword word word word word word word word word word word word word word word word\\\n  \\ word word word word word word word word word word word word word word "\n'
dump('it' + "'" * 3)  # expect: "it'''\n...\n"
dump([])  # expect: '[]\n'
dump({})  # expect: '{}\n'
dump(())  # expect: '[]\n'
dump([1, 'a'])  # expect: '- 1\n- a\n'
dump((1, 2))  # expect: '- 1\n- 2\n'
dump({'a': 1})  # expect: 'a: 1\n'
dump({1: 2, 'b': None})  # expect: '1: 2\nb: null\n'
dump({None: 1})  # expect: 'null: 1\n'
dump({'a': [1, 2], 'b': {'c': []}})  # expect: 'a:\n- 1\n- 2\nb:\n  c: []\n'
dump([[1, [2]], []])  # expect: '- - 1\n  - - 2\n- []\n'
dump([{'a': 1, 'b': 2}, {'c': [3]}])  # expect: '- a: 1\n  b: 2\n- c:\n  - 3\n'
dump({'a': {'b': {'c': {'d': 1}}}})  # expect: 'a:\n  b:\n    c:\n      d: 1\n'
dump({'b': 1, 'a': 2})  # expect: 'a: 2\nb: 1\n'
dump({2: 1, 10: 1})  # expect: '2: 1\n10: 1\n'
dump({'x y': 1, 'a: b': 2, '': 3, 'yes': 4})  # expect: "? ''\n: 3\n'a: b': 2\nx y: 1\n'yes': 4\n"
dump({'k' * 130: 1})  # expect: '? kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk\n: 1\n'
dump({'k\nl': 1})  # expect: "? 'k\n\n  l'\n: 1\n"
dump({(1, 2): 3})  # expect: '? - 1\n  - 2\n: 3\n'
dump({'a': 'x\ny\n', 'b': ' z'})  # expect: "a: 'x\n\n  y\n\n  '\nb: ' z'\n"
dump({'a': ['x' * 50, 'y' * 50]})  # expect: 'a:\n- xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n- yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\n'
dump(set())  # expect: '!!set {}\n'
dump({'one'})  # expect: '!!set\none: null\n'
dump([None, [None]])  # expect: '- null\n- - null\n'
dump({'a': {}, 'b': []})  # expect: 'a: {}\nb: []\n'
dump(1 + 2j)  # expect: RepresenterError ('cannot represent an object', (1+2j))
dump({'path': 'results/{sample}.bam', 'url': 'http://x/y'})  # expect: 'path: results/{sample}.bam\nurl: http://x/y\n'
dump([[[]]])  # expect: '- - []\n'
dump([{}])  # expect: '- {}\n'
dump({'a': ()})  # expect: 'a: []\n'
dump([True, 'True'])  # expect: "- true\n- 'True'\n"
dump('multi word: value # c')  # expect: "'multi word: value # c'\n"
