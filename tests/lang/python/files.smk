with open("t.txt", "w") as f:
    f.write("one\ntwo\n")
    print("three", file=f)
with open("t.txt") as f:
    print([line.strip() for line in f])
with open("t.txt", "a") as f:
    f.writelines(["four\n"])
print(open("t.txt").read().split(), open("t.txt").readline(), end="")
print(open("t.txt").readlines()[-1:])
# expect: ['one', 'two', 'three']
# expect: ['one', 'two', 'three', 'four'] one
# expect: ['four\n']
