for i in range(10):
    if i == 2:
        continue
    if i == 5:
        break
    print(i, end=" ")
else:
    print("never")
print()
n = 3
while n:
    n -= 1
else:
    print("done", n)
for x in []:
    pass
else:
    print("empty", "x" in globals())
# expect: 0 1 3 4
# expect: done 0
# expect: empty False
