print("abC".upper(), "ABc".lower(), "hello world".title(), "hELLO".capitalize(), "aB".swapcase())
print("straße".upper(), "Ä".lower(), "abc".isalpha(), "12".isdigit(), "a1".isalnum(), " ".isspace())
print("abc".islower(), "ABC".isupper(), "x_1".isidentifier(), "1x".isidentifier())
# expect: ABC abc Hello World Hello Ab
# expect: STRASSE ä True True True True
# expect: True True True False
