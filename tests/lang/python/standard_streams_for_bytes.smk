# sys.stdout.buffer takes bytes, in turn with what print() writes; sys.stdin.buffer gives them.
import io
import shutil
import sys

print("text")
sys.stdout.buffer.write(b"bytes\n")
shutil.copyfileobj(io.BytesIO(b"copied\n"), sys.stdout.buffer)
print(sys.stdin.buffer.read(), sys.stdout.buffer is sys.stdout.buffer)
# expect: text
# expect: bytes
# expect: copied
# expect: b'' True
try:
    sys.stdout.buffer.write("text")
except TypeError as error:
    print(error)  # expect: a bytes-like object is required, not 'str'
sys.stdout.reconfigure(line_buffering=True)
print("é")  # expect: é
