configfile: "config.yaml"
print(config["name"], config["num"], type(config["num"]).__name__)  # expect: cli 5 int
# file config.yaml: name: file\nnum: 1\n
# args: -n -c1 --config name=cli num=5
