# snakemake.workflow is where the Snakefile's own names live.
import snakemake.workflow as namespace
from snakemake.workflow import config as same_config, expand as same_expand

basedir = 5


def later():
    return snakemake.workflow.defined_below


defined_below = 7
print(namespace.basedir, namespace.workflow is workflow, same_config is config)  # expect: 5 True True
print(later(), same_expand("{x}", x=[1, 2]))  # expect: 7 ['1', '2']
namespace.set_there = lambda x: x + "2"
snakemake.workflow.basedir = 6
print(set_there("a"), basedir)  # expect: a2 6
del namespace.basedir
print("basedir" in globals())  # expect: False
try:
    namespace.missing
except AttributeError as error:
    print(error)  # expect: module 'snakemake.workflow' has no attribute 'missing'


rule all:
    input: []
# args: -n
