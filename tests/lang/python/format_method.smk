print("{} {}".format(1, 2), "{1} {0}".format("a", "b"), "{x} {y[0]} {z.real}".format(x=1, y=[2], z=3))
print("{:>5}|{:<5}|{:^5}|{:*^7}".format("a", "b", "c", "d"))
print("{:02d} {:+d} {:,} {:_} {:x} {:#x} {:b} {:08.3f}".format(5, 5, 1234567, 1234567, 255, 255, 5, 3.14159))
print("{{}} {!r} {:.2%} {:.3s} {:e} {:g}".format("q", 0.256, "abcdef", 12345.678, 1e20))
print("{:{w}}|{:>{w}}".format("a", "b", w=4))
# expect: 1 2 b a 1 2 3
# expect:     a|b    |  c  |***d***
# expect: 05 +5 1,234,567 1_234_567 ff 0xff 101 0003.142
# expect: {} 'q' 25.60% abc 1.234568e+04 1e+20
# expect: a   |   b
