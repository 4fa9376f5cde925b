# Code points of long texts are found in few steps: in several texts in turn, and anywhere.
import random


def check(text, tries):
    points = list(text)
    for _ in range(tries):
        i = random.randrange(-len(points), len(points))
        j = i + random.randrange(9)
        assert text[i] == points[i], i
        assert text[i:j] == "".join(points[i:j]), (i, j)
        at = i % len(points)
        assert text.index(points[at], at) == at and text.find("\0", at) == -1
        assert text.count("", at) == len(points) - at + 1


random.seed(1)
letters = "aé日😀"
for n in (1, 63, 64, 65, 255, 1000, 5000):
    check("".join(random.choice(letters) for _ in range(n)), 300)
    check("é" * n, 50)
    check("a" * n + "é", 50)


def differing(s, t):
    return sum(s[i] != t[i] for i in range(len(s))), sum(s[i * 7919 % len(s)] == "é" for i in range(len(s)))


print(differing("é" * 200000, "é" * 199999 + "ü"))  # expect: (1, 200000)
