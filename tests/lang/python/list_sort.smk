words = ["pear", "Apple", "fig", "banana"]
print(sorted(words), sorted(words, key=len), sorted(words, key=str.lower, reverse=True))
words.sort(key=lambda w: (len(w), w))
print(words)
print(sorted({3, 1, 2}), sorted({"b": 1, "a": 2}), sorted([(2, "b"), (2, "a"), (1, "z")]))
# expect: ['Apple', 'banana', 'fig', 'pear'] ['fig', 'pear', 'Apple', 'banana'] ['pear', 'fig', 'banana', 'Apple']
# expect: ['fig', 'pear', 'Apple', 'banana']
# expect: [1, 2, 3] ['a', 'b'] [(1, 'z'), (2, 'a'), (2, 'b')]
