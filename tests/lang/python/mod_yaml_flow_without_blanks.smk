import yaml

# expect: {'a': [1, 2], 'b': {'c': {'d': 1}}}
print(yaml.safe_load("{a:[1,2], b: {c:{d: 1}}}"))
# expect: [{'k': None}, 'http://host:80/x', {'é': [1]}]
print(yaml.safe_load("[k:, http://host:80/x, é:[1]]"))
# expect: {'x': {'a': [1]}, 'y': [{'b': {'c': 2}}]}
print(yaml.safe_load("x: {a:[1]}\ny: [b:{c: 2}]\n"))
# expect: {'a:1': None}
print(yaml.safe_load("{a:1}"))
# expect: {'a': [1], 'b': 'x:[y]', "it's": {'c': [2]}, 'd': {'e': [3]}}
print(yaml.safe_load("{a:[1], b: 'x:[y]', it's:{c:[2]},\nd:{e:[3]}}"))
# expect: {'a': {'b': ['u:[', 'c:]']}} e:[1]
both = list(yaml.safe_load_all("{a:{b:['u:[', 'c:]']}}\n---\ne:[1]\n"))
print(both[0], both[1])
# expect: 1999000
many = yaml.safe_load("{" + ",".join(f"k{i}:[{i}]" for i in range(2000)) + "}")
print(sum(i for v in many.values() for i in v))
try:
    yaml.safe_load("{a:[1], b: [}")
except yaml.YAMLError as e:
    print(type(e).__name__)  # expect: ParserError
