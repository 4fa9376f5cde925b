# Long code: what does not fit is a SyntaxError.
def names(n):
    return "".join(f"x{i}, " for i in range(n))
def said(code):
    try:
        scope = {}
        exec(code, scope)
        return scope["said"]
    except SyntaxError as e:
        return str(e).split(" (")[0]
print(said(names(255) + "*rest, " + "y, " * 5000 + "z = range(6000)\nsaid = x254, len(rest), z")) # expect: (254, 744, 5999)
print(said(names(256) + "*rest = range(300)")) # expect: too many expressions in star-unpacking assignment
print(said(names(5000) + "*rest = range(5000)")) # expect: too many expressions in star-unpacking assignment
strings = "".join(f"        x{i} = 's{i}'\n" for i in range(5000))
print(said("def f(v):\n    class C:\n" + strings + "        y = v\n    return C.y\nsaid = f(7)")) # expect: 7
