x = 1
def read():
    return x
def local():
    x = 2
    return x
def change():
    global x
    x = 3
print(read(), local(), x)  # expect: 1 2 1
change()
print(read(), x)  # expect: 3 3
