1 < "a"
# expect error: TypeError: '<' not supported between instances of 'int' and 'str'
