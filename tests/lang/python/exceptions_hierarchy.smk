for exc in [KeyError("k"), IndexError("i"), FileNotFoundError("f"), ValueError(), UnicodeDecodeError("utf-8", b"", 0, 1, "r")]:
    try:
        raise exc
    except LookupError as e:
        print("lookup", repr(e), e.args)
    except OSError as e:
        print("os", e)
    except ValueError as e:
        print("value", type(e).__name__)
# expect: lookup KeyError('k') ('k',)
# expect: lookup IndexError('i') ('i',)
# expect: os f
# expect: value ValueError
# expect: value UnicodeDecodeError
