"abc".nothing
# expect error: AttributeError: 'str' object has no attribute 'nothing'
