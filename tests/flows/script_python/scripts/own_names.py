# The script's names are its own, whatever the engine's part of the file uses
import __main__
import pickle

from snakemake.shell import shell

format = len = str = isinstance = list = map = None


class Point:
    x = 1


assert pickle.loads(pickle.dumps(Point())).x == 1
assert __main__.Point is Point and __name__ == "__main__"
assert pickle.loads(pickle.dumps(snakemake.input)) == snakemake.input
print(snakemake.input, snakemake.params.get("n"), snakemake.log_fmt_shell())
shell("echo {snakemake.params.n} {snakemake.output} > {snakemake.output:q}")
