def f():
    for i in range(3):
        try:
            if i == 1:
                continue
            if i == 2:
                return "returned"
            print("body", i)
        finally:
            print("cleanup", i)
print(f())
# expect: body 0
# expect: cleanup 0
# expect: cleanup 1
# expect: cleanup 2
# expect: returned
