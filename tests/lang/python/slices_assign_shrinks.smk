def parts():
    names.clear()
    yield "a"
    yield "b"
names = list(range(10))
names[2:8] = parts()
print(names)
def fewer():
    del names[1:]
    yield "c"
names = list(range(10))
names[8:] = fewer()
print(names)
# expect: ['a', 'b']
# expect: [0, 'c']
