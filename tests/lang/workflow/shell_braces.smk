rule a:
    output: "a.txt"
    shell: "awk '{{print $1}}' x > {output}"
# args: -n -p -c1
# expect: awk '{print $1}' x > a.txt
