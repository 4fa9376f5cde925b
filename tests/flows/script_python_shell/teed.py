import sys

from snakemake.shell import shell


class Tee:
    def write(self, text):
        sys.__stdout__.write(text)


sys.stdout = Tee()
print("to both")
assert shell("echo 3 | tee {snakemake.output}", read=True) == "3\n"
sys.stdout = sys.__stdout__
