configfile: "a.yaml"
configfile: "b.yaml"


settings = workflow.config_settings
print(settings.config, settings.overwrite_config)
print([path.name for path in settings.configfiles], settings.configfiles[0].is_absolute())
print(settings.config_args, settings.replace_workflow_config)
print(config["ab"], config["bb"], config["given"])


rule all:
    input: []
# file a.yaml: {ab: 1, given: a}
# file b.yaml: {bb: 2}
# file c.yaml: {given: c}
# args: -n --configfile c.yaml --config text=x number=3
# expect: {'text': 'x', 'number': 3} {'given': 'c', 'text': 'x', 'number': 3}
# expect: ['c.yaml'] True
# expect: ['text=x', 'number=3'] False
# expect: 1 2 c
# expect: Config file a.yaml is extended by additional config specified via the command line.
# expect: Config file b.yaml is extended by additional config specified via the command line.
