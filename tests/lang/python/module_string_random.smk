import random, string
random.seed(42)
x = random.random()
print(0 <= x < 1, string.ascii_lowercase[:3], string.digits, random.choice([5]) == 5)
# expect: True abc 0123456789 True
