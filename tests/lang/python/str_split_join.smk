print("a b  c".split(), "a,b,,c".split(","), " x ".split(" "))
print("a,b,c".split(",", 1), "a,b,c".rsplit(",", 1), "".split(), "".split(","))
print("-".join(["a", "b"]), "".join(str(i) for i in range(3)))
print("a\nb\r\nc".splitlines(), "k=v=w".partition("="), "k=v=w".rpartition("="))
# expect: ['a', 'b', 'c'] ['a', 'b', '', 'c'] ['', 'x', '']
# expect: ['a', 'b,c'] ['a,b', 'c'] [] ['']
# expect: a-b 012
# expect: ['a', 'b', 'c'] ('k', '=', 'v=w') ('k=v', '=', 'w')
