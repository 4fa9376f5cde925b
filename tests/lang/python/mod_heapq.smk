# heapq is the evaluator's own: lists end in the same order as CPython leaves them.
import heapq

heap = [5, 3, 8, 1, 9, 2, 7, 1]
heapq.heapify(heap)
print(heap)  # expect: [1, 1, 2, 3, 9, 8, 7, 5]
heapq.heappush(heap, 0)
print(heap, heapq.heappop(heap), heap)  # expect: [1, 1, 2, 3, 9, 8, 7, 5] 0 [1, 1, 2, 3, 9, 8, 7, 5]
print(heapq.heapreplace(heap, 6), heapq.heappushpop(heap, 0), heapq.heappushpop(heap, 4), heap)  # expect: 1 0 1 [2, 3, 4, 5, 9, 8, 7, 6]
words = ["pear", "fig", "kiwi", "apple", "nut"]
print(heapq.nsmallest(3, words, key=len), heapq.nlargest(3, words, key=len))  # expect: ['fig', 'nut', 'pear'] ['apple', 'pear', 'kiwi']
print(heapq.nsmallest(1, iter([])), heapq.nlargest(1, [2, 5]), heapq.nlargest(9, words), heapq.nsmallest(-1, words))  # expect: [] [5] ['pear', 'nut', 'kiwi', 'fig', 'apple'] []
print(heapq.nlargest(2, (n * 7 % 10 for n in range(10))), heapq.nsmallest(2, (n * 7 % 10 for n in range(10))))  # expect: [9, 8] [0, 1]
print(list(heapq.merge([1, 4, 4], [2, 4, 9], [], (3,))))  # expect: [1, 2, 3, 4, 4, 4, 9]
print(list(heapq.merge(["bbb", "a"], ["cc"], ["ddd", "e"], key=len, reverse=True)))  # expect: ['bbb', 'ddd', 'cc', 'a', 'e']
endless = heapq.merge((n for n in iter(int, 1)), [1])
print(next(endless), next(endless))  # expect: 0 0
tasks = []
for n in range(20000):
    heapq.heappush(tasks, (n * 7919 % 20011, n))
print([heapq.heappop(tasks)[0] for n in range(20000)] == sorted(n * 7919 % 20011 for n in range(20000)))  # expect: True


class Grows:
    def __lt__(self, other):
        heap.append(self)
        return True


heap = [Grows(), Grows(), Grows()]
for ask in (
    lambda: heapq.heapify(heap),
    lambda: heapq.heappush((), 1),
    lambda: heapq.heappop("ab"),
    lambda: heapq.heappop([]),
    lambda: heapq.heapify([1, "a"]),
):
    try:
        ask()
    except (RuntimeError, TypeError, IndexError) as e:
        print(type(e).__name__, e)
    # expect: RuntimeError list changed size during iteration
    # expect: TypeError heappush() argument 1 must be list, not tuple
    # expect: TypeError heappop() argument must be list, not str
    # expect: IndexError index out of range
    # expect: TypeError '<' not supported between instances of 'int' and 'str'
