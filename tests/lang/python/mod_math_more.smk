import math
from math import inf, nan


def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__, e)



t(lambda: math.fsum([.1]*10))  # expect: 1.0
t(lambda: math.fsum([1e100,1,-1e100]))  # expect: 1.0
t(lambda: math.prod([1,2,3]))  # expect: 6
t(lambda: math.prod([1.5,2],start=2))  # expect: 6.0
t(lambda: math.prod([]))  # expect: 1
t(lambda: math.hypot())  # expect: 0.0
t(lambda: math.hypot(3,4))  # expect: 5.0
t(lambda: math.hypot(1,2,3))  # expect: 3.7416573867739413
t(lambda: math.gcd())  # expect: 0
t(lambda: math.gcd(12))  # expect: 12
t(lambda: math.gcd(12,18,27))  # expect: 3
t(lambda: math.gcd(-4,6))  # expect: 2
t(lambda: math.gcd(10**30,10**20*7))  # expect: 100000000000000000000
t(lambda: math.lcm())  # expect: 1
t(lambda: math.lcm(4,6))  # expect: 12
t(lambda: math.lcm(0,5))  # expect: 0
t(lambda: math.pi)  # expect: 3.141592653589793
t(lambda: math.e)  # expect: 2.718281828459045
t(lambda: math.tau)  # expect: 6.283185307179586
t(lambda: math.inf)  # expect: inf
t(lambda: math.nan)  # expect: nan
t(lambda: math.log(2**10000))  # expect: 6931.471805599453
t(lambda: math.log10(10**400))  # expect: 400.0
t(lambda: math.log2(2**5000))  # expect: 5000.0
t(lambda: math.log(8,2))  # expect: 3.0
t(lambda: math.log(10,1))  # expect: ZeroDivisionError float division by zero
t(lambda: math.log(0))  # expect: ValueError math domain error
t(lambda: math.log(-1))  # expect: ValueError math domain error
t(lambda: math.factorial(20))  # expect: 2432902008176640000
t(lambda: math.factorial(100))  # expect: 93326215443944152681699238856266700490715968264381621468592963895217599993229915608941463976156518286253697920827223758251185210916864000000000000000000000000
t(lambda: math.factorial(-1))  # expect: ValueError factorial() not defined for negative values
t(lambda: math.factorial(2.0))  # expect: TypeError 'float' object cannot be interpreted as an integer
t(lambda: math.isqrt(10**40))  # expect: 100000000000000000000
t(lambda: math.isqrt(-1))  # expect: ValueError isqrt() argument must be nonnegative
t(lambda: math.comb(5,2))  # expect: 10
t(lambda: math.comb(100,50))  # expect: 100891344545564193334812497256
t(lambda: math.comb(-1,2))  # expect: ValueError n must be a non-negative integer
t(lambda: math.comb(5,-1))  # expect: ValueError k must be a non-negative integer
t(lambda: math.comb(2,5))  # expect: 0
t(lambda: math.perm(5))  # expect: 120
t(lambda: math.perm(5,2))  # expect: 20
t(lambda: math.perm(2,5))  # expect: 0
t(lambda: math.perm(-1))  # expect: ValueError factorial() not defined for negative values
t(lambda: math.floor(1e20))  # expect: 100000000000000000000
t(lambda: math.ceil(-0.5))  # expect: 0
t(lambda: math.trunc(-1.7))  # expect: -1
t(lambda: math.floor(10**30))  # expect: 1000000000000000000000000000000
t(lambda: math.fsum([math.inf,-math.inf]))  # expect: ValueError -inf + inf in fsum
t(lambda: math.fsum([1,'x']))  # expect: TypeError must be real number, not str
t(lambda: math.isclose(1,1+1e-10))  # expect: True
t(lambda: math.isclose(1,1.1,rel_tol=.2))  # expect: True
t(lambda: math.isclose(0,1e-10,abs_tol=1e-9))  # expect: True
t(lambda: math.isclose(1,1,rel_tol=-1))  # expect: ValueError tolerances must be non-negative
t(lambda: math.dist([0,0],[3,4]))  # expect: 5.0
t(lambda: math.dist([1],[1,2]))  # expect: ValueError both points must have the same number of dimensions
t(lambda: math.modf(-2.5))  # expect: (-0.5, -2.0)
t(lambda: math.frexp(8))  # expect: (0.5, 4)
t(lambda: math.ldexp(1,5000))  # expect: OverflowError math range error
t(lambda: math.ldexp(1.5,-2000))  # expect: 0.0
t(lambda: math.pow(2,.5))  # expect: 1.4142135623730951
t(lambda: math.pow(-8,1/3))  # expect: ValueError math domain error
t(lambda: math.pow(0,-1))  # expect: ValueError math domain error
t(lambda: math.pow(10,400))  # expect: OverflowError math range error
t(lambda: math.sqrt(-1))  # expect: ValueError math domain error
t(lambda: math.sqrt(2))  # expect: 1.4142135623730951
t(lambda: math.fmod(-7,3))  # expect: -1.0
t(lambda: math.fmod(1,0))  # expect: ValueError math domain error
t(lambda: math.remainder(7,4))  # expect: -1.0
t(lambda: math.exp(1000))  # expect: OverflowError math range error
t(lambda: math.cosh(1000))  # expect: OverflowError math range error
t(lambda: math.gamma(0))  # expect: ValueError math domain error
t(lambda: math.gamma(200))  # expect: OverflowError math range error
t(lambda: math.lgamma(0))  # expect: ValueError math domain error
t(lambda: math.nextafter(1,2))  # expect: 1.0000000000000002
t(lambda: math.ulp(1))  # expect: 2.220446049250313e-16
t(lambda: math.degrees(math.pi))  # expect: 180.0
t(lambda: math.radians(180))  # expect: 3.141592653589793
t(lambda: math.ceil('x'))  # expect: TypeError must be real number, not str
t(lambda: math.cbrt(27))  # expect: 3.0000000000000004
t(lambda: math.atan2(1.0, 2.0))  # expect: 0.4636476090008061
t(lambda: math.atan2(-1.0, 0.0))  # expect: -1.5707963267948966
t(lambda: math.atan2(inf, 2))  # expect: 1.5707963267948966
t(lambda: math.atan2(3, -inf))  # expect: 3.141592653589793
t(lambda: math.atan2(nan, 1))  # expect: nan
t(lambda: math.atan2(12, 18))  # expect: 0.5880026035475675
t(lambda: math.atan2(0, 0))  # expect: 0.0
t(lambda: math.copysign(1.0, 2.0))  # expect: 1.0
t(lambda: math.copysign(-1.0, 0.0))  # expect: 1.0
t(lambda: math.copysign(inf, 2))  # expect: inf
t(lambda: math.copysign(3, -inf))  # expect: -3.0
t(lambda: math.copysign(nan, 1))  # expect: nan
t(lambda: math.copysign(12, 18))  # expect: 12.0
t(lambda: math.copysign(0, 0))  # expect: 0.0
t(lambda: math.fmod(1.0, 2.0))  # expect: 1.0
t(lambda: math.fmod(-1.0, 0.0))  # expect: ValueError math domain error
t(lambda: math.fmod(inf, 2))  # expect: ValueError math domain error
t(lambda: math.fmod(3, -inf))  # expect: 3.0
t(lambda: math.fmod(nan, 1))  # expect: nan
t(lambda: math.fmod(12, 18))  # expect: 12.0
t(lambda: math.fmod(0, 0))  # expect: ValueError math domain error
t(lambda: math.hypot(1.0, 2.0))  # expect: 2.23606797749979
t(lambda: math.hypot(-1.0, 0.0))  # expect: 1.0
t(lambda: math.hypot(inf, 2))  # expect: inf
t(lambda: math.hypot(3, -inf))  # expect: inf
t(lambda: math.hypot(nan, 1))  # expect: nan
t(lambda: math.hypot(12, 18))  # expect: 21.633307652783937
t(lambda: math.hypot(0, 0))  # expect: 0.0
t(lambda: math.pow(1.0, 2.0))  # expect: 1.0
t(lambda: math.pow(-1.0, 0.0))  # expect: 1.0
t(lambda: math.pow(inf, 2))  # expect: inf
t(lambda: math.pow(3, -inf))  # expect: 0.0
t(lambda: math.pow(nan, 1))  # expect: nan
t(lambda: math.pow(12, 18))  # expect: 2.6623333280885244e+19
t(lambda: math.pow(0, 0))  # expect: 1.0
t(lambda: math.remainder(1.0, 2.0))  # expect: 1.0
t(lambda: math.remainder(-1.0, 0.0))  # expect: ValueError math domain error
t(lambda: math.remainder(inf, 2))  # expect: ValueError math domain error
t(lambda: math.remainder(3, -inf))  # expect: 3.0
t(lambda: math.remainder(nan, 1))  # expect: nan
t(lambda: math.remainder(12, 18))  # expect: -6.0
t(lambda: math.remainder(0, 0))  # expect: ValueError math domain error
t(lambda: math.nextafter(1.0, 2.0))  # expect: 1.0000000000000002
t(lambda: math.nextafter(-1.0, 0.0))  # expect: -0.9999999999999999
t(lambda: math.nextafter(inf, 2))  # expect: 1.7976931348623157e+308
t(lambda: math.nextafter(3, -inf))  # expect: 2.9999999999999996
t(lambda: math.nextafter(nan, 1))  # expect: nan
t(lambda: math.nextafter(12, 18))  # expect: 12.000000000000002
t(lambda: math.nextafter(0, 0))  # expect: 0.0
t(lambda: math.log(1.0, 2.0))  # expect: 0.0
t(lambda: math.log(-1.0, 0.0))  # expect: ValueError math domain error
t(lambda: math.log(inf, 2))  # expect: inf
t(lambda: math.log(3, -inf))  # expect: ValueError math domain error
t(lambda: math.log(nan, 1))  # expect: ZeroDivisionError float division by zero
t(lambda: math.log(12, 18))  # expect: 0.8597186998521973
t(lambda: math.log(0, 0))  # expect: ValueError math domain error
t(lambda: math.gcd(1.0, 2.0))  # expect: TypeError 'float' object cannot be interpreted as an integer
t(lambda: math.gcd(-1.0, 0.0))  # expect: TypeError 'float' object cannot be interpreted as an integer
t(lambda: math.gcd(inf, 2))  # expect: TypeError 'float' object cannot be interpreted as an integer
t(lambda: math.gcd(3, -inf))  # expect: TypeError 'float' object cannot be interpreted as an integer
t(lambda: math.gcd(nan, 1))  # expect: TypeError 'float' object cannot be interpreted as an integer
t(lambda: math.gcd(12, 18))  # expect: 6
t(lambda: math.gcd(0, 0))  # expect: 0

# Many floats on: across zero, past the end, from one infinity to the other.
for x, y in ((1.0, 2.0), (5e-324, -1.0), (-5e-324, 1.0), (-1.0, inf), (-inf, inf), (3, 3), (0.0, -0.0), (nan, 1.0), (1.0, nan)):
    print([math.nextafter(x, y, steps=n) for n in (0, 1, 2, 1000, 2**62, 2**63 + 7, 2**70)])
for n in (-1, -2**70, 1.5, None):
    t(lambda: math.nextafter(1.0, 2.0, steps=n))

# Products of floats, or of floats and ints, are summed as if with more digits, all others one by one.
for p, q in (([], []), ([1, 2], [3, 4]), ([1], []), ([], [1]), ([10**30], (10**30,)), ([0.1] * 10, [1] * 10), ([1e16, 1.0, -1e16], [1, 1, 1]),
             ([1e100, 1e-10, -1e100], [1.0, 1.5, 1.0]), ([1, 0.5, 2], [3, 2, 4]), ([1.5, 2], [True, False]), ([1.5], [10**400]),
             ([1e308, 1e308, -1e308], [10.0, 1.0, 1.0]), ([inf], [0.0]), ([0.1] * 10 + [1j], [1] * 10 + [2]), (["a"], [1]),
             (iter([0.3, 0.3]), range(7, 9)), (1, [2])):
    t(lambda: math.sumprod(p, q))

# expect: [1.0, 1.0000000000000002, 1.0000000000000004, 1.000000000000222, 2.0, 2.0, 2.0]
# expect: [5e-324, 0.0, -5e-324, -4.936e-321, -1.0, -1.0, -1.0]
# expect: [-5e-324, -0.0, 5e-324, 4.936e-321, 1.0, 1.0, 1.0]
# expect: [-1.0, -0.9999999999999999, -0.9999999999999998, -0.999999999999889, 2.2250738585072014e-308, 4.000000000000006, inf]
# expect: [-inf, -1.7976931348623157e+308, -1.7976931348623155e+308, -1.7976931348621163e+308, -1.0, 2.225073858507205e-308, inf]
# expect: [3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0]
# expect: [0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0]
# expect: [nan, nan, nan, nan, nan, nan, nan]
# expect: [1.0, nan, nan, nan, nan, nan, nan]
# expect: ValueError steps must be a non-negative integer
# expect: ValueError steps must be a non-negative integer
# expect: TypeError 'float' object cannot be interpreted as an integer
# expect: 1.0000000000000002
# expect: 0
# expect: 11
# expect: ValueError Inputs are not the same length
# expect: ValueError Inputs are not the same length
# expect: 1000000000000000000000000000000000000000000000000000000000000
# expect: 1.0
# expect: 1.0
# expect: 1.5e-10
# expect: 12.0
# expect: 1.5
# expect: OverflowError int too large to convert to float
# expect: inf
# expect: nan
# expect: (1+2j)
# expect: TypeError unsupported operand type(s) for +: 'int' and 'str'
# expect: 4.5
# expect: TypeError 'int' object is not iterable
