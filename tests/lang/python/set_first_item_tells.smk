# issuperset() and isdisjoint() end with the first item that tells: what follows may be unhashable.
print({1, 2}.issuperset([3, []]), {1, 2}.isdisjoint([1, []]))  # expect: False False
print({1, 2}.issuperset({2}), {1}.issuperset({1, 2}), {1, 2}.issuperset("a"), {1}.issuperset([]))
# expect: True False False True
print({1, 2}.isdisjoint({3}), {1}.isdisjoint({3, 2, 1}), frozenset("ab").isdisjoint("cb"))
# expect: True False False
for method in {1, 2}.issuperset, {1, 2}.isdisjoint:
    try:
        print(method([[], 1]))
    except TypeError as e:
        print(e)
# expect: unhashable type: 'list'
# expect: unhashable type: 'list'
