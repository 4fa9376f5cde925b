import yaml

# expect: {'a': [1, 2], 'b': {'c': {'d': 1}}}
print(yaml.safe_load("{a:[1,2], b: {c:{d: 1}}}"))
# expect: [{'k': None}, 'http://host:80/x', {'é': [1]}]
print(yaml.safe_load("[k:, http://host:80/x, é:[1]]"))
# expect: {'x': {'a': [1]}, 'y': [{'b': {'c': 2}}]}
print(yaml.safe_load("x: {a:[1]}\ny: [b:{c: 2}]\n"))
# expect: {'a:1': None}
print(yaml.safe_load("{a:1}"))
try:
    yaml.safe_load("{a:[1], b: [}")
except yaml.YAMLError as e:
    print(type(e).__name__)  # expect: ParserError
