# Texts in other encodings than UTF-8: what Excel and Windows write.
import csv, os, tempfile
def tell(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
print("aß€".encode("utf-16"), "aß".encode("utf-16-be")) # expect: b'\xff\xfea\x00\xdf\x00\xac ' b'\x00a\x00\xdf'
print("aß€".encode("cp1252"), "aß€".encode("iso8859-15")) # expect: b'a\xdf\x80' b'a\xdf\xa4'
print("🙂".encode("utf-32"), "é".encode("cp437")) # expect: b'\xff\xfe\x00\x00B\xf6\x01\x00' b'\x82'
print(b"\xfe\xff\x00a".decode("utf-16"), b"\x80\x9f".decode("windows-1252"), b"\xd0".decode("koi8-r")) # expect: a €Ÿ п
tell(lambda: "日本x".encode("cp1252")) # expect: UnicodeEncodeError 'charmap' codec can't encode characters in position 0-1: character maps to <undefined>
tell(lambda: b"ab\x81".decode("cp1252")) # expect: UnicodeDecodeError 'charmap' codec can't decode byte 0x81 in position 2: character maps to <undefined>
tell(lambda: b"a\0b".decode("utf-16")) # expect: UnicodeDecodeError 'utf-16-le' codec can't decode byte 0x62 in position 2: truncated data
tell(lambda: b"\x00\xdc".decode("utf-16-le")) # expect: UnicodeDecodeError 'utf-16-le' codec can't decode bytes in position 0-1: illegal encoding
tell(lambda: "a\udc80".encode("utf-16", "surrogateescape")) # expect: UnicodeEncodeError 'utf-16' codec can't encode character '\udc80' in position 1: surrogates not allowed
print("日x".encode("cp1252", "replace"), "日x".encode("cp1252", "xmlcharrefreplace")) # expect: b'?x' b'&#26085;x'
print("日".encode("cp1252", "ignore"), b"a\x81".decode("cp1252", "backslashreplace")) # expect: b'' a\x81
tell(lambda: "a".encode("nope")) # expect: LookupError unknown encoding: nope

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "table.csv")
    for encoding in "utf-16", "utf-16-le", "utf-8-sig", "cp1252", "latin-1":
        with open(path, "w", encoding=encoding, newline="") as f:
            csv.writer(f).writerows([["name", "µm"], ["é", "1"]])
        with open(path, "a", encoding=encoding) as f:
            f.write("last,2\n")
        with open(path, encoding=encoding) as f:
            print(f.encoding, f.read(3), list(csv.reader(f)))
        with open(path, encoding=encoding, newline="") as f:
            f.readline()
            f.seek(0)
            print(repr(f.readline()), os.path.getsize(path))
# expect: utf-16 nam [['e', 'µm'], ['é', '1'], ['last', '2']]
# expect: 'name,µm\r\n' 44
# expect: utf-16-le nam [['e', 'µm'], ['é', '1'], ['last', '2']]
# expect: 'name,µm\r\n' 42
# expect: utf-8-sig nam [['e', 'µm'], ['é', '1'], ['last', '2']]
# expect: 'name,µm\r\n' 26
# expect: cp1252 nam [['e', 'µm'], ['é', '1'], ['last', '2']]
# expect: 'name,µm\r\n' 21
# expect: latin-1 nam [['e', 'µm'], ['é', '1'], ['last', '2']]
# expect: 'name,µm\r\n' 21
    with open(path, "wb") as f:
        f.write(b"\xe9\xe8x")
    print(open(path, encoding="latin-1").read(2)) # expect: éè

print(repr(r"\t\x41\u20ac".encode().decode("unicode_escape")), "é\t€\\".encode("unicode_escape")) # expect: '\tA€' b'\\xe9\\t\\u20ac\\\\'
tell(lambda: rb"a\x4".decode("unicode_escape")) # expect: UnicodeDecodeError 'unicodeescape' codec can't decode bytes in position 1-3: truncated \xXX escape
import json
print(json.loads("{\"a\": \"é\"}".encode("utf-16"))) # expect: {'a': 'é'}
