# The current directory may be gone.
import os, tempfile

home = os.getcwd()
gone = tempfile.mkdtemp()
os.chdir(gone)
os.rmdir(gone)
for look in (os.getcwd, lambda: os.path.abspath("a"), lambda: os.path.realpath("a"), lambda: os.path.relpath("a")):
    try:
        print(look())
    except FileNotFoundError as error:
        print(error.errno, error.filename)
# expect: 2 None
# expect: 2 None
# expect: 2 None
# expect: 2 None
print(os.path.abspath("/a/../b"), os.path.realpath("/"), os.path.relpath("/a/b", "/a"))  # expect: /b / b
os.chdir(home)
print(os.getcwd() == home)  # expect: True
