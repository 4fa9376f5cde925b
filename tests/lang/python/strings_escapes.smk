print("tab\there", 'q\'s', "\x41\u00e9\U0001F600", "\101", r"raw\n", b"\x00a")
print("""two
lines""", "back\\slash", "unknown \d kept", "a\
b")
# expect: tab	here q's Aé😀 A raw\n b'\x00a'
# expect: two
# expect: lines back\slash unknown \d kept ab
