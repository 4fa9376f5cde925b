assert 1 + 1 == 2
assert "x" in {}, "no x there"
# expect error: AssertionError: no x there
