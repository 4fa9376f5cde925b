# args: -n -c1 --configfile config.json
# file config.json: {"a": 1,\n "b": "}\n
# expect error: config.json is not valid JSON or YAML: Invalid control character
# expect error: config.json:2:9
