config = {"a": {"b": "deep"}}
print(f"{config["a"]["b"]}")  # expect: deep
print(f"{", ".join(["x", "y"])}")  # expect: x, y
print(f"{f"{f"{1 + 1}"}"}")  # expect: 2
print(f"{'\n'.join(["p", "q"]).upper()}")
# expect: P
# expect: Q
print(f"{
    config  # a comment
    ["a"]
}")  # expect: {'b': 'deep'}
# ours only (needs Python 3.12)
