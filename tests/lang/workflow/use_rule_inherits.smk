rule a:
    output: "a.txt"
    threads: 1
    shell: "touch {output}"
use rule a as b with:
    output: "b.txt"
# args: -n -p -c1 b.txt
# expect: rule b:
# expect: touch b.txt
