next(iter([]))
# expect error: StopIteration
