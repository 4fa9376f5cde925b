list_ = list
def f():
    list = "mine"
    return list
print(f(), list_("a"))  # expect: mine ['a']
open = lambda name: "opened " + name
print(open("x"))  # expect: opened x
