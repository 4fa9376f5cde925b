# What a function tells of its variables.
def outer(a):
    b = [a]
    def inner(c, *, d=1):
        return a, b, c, d
    return inner
inner = outer(5)
print([cell.cell_contents for cell in inner.__closure__], outer.__closure__) # expect: [5, [5]] None
print(inner.__code__.co_freevars, outer.__code__.co_cellvars, outer.__code__.co_varnames) # expect: ('a', 'b') ('a', 'b') ('a', 'inner')
print(inner.__code__.co_varnames, inner.__code__.co_argcount, inner.__code__.co_kwonlyargcount) # expect: ('c', 'd') 1 1
