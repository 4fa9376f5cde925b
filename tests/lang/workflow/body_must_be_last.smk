rule a:
    shell: "true"
    output: "a.txt"
# expect error: No rule keywords allowed after run/shell/script/notebook/wrapper/template_engine/cwl in rule a.
