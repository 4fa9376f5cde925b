# A width or precision that no text can have is refused, before memory for it is asked for.
for text, args in ("%*d", (2**40, 1)), ("%.*d", (2**40, 1)), (b"%*d", (2**40, 1)), ("%*d", ("a", 1)), ("%*d|", (True, 1)):
    try:
        print(text % args)
    except (OverflowError, MemoryError, TypeError) as e:
        print("refused")
# expect: refused
# expect: refused
# expect: refused
# expect: refused
# expect: 1|
