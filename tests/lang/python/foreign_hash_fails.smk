# ours only: CPython has hashed it already.
# A key of ours that fails when it is asked for its hash over there is an exception, and python3 goes on.
import pprint


class Key:
    def __hash__(self):
        if armed:
            raise ValueError("no hash today")
        return 1


armed = False
keys = {Key(): 1}
armed = True
try:
    print(pprint.pformat(keys))
except ValueError as e:
    print(e)
print(pprint.pformat([1]))
# expect: no hash today
# expect: [1]
