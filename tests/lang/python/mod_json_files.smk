import json
with open("x.json", "w") as f:
    json.dump({"a": [1, None]}, f, indent=1)
with open("bad.json", "w") as f:
    f.write("{\"a\": 1,\n \"b\" 2}")


def load(path):
    try:
        with open(path) as f:
            print(json.load(f))
    except ValueError as e:
        print(e)



print(repr(open('x.json').read()))  # expect: '{\n "a": [\n  1,\n  null\n ]\n}'
load('x.json')  # expect: {'a': [1, None]}
load('bad.json')  # expect: Expecting ':' delimiter: line 2 column 6 (char 14)
