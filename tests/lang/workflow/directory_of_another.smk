rule all:
    input: "d", "d/zzz", "d.e"

rule d:
    output: directory("d")
    shell: "mkdir -p d"

rule e:
    output: "d.e"
    shell: "touch {output}"

rule child:
    output: "d/zzz"
    shell: "touch {output}"
# expect error: output 'd/zzz' of rule child lies inside the directory 'd' that rule d makes
