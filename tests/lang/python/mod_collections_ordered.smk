# OrderedDict.move_to_end(last=False) takes the same time for any size: 200,000 calls would have taken hours.
from collections import OrderedDict

n = 20000
numbers = OrderedDict.fromkeys(range(n))
for i in range(n):
    numbers.move_to_end(i, last=False)
print(list(numbers) == list(range(n))[::-1], len(numbers), numbers.popitem(last=False), numbers.popitem())  # expect: True 20000 (19999, None) (0, None)
for i in range(1, n - 1):
    numbers.move_to_end(i, last=i % 2)
print(list(numbers)[:2], list(reversed(numbers))[:2], sum(numbers), len(numbers))  # expect: [19998, 19996] [19997, 19995] 199970001 19998
cache = OrderedDict.fromkeys(range(100))
for i in range(20000):  # as caches do
    cache.move_to_end(i % 100 if i % 3 else 99, last=False)
    key, item = cache.popitem(last=i % 2)
    cache[key] = item
print(len(cache), sorted(cache) == list(range(100)))  # expect: 100 True
for i in range(20000):
    cache.move_to_end(next(reversed(cache)), last=False)
    cache.popitem(last=False)
    if len(cache) < 50:
        cache.update(dict.fromkeys(range(100)))
print(len(cache), all(key in cache for key in cache))  # expect: 92 True

# Against a list, with every other change between.
import random

random.seed(1)
made, order = OrderedDict(), []
for step in range(30000):
    key = random.randrange(40)
    what = random.randrange(6)
    if what == 0:
        made[key] = step
        order += [key] * (key not in order)
    elif what == 1 and key in made:
        del made[key]
        order.remove(key)
    elif what == 2 and order:
        last = step % 2
        key, item = made.popitem(last=last)
        if order.pop(-1 if last else 0) != key:
            print("popped", key)
    elif key in made:
        last = what == 3
        made.move_to_end(key, last=last)
        order.remove(key)
        order.insert(len(order) if last else 0, key)
    if list(made) != order or list(reversed(made)) != order[::-1] or any(k not in made for k in order):
        print("differs at", step)
        break
print(len(made) == len(order))  # expect: True
try:
    made.move_to_end("none", last=False)
except KeyError as e:
    print(repr(e))  # expect: KeyError('none')
