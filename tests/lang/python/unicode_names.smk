größe = 3
名前 = "n"
print(größe, 名前, f"{größe:02d}")  # expect: 3 n 03
