[1].remove(2)
# expect error: ValueError: list.remove(x): x not in list
