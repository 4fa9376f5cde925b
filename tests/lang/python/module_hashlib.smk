import hashlib
print(hashlib.md5(b"abc").hexdigest(), hashlib.sha256("é".encode()).hexdigest()[:16])
# expect: 900150983cd24fb0d6963f7d28e17f72 4a99557e4033c353
