print("é".encode(), b"\xc3\xa9".decode(), b"ab"[0], b"ab" + b"c", len("é".encode("utf-8")))
# expect: b'\xc3\xa9' é 97 b'abc' 2
