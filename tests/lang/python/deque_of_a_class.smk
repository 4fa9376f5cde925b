# deque.__init__() checks maxlen as deque() does.
from collections import deque


class Last(deque):
    def __init__(self, n):
        super().__init__([1, 2, 3], n)


for n in -2, "x", 2, None:
    try:
        print(Last(n), Last(n).maxlen)
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)

# expect: ValueError maxlen must be non-negative
# expect: TypeError an integer is required
# expect: Last([2, 3], maxlen=2) 2
# expect: Last([1, 2, 3]) None
