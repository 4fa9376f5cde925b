# What shell() raises is what subprocess raises.
import subprocess

for command in "exit 7", "kill -9 $$":
    try:
        shell(command)
    except subprocess.CalledProcessError as error:
        print(error.returncode, error.cmd)
        print(error)

try:
    shell("exit 3", read=True)
except subprocess.CalledProcessError as error:
    print("read", error.returncode)


rule all:
    input: []
# args: -n
# expect: 7 set -euo pipefail;  exit 7
# expect: Command 'set -euo pipefail;  exit 7' returned non-zero exit status 7.
# expect: -9 set -euo pipefail;  kill -9 $$
# expect: died with <Signals.SIGKILL: 9>.
# expect: read 3
