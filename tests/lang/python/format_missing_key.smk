"{a}".format(b=1)
# expect error: KeyError: 'a'
