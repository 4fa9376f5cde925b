from os.path import no_such_function
# expect error: ImportError: cannot import name 'no_such_function' from
