rule m:
    output:
        "m.txt",
    shell:
        "[ ! -e fail ] && echo > {output}"


onstart:
    print("module starts", file=open("module.txt", "a"))


onsuccess:
    print("module", len(log), log[0].endswith(".log"), file=open("module.txt", "a"))
