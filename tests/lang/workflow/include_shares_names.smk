A = 1
include: os.path.join(os.getcwd(), "b.smk")
print(B, helper(2))  # expect: 2 3
# file b.smk: B = A + 1\ndef helper(x):\n    return x + A\n
