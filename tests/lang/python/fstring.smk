name, n, d = "w", 3.14159, {"k": [1, 2]}
print(f"{name} {n:.2f} {d['k'][1]} {name!r} {1 + 2}")  # expect: w 3.14 2 'w' 3
print(f"{{literal}} {name:>4}| {n:{8}.{3}}|")  # expect: {literal}    w|     3.14|
print(f"{'yes' if n > 3 else 'no'} {len(name)} {[x * 2 for x in range(3)]}")  # expect: yes 1 [0, 2, 4]
print(f"a" "b" f"{name}" "{not}")  # expect: abw{not}
print(f"{name=} {n = :.1f} {1 + 1=}")  # expect: name='w' n = 3.1 1 + 1=2
print(f"{n:>10.1f}|{42:05d}|{True}|{None}")  # expect:        3.1|00042|True|None
