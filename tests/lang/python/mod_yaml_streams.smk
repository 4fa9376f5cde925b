import yaml
with open("c.yaml", "w") as f:
    yaml.safe_dump({"a": [1, "é"]}, f, allow_unicode=True)
with open("bad.yaml", "w") as f:
    f.write("a: 1\nb: [1\nc: 2\n")


def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__, repr(str(e)))


class Reader:
    def __init__(self, text):
        self.text = text

    def read(self, size=-1):
        text, self.text = self.text, ""
        return text


lines = ["a: &a [x]"] + [f"{chr(98 + i)}: &{chr(98 + i)} [" + ", ".join(["*" + chr(97 + i)] * 9) + "]" for i in range(20)]
laughs = "\n".join(lines)



t(lambda: open('c.yaml').read())  # expect: 'a:\n- 1\n- é\n'
t(lambda: yaml.safe_load(open('c.yaml')))  # expect: {'a': [1, 'é']}
t(lambda: yaml.safe_load(open('c.yaml', 'rb')))  # expect: {'a': [1, 'é']}
t(lambda: yaml.safe_load(open('bad.yaml')))  # expect: ParserError 'while parsing a flow sequence\n  in "bad.yaml", line 2, column 4\nexpected \',\' or \']\', but got \':\'\n  in "bad.yaml", line 3, column 2'
t(lambda: yaml.safe_load(b'a: \xc3\xa9'))  # expect: {'a': 'é'}
t(lambda: yaml.safe_load(b'\xef\xbb\xbfa: 1'))  # expect: {'a': 1}
t(lambda: yaml.safe_load(Reader('a: 1')))  # expect: {'a': 1}
t(lambda: list(yaml.safe_load_all(open('c.yaml'))))  # expect: [{'a': [1, 'é']}]
t(lambda: len(yaml.safe_load(laughs)))  # expect: 21
t(lambda: yaml.safe_load(''))  # expect: None
