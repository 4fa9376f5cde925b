# args: -n -c1 x/a_a.txt
rule a:
    output: r"x/{t,\d+}_{t}.txt"
    shell: "touch {output}"
# expect error: No rule to produce x/a_a.txt
# expect error: hint: rule a makes 'x/{t}_{t}.txt', but t=a does not match its constraint '\d+'
