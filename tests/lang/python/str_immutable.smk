s = "abc"
s[0] = "x"
# expect error: TypeError: 'str' object does not support item assignment
