import sys
print("before")  # expect: before
sys.exit(3)
# expect status: 3
