# exec(compile(open(path, "rb").read(), path, "exec")) is how many run a file.
with open("prog.py", "wb") as f:
    f.write(b"\xef\xbb\xbf" + "# -*- coding: utf-8 -*-\nx = 'ä' * 2\n".encode())
exec(compile(open("prog.py", "rb").read(), "prog.py", "exec"))
print(x)  # expect: ää
print(eval(b" 1+1"), eval(bytearray(b"2*3")), eval(memoryview(b"1234")[1:3]))  # expect: 2 6 23
exec(b"y = 7")
print(y)  # expect: 7
for source in (b"1\x002", "1\x002", 5, None):
    try:
        eval(source)
    except Exception as e:
        print(type(e).__name__, e)
# expect: SyntaxError source code string cannot contain null bytes
# expect: SyntaxError source code string cannot contain null bytes
# expect: TypeError eval() arg 1 must be a string, bytes or code object
# expect: TypeError eval() arg 1 must be a string, bytes or code object
try:
    compile(5, "x", "exec")
except TypeError as e:
    print(e)  # expect: compile() arg 1 must be a string, bytes or AST object
for source in (b"'\xe4'", b"\xff", bytearray(b"x = 'a\xf0'")):
    try:
        compile(source, "x", "exec")
    except SyntaxError as e:
        print(str(e).split(" byte")[0])
# expect: (unicode error) 'utf-8' codec can't decode
# expect: (unicode error) 'utf-8' codec can't decode
# expect: (unicode error) 'utf-8' codec can't decode
