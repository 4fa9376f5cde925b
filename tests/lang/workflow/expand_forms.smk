print(expand("{a}{b}", a="xy", b=[1, 2]))
print(expand(["{a}.1", "{a}.2"], a=["p", "q"]))
print(expand("{a}-{b}", zip, a=[1, 2], b=[3, 4]))
print(expand("{a}/{{keep}}", a=["k"]))
print(expand("{a}/{b}", a=["k"], allow_missing=True))
print(expand("{x:03d}", x=range(2)))
print(expand("{d[k]}", d={"k": "v"}) if False else "ok")
rule all:
    input: []
# expect: ['xy1', 'xy2']
# expect: ['p.1', 'q.1', 'p.2', 'q.2']
# expect: ['1-3', '2-4']
# expect: ['k/{keep}']
# expect: ['k/{b}']
# expect: ['000', '001']
