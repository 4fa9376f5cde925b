# ours only: Python refuses names that are not there yet; here an annotation stays text then.
def g(x: Later, y: 1 / 0) -> Nowhere.at: ...


class Later: ...


print(g.__annotations__)  # expect: {'x': 'Later', 'y': '1 / 0', 'return': 'Nowhere.at'}
