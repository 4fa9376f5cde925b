# SPDX-License-Identifier: MIT
"""Expressions about str, int, float and formatting with what CPython says: cases.py N > cases.h. A case is an
expression and the repr of its value, or the exception's class and message. Seeded: the same N, the same cases."""
import random
import sys

rng = random.Random(20261121)
WORDS = ["", "a", "abc", "Hello World", "  pad  ", "x,y,,z", "äöü", "Straße", "ΑΣ ΒΣ", "日本語", "a\tb\nc\r\nd", "'q\"",
         "\\n", "1234", "-5", "tEsT cAsE", "\x00\x7f\xa0", "😀é", "aaa", "abababa", "ǆ", "ﬁ", "١٢"]


def number():
    kind = rng.randrange(6)
    if kind == 0:
        return rng.randrange(-200, 200)
    if kind == 1:
        return rng.randrange(-10**6, 10**6)
    if kind == 2:
        return rng.choice([-1, 1]) * rng.getrandbits(rng.randrange(1, 300))
    return rng.choice([2**31, 2**62, 2**63, 2**64, 10**18, 10**19, 0, 1, -1]) + rng.randrange(-2, 3)


def real():
    kind = rng.randrange(6)
    if kind == 0:
        return rng.choice([0.0, -0.0, 1.0, 0.1, 1e16, 1e15, 123456789012345680.0, 5e-324, 1.7976931348623157e308,
                           1e22, 1e-5, 0.0001, 2.5, 3.5, -2.5, 1e100, 0.3, 2 / 3])
    if kind == 1:
        return float(2 ** rng.randrange(1, 1000)) * rng.choice([1, -1])
    if kind == 2:
        return 2.0 ** -rng.randrange(1, 1070)
    if kind == 3:
        return round(rng.uniform(-1000, 1000), rng.randrange(0, 5))
    return rng.uniform(-1, 1) * 10.0 ** rng.randrange(-300, 300)


def spec(types):
    s = ""
    if rng.random() < 0.4:
        s += rng.choice(["", "*", "é", "0", " "]) + rng.choice("<>^=")
    s += rng.choice(["", "", "", "+", "-", " "]) + rng.choice(["", "", "", "#"]) + rng.choice(["", "", "0"])
    s += rng.choice(["", "", str(rng.randrange(1, 25))]) + rng.choice(["", "", "", ",", "_"])
    s += rng.choice(["", "", "." + str(rng.randrange(0, 12))])
    return s + rng.choice(types)


def percent():
    s = "%" + "".join(rng.sample("-+ #0", rng.randrange(0, 3))) + rng.choice(["", str(rng.randrange(1, 15))])
    return s + rng.choice(["", "." + str(rng.randrange(0, 8))]) + rng.choice("dixXosrafgeGEc")


def operand():
    return rng.choice([number, number, real, lambda: rng.choice(WORDS)])()


def string_case():
    s, t, u = (rng.choice(WORDS) for _ in range(3))
    i, j = rng.randrange(-6, 8), rng.randrange(-6, 8)
    simple = ["upper", "lower", "title", "capitalize", "swapcase", "casefold", "strip", "lstrip", "rstrip", "split",
              "splitlines", "isalpha", "isdigit", "isalnum", "isspace", "isupper", "islower", "istitle", "isnumeric",
              "isdecimal", "isidentifier", "isprintable", "isascii", "expandtabs", "encode"]
    return rng.choice([
        f"{s!r}.{rng.choice(simple)}()", f"{s!r}.find({t!r})", f"{s!r}.rfind({t!r}, {i})", f"{s!r}.count({t!r})",
        f"{s!r}.replace({t!r}, {u!r})", f"{s!r}.replace({t!r}, {u!r}, {rng.randrange(3)})", f"{s!r}.split({t!r})",
        f"{s!r}.rsplit({t!r}, {rng.randrange(3)})", f"{s!r}.rsplit(None, {rng.randrange(3)})",
        f"{s!r}.split(None, {rng.randrange(3)})", f"{s!r}.partition({t!r})", f"{s!r}.rpartition({t!r})",
        f"{s!r}.center({i + 6}, {t!r})", f"{s!r}.ljust({j + 6})", f"{s!r}.zfill({i + 6})", f"{s!r}.strip({t!r})",
        f"{s!r}.startswith({t!r}, {i}, {j})", f"{s!r}.endswith(({t!r}, {u!r}))", f"{s!r}[{i}:{j}]", f"{s!r}[{i}]",
        f"{s!r}[::{rng.choice([-2, -1, 2, 3])}]", f"{s!r} + {t!r} * {rng.randrange(-1, 4)}", f"{t!r} in {s!r}",
        f"{s!r} < {t!r}", f"{s!r}.join([{t!r}, {u!r}, {t!r}])", f"ascii({s!r})", f"len({s!r})",
        f"{s!r}.splitlines(True)", f"{s!r}.index({t!r})", f"{s!r}.removeprefix({t!r})", f"{s!r}.encode('latin-1')",
        f"{s!r}.translate(str.maketrans({s!r}, {s[::-1]!r}))", f"{s!r}.encode().decode()", f"int({s!r})",
        f"float({s!r})", f"{s!r}.encode('ascii', 'backslashreplace')"])


def number_case():
    a, b = number(), number()
    op = rng.choice(["+", "-", "*", "//", "%", "/", "&", "|", "^", "<", "=="])
    return rng.choice([
        f"({a}) {op} ({b})", f"({a}) {op} ({b})", f"divmod({a}, {b})", f"-({a})", f"~({a})", f"({a}) << {abs(b) % 90}",
        f"({a}) >> {abs(b) % 90}", f"({a}) ** {abs(b) % 9}", f"pow({a}, {abs(b)}, {abs(a + b) + 1})", f"hash({a})",
        f"round({a}, {rng.randrange(-6, 3)})", f"float({a})", f"hex({a})", f"bin({a})", f"oct({a})",
        f"({a}).bit_length()", f"int(str({a}))", f"({a}) == float({a})", f"({a}).to_bytes(40, 'big', signed=True)",
        f"int({hex(a)!r}, 16)", f"int.from_bytes(({a}).to_bytes(40, 'little', signed=True), 'little', signed=True)"])


def real_case():
    a, b = real(), real()
    op = rng.choice(["+", "-", "*", "//", "%", "/", "<", "==", "<="])
    return rng.choice([
        f"{a!r}", f"{a!r}", f"{a!r}", f"({a!r}) {op} ({b!r})", f"({a!r}) {op} ({number()})", f"int({a!r})",
        f"round({a!r})", f"round({a!r}, {rng.randrange(-3, 8)})", f"hash({a!r}) == hash(int({a!r}))", f"abs({a!r})",
        f"float({str(a)!r})", f"({a!r}).as_integer_ratio()", f"divmod({a!r}, {b!r})", f"({a!r}).hex()",
        f"float.fromhex({a.hex()!r})", f"({a!r}).is_integer()"])


def format_case():
    kind = rng.randrange(5)
    if kind == 0:
        return f"format({number()}, {spec(['', 'd', 'x', 'X', 'b', 'o', 'n', 'e', 'f', 'g', '%', 'c', 's'])!r})"
    if kind == 1:
        return f"format({real()!r}, {spec(['', 'e', 'f', 'g', 'E', 'G', 'F', '%', 'n', 'd'])!r})"
    if kind == 2:
        return f"format({rng.choice(WORDS)!r}, {spec(['', 's', 'd'])!r})"
    if kind == 3:
        return f"{percent()!r} % ({operand()!r},)"
    a, b = operand(), operand()
    return f"{rng.choice(['{}|{}', '{0!r}|{1:>8}', '{1}{0!s:^9}', '{:{w}}|{}', '{a}|{0}{1}', '{0[0]}{1}'])!r}" \
           f".format({a!r}, {b!r}, a={a!r}, w=7)"


def literal(text):
    out = ""
    for byte in text.encode():
        c = chr(byte)
        out += f"\\{byte:03o}" if byte < 32 or byte > 126 or c in '"\\?' else c
    return f'"{out}"'


def main():
    makers = [string_case, number_case, real_case, format_case]
    for i in range(int(sys.argv[1])):
        case = makers[i % len(makers)]()
        try:
            answer = repr(eval(case))
        except Exception as e:
            answer = f"{type(e).__name__}: {e}"
        print(f"{{{literal(case)},\n {literal(answer)}}},")


main()
