rule a:
    output: "a.txt"
    run:
        raise ValueError("not in a dry run")
        for x in y:
            pass
print("after")
# expect: after
# expect: rule a:
