# A match keeps what it found in a bytearray that changes; paths compare by their parts as texts; % wants a value first.
import re
print(re.split(b",", bytearray(b"a,b")), re.findall(b"(a)(b)?", bytearray(b"aab")))
from pathlib import PurePosixPath as P
print([str(p) for p in sorted([P("a/b"), P("a.b"), P("a"), P("/a"), P(""), P("../x"), P("a-b/c"), P("a/b/c")])])
print(P("") < P("/a"), P("/a/b/../c") < P("."), P("//x/y").root, P("//x/y").anchor, P("///x").root)
for t in ("%5%", "%-%", "%%", "%y"):
    for values in ((), (1,)):
        try:
            print(t % values)
        except (ValueError, TypeError) as e:
            print(e)

# expect: [b'a', b'b'] [(b'a', b''), (b'a', b'b')]
# expect: ['/a', '.', '../x', 'a', 'a/b', 'a/b/c', 'a-b/c', 'a.b']
# expect: False True // // /
# expect: not enough arguments for format string
# expect: unsupported format character '%' (0x25) at index 2
# expect: not enough arguments for format string
# expect: unsupported format character '%' (0x25) at index 2
# expect: %
# expect: not all arguments converted during string formatting
# expect: not enough arguments for format string
# expect: unsupported format character 'y' (0x79) at index 1
