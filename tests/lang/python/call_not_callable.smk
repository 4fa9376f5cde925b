x = 5
x()
# expect error: TypeError: 'int' object is not callable
