print(os.path.join("a", "b"), Path("x").suffix == "", re.sub("a", "b", "aa"))  # expect: a/b True bb
print(isinstance(config, dict), sys.argv is not None)  # expect: True True
rule all:
    input: []
