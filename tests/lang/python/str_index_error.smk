"abc"[5]
# expect error: IndexError: string index out of range
