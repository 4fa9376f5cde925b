# Changing one byte, or adding some at the end, does not copy the rest.
a = bytearray()
for i in range(300000):
    a.append(i & 255)
for i in range(300000):
    a[i] = a[i] ^ 1
for i in range(100000):
    a += b"xyz"
print(len(a), a[:4], a[-4:])
a[1:3] = b"longer than before"
a[-3:] = b""
del a[30:]
a.insert(2, 33)
a.extend(a)
a[10:12] = a[0:2]
print(a, a.pop(), a.pop(0), len(a))
a.clear()
a += b"again"
print(a)
a *= 0
print(a, a + b"1", bytes(a))
# expect: 600000 bytearray(b'\x01\x00\x03\x02') bytearray(b'zxyz')
# expect: bytearray(b'l!onger t\x01ln before\x02\x05\x04\x07\x06\t\x08\x0b\n\r\x0c\x01l!onger than before\x02\x05\x04\x07\x06\t\x08\x0b\n\r') 12 1 60
# expect: bytearray(b'again')
# expect: bytearray(b'') bytearray(b'1') b''
