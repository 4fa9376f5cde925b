rule a:
    output: "a"
    cache: "omit-softwares"
    shell: "touch {output}"
