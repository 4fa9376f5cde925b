# What an open file tells of itself, and files that are cut.
with open("f", "w") as f:
    f.write("hello\nworld\n")
with open("f", "r+") as f:
    print(f.readable(), f.writable(), f.seekable(), f.isatty(), f.mode, repr(f))
    print(f.truncate(3), f.read())
# expect: True True True False r+ <_io.TextIOWrapper name='f' mode='r+' encoding='UTF-8'>
# expect: 3 hel
with open("f", "a") as f:
    print(f.readable(), f.writable(), f.mode, f.tell())  # expect: False True a 3
print(repr(open("f", "rb"))[:21])  # expect: <_io.BufferedReader n
