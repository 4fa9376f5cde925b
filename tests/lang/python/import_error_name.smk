# The module that an ImportError is about, where python3 has looked for it.
try:
    import no_such_module_a
except ImportError as error:
    print("please install", error.name, type(error) is ModuleNotFoundError)
# expect: please install no_such_module_a True
try:
    from no_such_module_b.part import x
except ModuleNotFoundError as error:
    print(error.name, error.path, error.msg)
# expect: no_such_module_b None No module named 'no_such_module_b'
try:
    import email.no_such_part
except ImportError as error:
    print(error.name, vars(error).get("nothing"))
# expect: email.no_such_part None
