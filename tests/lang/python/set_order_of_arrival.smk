# ours only: CPython hashes texts differently in every run, and None so before 3.12.
def show(s):
    print(*s)


show({None, True, 7})  # expect: None True 7
# With a text it is the order in which they came, of numbers too.
show({3, 1, "a", 2})  # expect: 3 1 a 2
t = set([30, 20, 10])
t.add("x")
show(t)  # expect: 30 20 10 x
