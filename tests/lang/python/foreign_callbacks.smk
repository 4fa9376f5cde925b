# Functions and objects of ours that foreign code is given.
import pkgutil
import statistics
from functools import partial
from argparse import ArgumentParser, Namespace
from sched import scheduler

heapq = pkgutil.resolve_name("heapq")  # python3's own

print(heapq.nsmallest(2, ["bbb", "a", "cc"], key=len), heapq.nsmallest(2, ["b1", "a2", "c0"], key=lambda s: s[1]))
print(heapq.nlargest(1, [1, -5, 3], key=abs), list(heapq.merge([1, 4], [2, 3], key=lambda n: n)))


class Counter:
    def __init__(self):
        self.seen = []

    def take(self, text):
        self.seen.append(text)
        return text.upper()

    def __call__(self, text):
        return self.take(text)

    def __lt__(self, other):
        return len(self.seen) < len(other.seen)

    def __eq__(self, other):
        return self is other

    def __hash__(self):
        return 7


counter = Counter()
parser = ArgumentParser(prog="p")
parser.add_argument("--name", type=counter.take)
parser.add_argument("--other", type=counter, default="x")
parser.add_argument("--n", type=int, choices=range(5))
space = parser.parse_args(["--name", "abc", "--n", "3"])
print(space.name, space.other, space.n, counter.seen)

# Objects of ours stay themselves.
keep = Namespace(counter=counter, function=print, bound=counter.take, part=partial(int, base=2))
print(keep.counter is counter, keep.counter.seen, keep.bound("more"), keep.part("101"))
keep.counter.seen.append("direct")
print(counter.seen, heapq.nlargest(1, [Counter(), counter])[0] is counter)


# Calls inside calls inside calls.
def depth(n):
    return n if n <= 0 else heapq.nlargest(1, [n - 1], key=lambda m: depth(m))[0] + 1


print(depth(5))


# Iterables of ours are iterated there: generators lazily.
def count():
    for i in range(3):
        yield i * i


print(statistics.mean(count()), statistics.mean(x for x in (1, 2, 3)), heapq.nlargest(2, count()))


class Bag:
    def __iter__(self):
        return iter([3, 1, 2])

    def __len__(self):
        return 3

    def __contains__(self, x):
        return x == 3


print(heapq.nsmallest(2, Bag()), statistics.median(Bag()))

# What is printed there and here comes in order.
clock = iter(range(100))
plan = scheduler(lambda: next(clock), lambda delay: None)
for i in range(3):
    plan.enter(i, 1, print, ("event", i))
print("before")
plan.run()
print("after")

# expect: ['a', 'cc'] ['c0', 'b1']
# expect: [-5] [1, 2, 3, 4]
# expect: ABC X 3 ['abc', 'x']
# expect: True ['abc', 'x', 'more'] MORE 5
# expect: ['abc', 'x', 'more', 'direct'] True
# expect: 5
# expect: 1.6666666666666667 2 [4, 1]
# expect: [1, 2] 2
# expect: before
# expect: event 0
# expect: event 1
# expect: event 2
# expect: after
