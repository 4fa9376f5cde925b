rule one:
    output: "x"
    resources: half=float("nan")
    shell: "touch {output}"
# expect error: cannot convert float NaN to integer
