"a" + 1
# expect error: TypeError: can only concatenate str (not "int") to str
