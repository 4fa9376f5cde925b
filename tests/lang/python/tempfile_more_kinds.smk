# Temporary files in memory's stead, and ones that stay until the end of the block.
import os
import tempfile

with tempfile.SpooledTemporaryFile(max_size=1000, mode="w+") as f:
    f.write("text")
    f.seek(0)
    print(f.read())  # expect: text
with tempfile.NamedTemporaryFile("w", delete_on_close=False) as f:
    f.write("kept")
    f.close()
    print(open(f.name).read())  # expect: kept
print(os.path.exists(f.name))  # expect: False
