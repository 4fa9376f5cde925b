# No code has caught it: what may have been meant.
{"alpha": 1, "beta": 2, 3: 4}.pop("aplha")
# expect error: KeyError: 'aplha'
# expect error: did you mean 'alpha'?
