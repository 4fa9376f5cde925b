# None as the function: an item's own truth for filterfalse(), and for no other.
import itertools
import re

print(list(itertools.filterfalse(None, [0, 1, "", "a"])))  # expect: [0, '']
for tool in itertools.takewhile, itertools.dropwhile:
    print(list(tool(None, [])))
    try:
        list(tool(None, [1]))
    except TypeError as e:
        print(e)
# expect: []
# expect: 'NoneType' object is not callable
# expect: []
# expect: 'NoneType' object is not callable
print([type(re.compile(p).groupindex).__name__ for p in ("a", "(?P<n>a)")])  # expect: ['dict', 'mappingproxy']
