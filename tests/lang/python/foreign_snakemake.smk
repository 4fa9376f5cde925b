# A module of python3 finds the parts of the package snakemake without importing them, as in Snakemake's own process.
import sys

sys.path.insert(0, ".")
import theirs

print(theirs.kind(), theirs.missing)
# file snakemake/__init__.py: version = 1\n
# file snakemake/io.py: class Wildcards: pass\n
# file theirs.py: import snakemake\nmissing = hasattr(snakemake, "nothing")\ndef kind(w: snakemake.io.Wildcards = None): return snakemake.io.Wildcards.__name__\nasync def later(): pass\n
# expect: Wildcards False
