if (n := len("abc")) > 2:
    print("long", n)  # expect: long 3
print([m for x in range(4) if (m := x * 2) > 2], m)  # expect: [4, 6] 6
while (line := "x" * n) and n > 1:
    n -= 1
print(line, n)  # expect: x 1
