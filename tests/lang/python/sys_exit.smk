import sys
print("before")  # expect: before
sys.exit(3)
print("after")
# expect status: 3
