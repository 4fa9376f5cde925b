try:
    try:
        {}["k"]
    except KeyError as e:
        raise ValueError("bad config") from e
except ValueError as v:
    print(v, repr(v.__cause__))  # expect: bad config KeyError('k')
try:
    raise RuntimeError
except RuntimeError as e:
    print(repr(e), str(e) == "")  # expect: RuntimeError() True
