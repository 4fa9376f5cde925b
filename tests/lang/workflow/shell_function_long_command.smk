# What no argument of a program could hold.
import subprocess

WORDS = ["word%06d" % i for i in range(20000)]
print(shell("printf '%s\\n' {WORDS} | wc -l", read=True).strip())  # expect: 20000
shell("printf '%s\\n' {WORDS} | tail -n 1; read line < /dev/null || echo end")  # expect: word019999
# expect: end
print([line for line in shell("printf '%s\\n' {WORDS} | tail -n 1", iterable=True)])  # expect: ['word019999']
try:
    shell("false; : {WORDS}")
except subprocess.CalledProcessError as error:
    print(error.returncode)  # expect: 1

rule all:
    run: pass
