kinds = int
for i in range(500000):
    kinds = (kinds,)
for test in isinstance, issubclass:
    try:
        print(test(str if test is issubclass else "x", kinds))
    except RecursionError:
        print("too deep")
print(isinstance("x", (int, (float, (str,)))))
# expect: too deep
# expect: too deep
# expect: True
