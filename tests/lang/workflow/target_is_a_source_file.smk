# What was asked for must be made by a rule: that an old file is there does not do.
# file old.txt: old
rule a:
    input: "none.txt"
    output: "old.txt"
    shell: "touch {output}"
# args: -n -c1 old.txt
# expect error: rule a needs 'none.txt'
