open("config.yaml", "w").write("a: 1\nb:\n\tc: 2\n")
configfile: "config.yaml"
# expect error: Config file config.yaml is not valid JSON or YAML: found character '\t' that cannot start any token
# expect error: --> config.yaml:3:1
# expect error: hint: YAML is indented with blanks, not with tabs
