print(undefined_name)
# expect error: NameError: name 'undefined_name' is not defined
