# Positions in long text that is not ASCII, forwards, backwards, by jumps and in turns of two texts.
import re
text = "".join(chr(97 + i % 26) + "é€😀"[i % 3] * (i % 4) for i in range(2000))
letters = list(text)
n = len(letters)
print([text[i] for i in range(n)] == letters)
print([text[-i - 1] for i in range(n)] == letters[::-1])
print(all(text[i * 7919 % n] == letters[i * 7919 % n] for i in range(n)))
print(all(text[i:i + 5] == "".join(letters[i:i + 5]) for i in range(0, n, 3)))
print(all(text[i::-9] == "".join(letters[i::-9]) for i in range(0, n, 300)))
other = text[::-1]
print(all(text[i] == other[n - i - 1] for i in range(n)))
print([m.start() for m in re.finditer("a", text)] == [i for i in range(n) if letters[i] == "a"])
at, found = -1, []
while (at := text.find("b", at + 1)) >= 0:
    found.append(at)
print(found == [i for i in range(n) if letters[i] == "b"], text.rfind("b") == found[-1])
print(re.compile("a").search(text, 100).start(), text.index("€", 50), text[n - 1:] == letters[-1])
# Once through a text of 300000 is no work of minutes.
big = "é" * 300000
print(sum(big[i] == "é" for i in range(len(big))))
import io
lines = io.StringIO("é\n" * 100000)
print(sum(1 for line in lines))
# expect: True
# expect: True
# expect: True
# expect: True
# expect: True
# expect: True
# expect: True
# expect: True True
# expect: 130 54 True
# expect: 300000
# expect: 100000
