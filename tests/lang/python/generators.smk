def gen(n):
    for i in range(n):
        yield i
    return
def chain(*its):
    for it in its:
        yield from it
print(list(gen(3)), list(chain("ab", gen(2))), sum(gen(5)))  # expect: [0, 1, 2] ['a', 'b', 0, 1] 10
g = gen(2)
print(next(g), next(g), next(g, "end"))  # expect: 0 1 end
def echo():
    got = yield "first"
    print("got", got)  # expect: got 42
    yield "second"
e = echo()
print(next(e), e.send(42))  # expect: first second
