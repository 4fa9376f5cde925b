done = []
for text in ["1", "x", "3"]:
    try:
        n = int(text)
    except ValueError:
        continue
    else:
        done.append(n)
    finally:
        done.append("f")
print(done)  # expect: [1, 'f', 'f', 3, 'f']
