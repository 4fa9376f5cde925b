for n in [-1, 0, 1]:
    print("neg" if n < 0 else "zero" if n == 0 else "pos")
# expect: neg
# expect: zero
# expect: pos
