def f(x):
    match x:
        case 0 | 1:
            return "small"
        case [True, False]:
            return "pair"
        case [a, *rest] if rest:
            return f"{a} then {rest}"
        case {"k": v, **others}:
            return f"k={v} {others}"
        case str() as s:
            return "text " + s
        case None:
            return "none"
        case _:
            return "other"
for x in [1, [True, False], [1, 2, 3], {"k": 5, "z": 1}, "q", None, [1], 7.5]:
    print(f(x))
# expect: small
# expect: pair
# expect: 1 then [2, 3]
# expect: k=5 {'z': 1}
# expect: text q
# expect: none
# expect: other
# expect: other
