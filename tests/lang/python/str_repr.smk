print(repr("a'b"), repr('a"b'), repr("a'b\"c"), repr("\n\t\\"), repr("\x00\x7f"), repr("é"))
print([None, True, 1.5, "x"], ("a",), {"k": ("v",)}, {1}, set(), ())
# expect: "a'b" 'a"b' 'a\'b"c' '\n\t\\' '\x00\x7f' 'é'
# expect: [None, True, 1.5, 'x'] ('a',) {'k': ('v',)} {1} set() ()
