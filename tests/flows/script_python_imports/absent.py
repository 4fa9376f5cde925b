for module, name in [("io", "nothing_like_it"), ("utils", "listfiles")]:
    try:
        exec("from snakemake.%s import %s" % (module, name))
    except ImportError as error:
        print(error)
assert not hasattr(__import__("snakemake"), "__nothing__")
import snakemake.report_of_old
