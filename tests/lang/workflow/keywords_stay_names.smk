report = 1
container = {"conda": 2,
    "rule": 3}
values = dict(
    storage=4,
    module=5,
)
print(report, container["rule"], values)  # expect: 1 3 {'storage': 4, 'module': 5}
# ours only: elsewhere a line in brackets that begins with such a word is taken as a keyword
