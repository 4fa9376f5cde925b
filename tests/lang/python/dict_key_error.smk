{"a": 1}["b"]
# expect error: KeyError: 'b'
