sorted([1, "a"])
# expect error: TypeError: '<' not supported between instances of 'str' and 'int'
