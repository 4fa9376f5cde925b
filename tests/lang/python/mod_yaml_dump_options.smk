import yaml


def dump(data, **options):
    try:
        print(repr(yaml.safe_dump(data, **options)))
    except Exception as e:
        print(type(e).__name__, str(e))



dump({'b': [1, {'c': 'x'}], 'a': 'é', 'l': ['long word ' * 8, 'yes']}, indent=4)  # expect: 'a: "\\xE9"\nb:\n- 1\n-   c: x\nl:\n- \'long word long word long word long word long word long word long word long word \'\n- \'yes\'\n'
dump({'b': [1, {'c': 'x'}], 'a': 'é', 'l': ['long word ' * 8, 'yes']}, indent=4, default_flow_style=True)  # expect: '{a: "\\xE9", b: [1, {c: x}], l: [\'long word long word long word long word long word\n            long word long word long word \', \'yes\']}\n'
dump({'b': [1, {'c': 'x'}], 'a': 'é', 'l': ['long word ' * 8, 'yes']}, indent=8)  # expect: 'a: "\\xE9"\nb:\n- 1\n-       c: x\nl:\n- \'long word long word long word long word long word long word long word long word \'\n- \'yes\'\n'
dump({'b': [1, {'c': 'x'}], 'a': 'é', 'l': ['long word ' * 8, 'yes']}, indent=1)  # expect: 'a: "\\xE9"\nb:\n- 1\n- c: x\nl:\n- \'long word long word long word long word long word long word long word long word \'\n- \'yes\'\n'
dump({'b': [1, {'c': 'x'}], 'a': 'é', 'l': ['long word ' * 8, 'yes']}, indent=20)  # expect: 'a: "\\xE9"\nb:\n- 1\n- c: x\nl:\n- \'long word long word long word long word long word long word long word long word \'\n- \'yes\'\n'
dump({'b': [1, {'c': 'x'}], 'a': 'é', 'l': ['long word ' * 8, 'yes']}, width=20)  # expect: 'a: "\\xE9"\nb:\n- 1\n- c: x\nl:\n- \'long word long word\n  long word long word\n  long word long word\n  long word long word \'\n- \'yes\'\n'
dump({'b': [1, {'c': 'x'}], 'a': 'é', 'l': ['long word ' * 8, 'yes']}, width=1000)  # expect: 'a: "\\xE9"\nb:\n- 1\n- c: x\nl:\n- \'long word long word long word long word long word long word long word long word \'\n- \'yes\'\n'
dump({'b': [1, {'c': 'x'}], 'a': 'é', 'l': ['long word ' * 8, 'yes']}, width=20, default_flow_style=True)  # expect: '{a: "\\xE9", b: [1, {c: x}],\n  l: [\'long word long\n      word long word long\n      word long word long\n      word long word long\n      word \', \'yes\']}\n'
dump({'b': [1, {'c': 'x'}], 'a': 'é', 'l': ['long word ' * 8, 'yes']}, width=float('inf'))  # expect: 'a: "\\xE9"\nb:\n- 1\n- c: x\nl:\n- \'long word long word long word long word long word long word long word long word \'\n- \'yes\'\n'
dump({'b': [1, {'c': 'x'}], 'a': 'é', 'l': ['long word ' * 8, 'yes']}, sort_keys=False)  # expect: 'b:\n- 1\n- c: x\na: "\\xE9"\nl:\n- \'long word long word long word long word long word long word long word long word \'\n- \'yes\'\n'
dump({'b': [1, {'c': 'x'}], 'a': 'é', 'l': ['long word ' * 8, 'yes']}, allow_unicode=True)  # expect: "a: é\nb:\n- 1\n- c: x\nl:\n- 'long word long word long word long word long word long word long word long word '\n- 'yes'\n"
dump({'b': [1, {'c': 'x'}], 'a': 'é', 'l': ['long word ' * 8, 'yes']}, explicit_start=True)  # expect: '---\na: "\\xE9"\nb:\n- 1\n- c: x\nl:\n- \'long word long word long word long word long word long word long word long word \'\n- \'yes\'\n'
dump({'b': [1, {'c': 'x'}], 'a': 'é', 'l': ['long word ' * 8, 'yes']}, explicit_end=True)  # expect: 'a: "\\xE9"\nb:\n- 1\n- c: x\nl:\n- \'long word long word long word long word long word long word long word long word \'\n- \'yes\'\n...\n'
dump({'b': [1, {'c': 'x'}], 'a': 'é', 'l': ['long word ' * 8, 'yes']}, explicit_start=True, explicit_end=True)  # expect: '---\na: "\\xE9"\nb:\n- 1\n- c: x\nl:\n- \'long word long word long word long word long word long word long word long word \'\n- \'yes\'\n...\n'
dump({'b': [1, {'c': 'x'}], 'a': 'é', 'l': ['long word ' * 8, 'yes']}, default_style='"')  # expect: '"a": "\\xE9"\n"b":\n- !!int "1"\n- "c": "x"\n"l":\n- "long word long word long word long word long word long word long word long word "\n- "yes"\n'
dump({'b': [1, {'c': 'x'}], 'a': 'é', 'l': ['long word ' * 8, 'yes']}, default_style="'")  # expect: '\'a\': "\\xE9"\n\'b\':\n- !!int \'1\'\n- \'c\': \'x\'\n\'l\':\n- \'long word long word long word long word long word long word long word long word \'\n- \'yes\'\n'
dump({'b': [1, {'c': 'x'}], 'a': 'é', 'l': ['long word ' * 8, 'yes']}, default_style='|')  # expect: '"a": "\\xE9"\n"b":\n- !!int |-\n  1\n- "c": |-\n    x\n"l":\n- "long word long word long word long word long word long word long word long word "\n- |-\n  yes\n'
dump({'b': [1, {'c': 'x'}], 'a': 'é', 'l': ['long word ' * 8, 'yes']}, default_style='>')  # expect: '"a": "\\xE9"\n"b":\n- !!int >-\n  1\n- "c": >-\n    x\n"l":\n- "long word long word long word long word long word long word long word long word "\n- >-\n  yes\n'
dump({'b': [1, {'c': 'x'}], 'a': 'é', 'l': ['long word ' * 8, 'yes']}, default_style='|', default_flow_style=True)  # expect: '{"a": "\\xE9", "b": [!!int "1", {"c": "x"}], "l": ["long word long word long word long\\\n      \\ word long word long word long word long word ", "yes"]}\n'
dump({'b': [1, {'c': 'x'}], 'a': 'é', 'l': ['long word ' * 8, 'yes']}, encoding='utf-8')  # expect: b'a: "\\xE9"\nb:\n- 1\n- c: x\nl:\n- \'long word long word long word long word long word long word long word long word \'\n- \'yes\'\n'
dump({'b': [1, {'c': 'x'}], 'a': 'é', 'l': ['long word ' * 8, 'yes']}, encoding='utf-8', allow_unicode=True)  # expect: b"a: \xc3\xa9\nb:\n- 1\n- c: x\nl:\n- 'long word long word long word long word long word long word long word long word '\n- 'yes'\n"
dump({'b': [1, {'c': 'x'}], 'a': 'é', 'l': ['long word ' * 8, 'yes']}, default_style='>', width=20)  # expect: '"a": "\\xE9"\n"b":\n- !!int >-\n  1\n- "c": >-\n    x\n"l":\n- "long word long word\\\n  \\ long word long word\\\n  \\ long word long word\\\n  \\ long word long word "\n- >-\n  yes\n'
dump({'b': [1, {'c': 'x'}], 'a': 'é', 'l': ['long word ' * 8, 'yes']}, default_style='"', width=20)  # expect: '"a": "\\xE9"\n"b":\n- !!int "1"\n- "c": "x"\n"l":\n- "long word long word\\\n  \\ long word long word\\\n  \\ long word long word\\\n  \\ long word long word "\n- "yes"\n'
dump({'b': [1, {'c': 'x'}], 'a': 'é', 'l': ['long word ' * 8, 'yes']}, indent=4, sort_keys=False, default_flow_style=None)  # expect: 'b:\n- 1\n- {c: x}\na: "\\xE9"\nl: [\'long word long word long word long word long word long word long word long word \',\n    \'yes\']\n'
dump('a', explicit_start=True)  # expect: '--- a\n...\n'
dump('a', explicit_end=True)  # expect: 'a\n...\n'
dump('a', default_style='|')  # expect: '|-\n  a\n'
dump('a', default_style='"')  # expect: '"a"\n'
dump('a\nb\n\n', default_style='|')  # expect: '|+\n  a\n  b\n\n...\n'
dump('a\nb\n\n', default_style='>')  # expect: '>+\n  a\n\n  b\n\n...\n'
dump('a\nb\n\n', default_style="'")  # expect: "'a\n\n  b\n\n\n  '\n"
dump('a\nb\n\n', default_flow_style=True)  # expect: "'a\n\n  b\n\n\n  '\n"
dump('some words that are long\nand lines\n\n  indented\nend', default_style='|', width=12)  # expect: '|-\n  some words that are long\n  and lines\n\n    indented\n  end\n'
dump('  leading\n', default_style='|', width=12)  # expect: '|2\n    leading\n'
dump('no end\n\n\n', default_style='|', width=12)  # expect: '|+\n  no end\n\n\n...\n'
dump('a b c d e f g h i j k l m n o p', default_style='|', width=12)  # expect: '|-\n  a b c d e f g h i j k l m n o p\n'
dump('some words that are long\nand lines\n\n  indented\nend', default_style='>', width=12)  # expect: '>-\n  some words that\n  are long\n\n  and lines\n\n    indented\n  end\n'
dump('  leading\n', default_style='>', width=12)  # expect: '>2\n    leading\n'
dump('no end\n\n\n', default_style='>', width=12)  # expect: '>+\n  no end\n\n\n...\n'
dump('a b c d e f g h i j k l m n o p', default_style='>', width=12)  # expect: '>-\n  a b c d e f\n  g h i j k l\n  m n o p\n'
dump('some words that are long\nand lines\n\n  indented\nend', default_style="'", width=12)  # expect: '"some words that\\\n  \\ are long\\n\\\n  and lines\\n\\n\\\n  \\  indented\\n\\\n  end"\n'
dump('  leading\n', default_style="'", width=12)  # expect: "'  leading\n\n  '\n"
dump('no end\n\n\n', default_style="'", width=12)  # expect: "'no end\n\n\n\n  '\n"
dump('a b c d e f g h i j k l m n o p', default_style="'", width=12)  # expect: "'a b c d e f g\n  h i j k l m\n  n o p'\n"
dump('some words that are long\nand lines\n\n  indented\nend', default_style='"', width=12)  # expect: '"some words that\\\n  \\ are long\\n\\\n  and lines\\n\\n\\\n  \\  indented\\n\\\n  end"\n'
dump('  leading\n', default_style='"', width=12)  # expect: '"  leading\\n"\n'
dump('no end\n\n\n', default_style='"', width=12)  # expect: '"no end\\n\\n\\n"\n'
dump('a b c d e f g h i j k l m n o p', default_style='"', width=12)  # expect: '"a b c d e f g\\\n  \\ h i j k l\\\n  \\ m n o p"\n'
