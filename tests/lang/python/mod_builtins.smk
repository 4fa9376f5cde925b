import builtins
builtins.foo = 3
print(foo, builtins.len([1]), builtins.__name__)

# expect: 3 1 builtins
