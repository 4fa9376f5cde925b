rule one:
    output: "one.txt"
    params: name=config["name"]
    script: "../scripts/hello.py"
