import itertools
from itertools import *
print(list(product("ab", [1,2])), list(product(repeat=2)), list(product([1,2],repeat=2)), list(product([], [1])))
print(list(permutations([1,2,3])), list(permutations("abcd",2))[:5], list(permutations([1],2)), list(permutations([],0)))
print(list(combinations("abcd",2)), list(combinations([1,2],3)), list(combinations_with_replacement("abc",2)), list(combinations([],0)))
print(list(islice(range(10),2,8,3)), list(islice("abcdef",3)), list(islice(count(5),2,None,2).__class__ and islice(count(5),2,4)))
print([(k,list(g)) for k,g in groupby("aabbbca")], [(k,list(g)) for k,g in groupby(range(6), key=lambda x:x//2)])
g=groupby("aabb"); a=next(g); b=next(g); print(list(a[1]), list(b[1]))
print(list(accumulate([1,2,3])), list(accumulate([1,2,3], lambda a,b:a*b, initial=10)))
print(list(zip_longest("ab","c",fillvalue="-")), list(chain("ab",[1])), list(chain.from_iterable([[1],[2,3]])))
a,b=tee([1,2,3]); print(next(a),list(b),list(a))
print(list(compress("abc",[1,0,1])), list(takewhile(lambda x:x<3,[1,2,5,1])), list(dropwhile(lambda x:x<3,[1,2,5,1])), list(filterfalse(None,[0,1,2])), list(starmap(pow,[(2,3),(3,2)])))
print(list(pairwise("abc")), list(repeat(1,3)), count(3), count(3,2), list(islice(cycle("ab"),5)))
for bad in (lambda: product(1), lambda: chain(1).__next__(), lambda: islice([1],-1), lambda: combinations([1]), lambda: islice([1]), lambda: combinations([1],-1), lambda: permutations([1],'a'), lambda: takewhile(1)):
    try: print(bad())
    except Exception as e: print(type(e).__name__, e)
print(type(chain()).__name__, chain, type(count(0)))

# expect: [('a', 1), ('a', 2), ('b', 1), ('b', 2)] [()] [(1, 1), (1, 2), (2, 1), (2, 2)] []
# expect: [(1, 2, 3), (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1)] [('a', 'b'), ('a', 'c'), ('a', 'd'), ('b', 'a'), ('b', 'c')] [] [()]
# expect: [('a', 'b'), ('a', 'c'), ('a', 'd'), ('b', 'c'), ('b', 'd'), ('c', 'd')] [] [('a', 'a'), ('a', 'b'), ('a', 'c'), ('b', 'b'), ('b', 'c'), ('c', 'c')] [()]
# expect: [2, 5] ['a', 'b', 'c'] [7, 8]
# expect: [('a', ['a', 'a']), ('b', ['b', 'b', 'b']), ('c', ['c']), ('a', ['a'])] [(0, [0, 1]), (1, [2, 3]), (2, [4, 5])]
# expect: [] ['b', 'b']
# expect: [1, 3, 6] [10, 10, 20, 60]
# expect: [('a', 'c'), ('b', '-')] ['a', 'b', 1] [1, 2, 3]
# expect: 1 [1, 2, 3] [2, 3]
# expect: ['a', 'c'] [1, 2] [5, 1] [0] [8, 9]
# expect: [('a', 'b'), ('b', 'c')] [1, 1, 1] count(3) count(3, 2) ['a', 'b', 'a', 'b', 'a']
# expect: TypeError 'int' object is not iterable
# expect: TypeError 'int' object is not iterable
# expect: ValueError Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.
# expect: TypeError combinations() missing required argument 'r' (pos 2)
# expect: TypeError islice expected at least 2 arguments, got 1
# expect: ValueError r must be non-negative
# expect: TypeError Expected int as r
# expect: TypeError takewhile expected 2 arguments, got 1
# expect: chain <class 'itertools.chain'> <class 'itertools.count'>
