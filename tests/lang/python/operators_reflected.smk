# Who is asked first, and how often, when both operands have methods for an operator.
class A:
    def __add__(self, other):
        print("A.__add__")
        return NotImplemented
    def __mul__(self, other):
        return "A.__mul__"
    def __rsub__(self, other):
        return "A.__rsub__"
    def __sub__(self, other):
        return NotImplemented
class B:
    def __radd__(self, other):
        print("B.__radd__")
        return NotImplemented
class C(A):
    def __rmul__(self, other):
        return "C.__rmul__"
class D(A): pass
def tell(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
tell(lambda: A() + B()) # expect: A.__add__
# expect: B.__radd__
# expect: TypeError unsupported operand type(s) for +: 'A' and 'B'
print(A() * C(), A() * D(), C() * A(), sep=", ") # expect: C.__rmul__, A.__mul__, A.__mul__
tell(lambda: A() - A()) # expect: TypeError unsupported operand type(s) for -: 'A' and 'A'
print(A() - D(), 1 - A(), sep=", ") # expect: A.__rsub__, A.__rsub__

class Text(str):
    def __radd__(self, other):
        return "Text.__radd__"
print("a" + Text("b"), Text("a") + "b", Text("a") + Text("b"), sep=", ") # expect: Text.__radd__, ab, ab
class Whole(int):
    def __rsub__(self, other):
        return "Whole.__rsub__"
print(3 - Whole(2), Whole(3) - 2, 2.5 - Whole(1), sep=", ") # expect: Whole.__rsub__, 1, 1.5
tell(lambda: divmod([], 1)) # expect: TypeError unsupported operand type(s) for divmod(): 'list' and 'int'
class Ratio:
    def __rdivmod__(self, other):
        return other, "rdivmod"
print(divmod(7, Ratio())) # expect: (7, 'rdivmod')
