import yaml


def trip(text):
    data = yaml.safe_load(text)
    again = yaml.safe_dump(data)
    print(yaml.safe_load(again) == data, repr(again))



trip("a: [1, {b: ~}]\nc: 'x: y'")  # expect: True "a:\n- 1\n- b: null\nc: 'x: y'\n"
trip('- |\n  block\n  text\n- >-\n  folded\n  text\n')  # expect: True "- 'block\n\n  text\n\n  '\n- folded text\n"
trip('{1: 2, yes: no, ~: ~}')  # expect: True '1: false\nnull: null\n'
trip('? a b\n: - c\n  - d: e\n')  # expect: True 'a b:\n- c\n- d: e\n'
trip('x: 2001-01-01\ny: 2001-12-14 21:59:43')  # expect: True 'x: 2001-01-01\ny: 2001-12-14 21:59:43\n'
trip('a: &x {k: v}\nb: *x')  # expect: True 'a: &id001\n  k: v\nb: *id001\n'
trip('- \'\'\n- \' \'\n- "\\n"\n- "\\t"')  # expect: True '- \'\'\n- \' \'\n- \'\n\n  \'\n- "\\t"\n'
trip('!!set {a}')  # expect: True '!!set\na: null\n'
trip('!!binary aGVsbG8=')  # expect: True '!!binary |\n  aGVsbG8=\n'
trip('[1.0, 1e3, 1.0e+3, .inf]')  # expect: True '- 1.0\n- 1e3\n- 1000.0\n- .inf\n'
