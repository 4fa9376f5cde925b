d = {"a": 1}
for k in d:
    d[k + "x"] = 1
# expect error: RuntimeError: dictionary changed size during iteration
