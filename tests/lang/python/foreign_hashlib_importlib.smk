# What hashlib, importlib and urllib do not have here is python3's.
import hashlib, importlib, os, sys, tempfile
print(hashlib.blake2b(b"a", digest_size=8).hexdigest(), hashlib.sha3_256(b"a").hexdigest()[:8]) # expect: 40f89e395b66422f 80084bf2
print(hashlib.new("blake2s", b"a").name, hashlib.pbkdf2_hmac("sha256", b"a", b"b", 2).hex()[:8]) # expect: blake2s a14585f5
print(hasattr(hashlib, "nothing"), hasattr(importlib, "nothing")) # expect: False False
print(importlib.import_module("os.path") is os.path, importlib.import_module("json").dumps([1])) # expect: True [1]
with tempfile.TemporaryDirectory() as folder:
    open(os.path.join(folder, "kf_local.py"), "w").write("def twice(x):\n    return 2 * x\n")
    os.mkdir(os.path.join(folder, "kf_package"))
    open(os.path.join(folder, "kf_package", "__init__.py"), "w").write("")
    open(os.path.join(folder, "kf_package", "part.py"), "w").write("NAME = __name__\n")
    sys.path.insert(0, folder)
    local = importlib.import_module("kf_local")
    print(local.twice(4), sys.modules["kf_local"] is local) # expect: 8 True
    print(importlib.import_module(".part", package="kf_package").NAME) # expect: kf_package.part
    open(os.path.join(folder, "kf_local.py"), "w").write("def twice(x):\n    return x, x\n")
    print(importlib.reload(local) is local, local.twice(4)) # expect: True (4, 4)
try:
    importlib.import_module("kf_nothing")
except ModuleNotFoundError as e:
    print(e) # expect: No module named 'kf_nothing'
# Parts that Snakemake's own process has imported are there unasked.
import html, http, logging, urllib
print(importlib.util.find_spec("kf_nothing"), importlib.metadata.__name__, importlib.machinery.__name__) # expect: None importlib.metadata importlib.machinery
print(urllib.parse.quote("a b"), urllib.request.__name__, logging.handlers.__name__) # expect: a%20b urllib.request logging.handlers
print(http.client.__name__, html.parser.__name__, hasattr(urllib, "nothing"), hasattr(logging, "nothing")) # expect: http.client html.parser False False
import importlib.util
print(importlib.util.find_spec("kf_nothing"), importlib.util.find_spec("sqlite3").name) # expect: None sqlite3
import urllib.request
try:
    urllib.request.urlopen("file:///kf/nothing")
except urllib.error.URLError as e:
    print(type(e).__name__) # expect: URLError
# A socket is python3's, and so is what is rarely asked of the platform.
import platform, socket
with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as s:
    s.bind(("127.0.0.1", 0))
    print(s.getsockname()[0], s.getsockname()[1] > 0, socket.error is OSError, len(platform.libc_ver())) # expect: 127.0.0.1 True True 2
