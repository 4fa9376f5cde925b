if True:
print(1)
# expect error: expected an indented block after 'if' statement on line 1
