def f(x):
    try:
        return 10 / x
    except ZeroDivisionError as e:
        return f"zero: {e}"
    except (TypeError, ValueError):
        return "type"
    finally:
        print("finally", x)
print(f(2), f(0), f("a"))
try:
    pass
except Exception:
    print("never")
else:
    print("else")
# expect: finally 2
# expect: finally 0
# expect: finally a
# expect: 5.0 zero: division by zero type
# expect: else
