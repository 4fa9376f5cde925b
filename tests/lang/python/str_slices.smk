s = "abcdef"
print(s[0], s[-1], s[1:3], s[:2], s[-2:], s[::2], s[::-1], s[10:], s[4:1])
print("äöü"[1], len("äöü"), "日本語"[::-1], len("😀a"))
# expect: a f bc ab ef ace fedcba
# expect: ö 3 語本日 2
