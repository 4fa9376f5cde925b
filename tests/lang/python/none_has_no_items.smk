x = None
x["a"]
# expect error: TypeError: 'NoneType' object is not subscriptable
