x = 1
y = f(1, 2
z = 3
# expect error: '(' was never closed
# expect error: :2:6
# ours only (places as file:line:column)
