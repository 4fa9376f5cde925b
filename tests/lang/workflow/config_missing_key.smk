x = config["samples"]
# expect error: KeyError
# expect error: samples
