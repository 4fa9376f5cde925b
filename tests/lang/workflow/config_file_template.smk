configfile: "none.yaml"
configfile: "false.yaml"
configfile: "text.yaml"
print(config)
configfile: "t.json"
print(config)
# file none.yaml: none: ?1 + 1\n
# file false.yaml: __use_yte__: false\noff_: ?1 + 1\n
# file text.yaml: __use_yte__: "yes"\nyes_: ?1 + 1\n
# file t.json: {"__use_yte__": true, "json": "?1 + 1"}\n
# expect: {'none': '?1 + 1', 'off_': '?1 + 1', 'yes_': 2}
# expect: {'none': '?1 + 1', 'off_': '?1 + 1', 'yes_': 2, '__use_yte__': True, 'json': '?1 + 1'}
