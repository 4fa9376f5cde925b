onstart:
    print("never in a dry run")
onsuccess: print("nor this")
rule a:
    output: "a.txt"
    shell: "touch {output}"
# expect: rule a:
# expect no: never in a dry run
