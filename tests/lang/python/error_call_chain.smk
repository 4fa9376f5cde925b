def inner(v):
    return v["missing"]
def outer():
    return inner({})
outer()
# expect error: KeyError: 'missing'
# expect error: :2:
# expect error: :4:
# expect error: :5:
# ours only (places as file:line)
