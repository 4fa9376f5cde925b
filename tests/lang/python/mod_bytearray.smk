b = bytearray(b"abc")
b.append(100); b.extend(b"ef"); b += b"g"; b[0] = 65; b[1:3] = b"XYZ"
print(b, len(b), b[0], b[1:3], bytes(b), b.decode(), b == b"AXYZdefg", b.upper(), 65 in b, b"XY" in b)
del b[0]; b.insert(0, 48); print(b.pop(), b, b.find(b"Z"), b.startswith(b"0"), b.hex(), list(b), b.reverse(), b)
print(bytearray(3), bytearray([1, 2]), bytearray("é", "utf-8"), bytearray(), bool(bytearray()), b * 2, b + b"x", b"x" + b, isinstance(b, bytes), type(b))
b.clear(); print(b, repr(b))
try: hash(b)
except TypeError as e: print(e)
try: b.append(300)
except ValueError as e: print(e)
b = bytearray(b"hello"); b.remove(ord("l")); print(b, b.replace(b"l", b"LL"), b.split(b"l"), bytearray.fromhex("00ff"), b.copy() is b, sorted(b))
print(bytes(bytearray(b"x")), b.join([b"1", b"2"]), b < b"z", memoryview if 0 else "")

# expect: bytearray(b'AXYZdefg') 8 65 bytearray(b'XY') b'AXYZdefg' AXYZdefg True bytearray(b'AXYZDEFG') True True
# expect: 103 bytearray(b'fedZYX0') 3 True 3058595a646566 [48, 88, 89, 90, 100, 101, 102] None bytearray(b'fedZYX0')
# expect: bytearray(b'\x00\x00\x00') bytearray(b'\x01\x02') bytearray(b'\xc3\xa9') bytearray(b'') False bytearray(b'fedZYX0fedZYX0') bytearray(b'fedZYX0x') b'xfedZYX0' False <class 'bytearray'>
# expect: bytearray(b'') bytearray(b'')
# expect: unhashable type: 'bytearray'
# expect: byte must be in range(0, 256)
# expect: bytearray(b'helo') bytearray(b'heLLo') [bytearray(b'he'), bytearray(b'o')] bytearray(b'\x00\xff') False [101, 104, 108, 111]
# expect: b'x' bytearray(b'1helo2') True
