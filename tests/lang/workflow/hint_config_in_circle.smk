# The search in config ends where code has closed a circle.
config["self"] = [config]
x = {"sample": 1}["samples"]
# expect error: hint: did you mean 'sample'?
