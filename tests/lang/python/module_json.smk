import json
d = json.loads('{"a": [1, 2.5, null, true], "b": "\\u00e9"}')
print(d)
print(json.dumps({"x": [1, "é", None, False], "y": {"z": 1.0}}), json.dumps([1, {"a": 2}], indent=2))
print(json.dumps({"b": 1, "a": 2}, sort_keys=True))
# expect: {'a': [1, 2.5, None, True], 'b': 'é'}
# expect: {"x": [1, "\u00e9", null, false], "y": {"z": 1.0}} [
# expect:   1,
# expect:   {
# expect:     "a": 2
# expect:   }
# expect: ]
# expect: {"a": 2, "b": 1}
