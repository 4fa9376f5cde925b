# Methods of bytes that are rarely called.
def tried(act, *args):
    try:
        return act(*args)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


b = b"Hello\nworld\r\nx"
print(b.lower(), b.splitlines(), b.splitlines(keepends=True), b.rstrip(b"x\r\n"), b.lstrip(b"He"))  # expect: b'hello\nworld\r\nx' [b'Hello', b'world', b'x'] [b'Hello\n', b'world\r\n', b'x'] b'Hello\nworld' b'llo\nworld\r\nx'
print(b.rfind(b"o"), b.index(b"w"), b.index(111), b.rindex(111, 0, 5), tried(b.index, b"z"))  # expect: 7 6 4 4 ValueError: subsection not found
print(b.count(111), b.hex(":", 2), bytes.fromhex("48 65"), tried(bytes.fromhex, "4"))  # expect: 2 4865:6c6c:6f0a:776f:726c:640d:0a78 b'He' ValueError: non-hexadecimal number found in fromhex() arg at position 1
print(b.translate(None, b"lo"), b"a\tb".expandtabs(4), b"5".zfill(3), b"ab".center(6, b"-"))  # expect: b'He\nwrd\r\nx' b'a   b' b'005' b'--ab--'
