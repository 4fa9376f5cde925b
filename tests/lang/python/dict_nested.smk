config = {"samples": {"A": {"fq": ["a1", "a2"]}, "B": {"fq": []}}}
for name, entry in config["samples"].items():
    print(name, entry["fq"], bool(entry["fq"]))
config["samples"]["C"] = {}
config["new"] = config.get("other", {}).get("deep", "default")
print(sorted(config["samples"]), config["new"])
# expect: A ['a1', 'a2'] True
# expect: B [] False
# expect: ['A', 'B', 'C'] default
