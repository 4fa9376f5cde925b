import math
from math import inf, nan


def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__, e)



t(lambda: math.acos(0.0))  # expect: 1.5707963267948966
t(lambda: math.acos(-1.0))  # expect: 3.141592653589793
t(lambda: math.acos(0.5))  # expect: 1.0471975511965979
t(lambda: math.acos(800.0))  # expect: ValueError math domain error
t(lambda: math.acos(inf))  # expect: ValueError math domain error
t(lambda: math.acos(-inf))  # expect: ValueError math domain error
t(lambda: math.acos(nan))  # expect: nan
t(lambda: math.acos(3))  # expect: ValueError math domain error
t(lambda: math.acos('x'))  # expect: TypeError must be real number, not str
t(lambda: math.acosh(0.0))  # expect: ValueError math domain error
t(lambda: math.acosh(-1.0))  # expect: ValueError math domain error
t(lambda: math.acosh(0.5))  # expect: ValueError math domain error
t(lambda: math.acosh(800.0))  # expect: 7.3777585176026435
t(lambda: math.acosh(inf))  # expect: inf
t(lambda: math.acosh(-inf))  # expect: ValueError math domain error
t(lambda: math.acosh(nan))  # expect: nan
t(lambda: math.acosh(3))  # expect: 1.762747174039086
t(lambda: math.acosh('x'))  # expect: TypeError must be real number, not str
t(lambda: math.asin(0.0))  # expect: 0.0
t(lambda: math.asin(-1.0))  # expect: -1.5707963267948966
t(lambda: math.asin(0.5))  # expect: 0.5235987755982989
t(lambda: math.asin(800.0))  # expect: ValueError math domain error
t(lambda: math.asin(inf))  # expect: ValueError math domain error
t(lambda: math.asin(-inf))  # expect: ValueError math domain error
t(lambda: math.asin(nan))  # expect: nan
t(lambda: math.asin(3))  # expect: ValueError math domain error
t(lambda: math.asin('x'))  # expect: TypeError must be real number, not str
t(lambda: math.asinh(0.0))  # expect: 0.0
t(lambda: math.asinh(-1.0))  # expect: -0.881373587019543
t(lambda: math.asinh(0.5))  # expect: 0.48121182505960347
t(lambda: math.asinh(800.0))  # expect: 7.377759298852644
t(lambda: math.asinh(inf))  # expect: inf
t(lambda: math.asinh(-inf))  # expect: -inf
t(lambda: math.asinh(nan))  # expect: nan
t(lambda: math.asinh(3))  # expect: 1.8184464592320668
t(lambda: math.asinh('x'))  # expect: TypeError must be real number, not str
t(lambda: math.atan(0.0))  # expect: 0.0
t(lambda: math.atan(-1.0))  # expect: -0.7853981633974483
t(lambda: math.atan(0.5))  # expect: 0.4636476090008061
t(lambda: math.atan(800.0))  # expect: 1.5695463274459376
t(lambda: math.atan(inf))  # expect: 1.5707963267948966
t(lambda: math.atan(-inf))  # expect: -1.5707963267948966
t(lambda: math.atan(nan))  # expect: nan
t(lambda: math.atan(3))  # expect: 1.2490457723982544
t(lambda: math.atan('x'))  # expect: TypeError must be real number, not str
t(lambda: math.atanh(0.0))  # expect: 0.0
t(lambda: math.atanh(-1.0))  # expect: ValueError math domain error
t(lambda: math.atanh(0.5))  # expect: 0.5493061443340548
t(lambda: math.atanh(800.0))  # expect: ValueError math domain error
t(lambda: math.atanh(inf))  # expect: ValueError math domain error
t(lambda: math.atanh(-inf))  # expect: ValueError math domain error
t(lambda: math.atanh(nan))  # expect: nan
t(lambda: math.atanh(3))  # expect: ValueError math domain error
t(lambda: math.atanh('x'))  # expect: TypeError must be real number, not str
t(lambda: math.cbrt(0.0))  # expect: 0.0
t(lambda: math.cbrt(-1.0))  # expect: -1.0
t(lambda: math.cbrt(0.5))  # expect: 0.7937005259840998
t(lambda: math.cbrt(800.0))  # expect: 9.283177667225557
t(lambda: math.cbrt(inf))  # expect: inf
t(lambda: math.cbrt(-inf))  # expect: -inf
t(lambda: math.cbrt(nan))  # expect: nan
t(lambda: round(math.cbrt(3), 14))  # expect: 1.44224957030741
t(lambda: math.cbrt('x'))  # expect: TypeError must be real number, not str
t(lambda: math.ceil(0.0))  # expect: 0
t(lambda: math.ceil(-1.0))  # expect: -1
t(lambda: math.ceil(0.5))  # expect: 1
t(lambda: math.ceil(800.0))  # expect: 800
t(lambda: math.ceil(inf))  # expect: OverflowError cannot convert float infinity to integer
t(lambda: math.ceil(-inf))  # expect: OverflowError cannot convert float infinity to integer
t(lambda: math.ceil(nan))  # expect: ValueError cannot convert float NaN to integer
t(lambda: math.ceil(3))  # expect: 3
t(lambda: math.ceil('x'))  # expect: TypeError must be real number, not str
t(lambda: math.cos(0.0))  # expect: 1.0
t(lambda: math.cos(-1.0))  # expect: 0.5403023058681398
t(lambda: math.cos(0.5))  # expect: 0.8775825618903728
t(lambda: math.cos(800.0))  # expect: -0.44812751321749233
t(lambda: math.cos(inf))  # expect: ValueError math domain error
t(lambda: math.cos(-inf))  # expect: ValueError math domain error
t(lambda: math.cos(nan))  # expect: nan
t(lambda: math.cos(3))  # expect: -0.9899924966004454
t(lambda: math.cos('x'))  # expect: TypeError must be real number, not str
t(lambda: math.cosh(0.0))  # expect: 1.0
t(lambda: math.cosh(-1.0))  # expect: 1.5430806348152437
t(lambda: math.cosh(0.5))  # expect: 1.1276259652063807
t(lambda: math.cosh(800.0))  # expect: OverflowError math range error
t(lambda: math.cosh(inf))  # expect: inf
t(lambda: math.cosh(-inf))  # expect: inf
t(lambda: math.cosh(nan))  # expect: nan
t(lambda: math.cosh(3))  # expect: 10.067661995777765
t(lambda: math.cosh('x'))  # expect: TypeError must be real number, not str
t(lambda: math.degrees(0.0))  # expect: 0.0
t(lambda: math.degrees(-1.0))  # expect: -57.29577951308232
t(lambda: math.degrees(0.5))  # expect: 28.64788975654116
t(lambda: math.degrees(800.0))  # expect: 45836.62361046586
t(lambda: math.degrees(inf))  # expect: inf
t(lambda: math.degrees(-inf))  # expect: -inf
t(lambda: math.degrees(nan))  # expect: nan
t(lambda: math.degrees(3))  # expect: 171.88733853924697
t(lambda: math.degrees('x'))  # expect: TypeError must be real number, not str
t(lambda: math.erf(0.0))  # expect: 0.0
t(lambda: math.erf(-1.0))  # expect: -0.8427007929497149
t(lambda: math.erf(0.5))  # expect: 0.5204998778130465
t(lambda: math.erf(800.0))  # expect: 1.0
t(lambda: math.erf(inf))  # expect: 1.0
t(lambda: math.erf(-inf))  # expect: -1.0
t(lambda: math.erf(nan))  # expect: nan
t(lambda: math.erf(3))  # expect: 0.9999779095030014
t(lambda: math.erf('x'))  # expect: TypeError must be real number, not str
t(lambda: math.erfc(0.0))  # expect: 1.0
t(lambda: math.erfc(-1.0))  # expect: 1.842700792949715
t(lambda: math.erfc(0.5))  # expect: 0.4795001221869535
t(lambda: math.erfc(800.0))  # expect: 0.0
t(lambda: math.erfc(inf))  # expect: 0.0
t(lambda: math.erfc(-inf))  # expect: 2.0
t(lambda: math.erfc(nan))  # expect: nan
t(lambda: math.erfc(3))  # expect: 2.2090496998585438e-05
t(lambda: math.erfc('x'))  # expect: TypeError must be real number, not str
t(lambda: math.exp(0.0))  # expect: 1.0
t(lambda: math.exp(-1.0))  # expect: 0.36787944117144233
t(lambda: math.exp(0.5))  # expect: 1.6487212707001282
t(lambda: math.exp(800.0))  # expect: OverflowError math range error
t(lambda: math.exp(inf))  # expect: inf
t(lambda: math.exp(-inf))  # expect: 0.0
t(lambda: math.exp(nan))  # expect: nan
t(lambda: math.exp(3))  # expect: 20.085536923187668
t(lambda: math.exp('x'))  # expect: TypeError must be real number, not str
t(lambda: math.exp2(0.0))  # expect: 1.0
t(lambda: math.exp2(-1.0))  # expect: 0.5
t(lambda: math.exp2(0.5))  # expect: 1.4142135623730951
t(lambda: math.exp2(800.0))  # expect: 6.668014432879854e+240
t(lambda: math.exp2(inf))  # expect: inf
t(lambda: math.exp2(-inf))  # expect: 0.0
t(lambda: math.exp2(nan))  # expect: nan
t(lambda: math.exp2(3))  # expect: 8.0
t(lambda: math.exp2('x'))  # expect: TypeError must be real number, not str
t(lambda: math.expm1(0.0))  # expect: 0.0
t(lambda: math.expm1(-1.0))  # expect: -0.6321205588285577
t(lambda: math.expm1(0.5))  # expect: 0.6487212707001282
t(lambda: math.expm1(800.0))  # expect: OverflowError math range error
t(lambda: math.expm1(inf))  # expect: inf
t(lambda: math.expm1(-inf))  # expect: -1.0
t(lambda: math.expm1(nan))  # expect: nan
t(lambda: math.expm1(3))  # expect: 19.085536923187668
t(lambda: math.expm1('x'))  # expect: TypeError must be real number, not str
t(lambda: math.fabs(0.0))  # expect: 0.0
t(lambda: math.fabs(-1.0))  # expect: 1.0
t(lambda: math.fabs(0.5))  # expect: 0.5
t(lambda: math.fabs(800.0))  # expect: 800.0
t(lambda: math.fabs(inf))  # expect: inf
t(lambda: math.fabs(-inf))  # expect: inf
t(lambda: math.fabs(nan))  # expect: nan
t(lambda: math.fabs(3))  # expect: 3.0
t(lambda: math.fabs('x'))  # expect: TypeError must be real number, not str
t(lambda: math.floor(0.0))  # expect: 0
t(lambda: math.floor(-1.0))  # expect: -1
t(lambda: math.floor(0.5))  # expect: 0
t(lambda: math.floor(800.0))  # expect: 800
t(lambda: math.floor(inf))  # expect: OverflowError cannot convert float infinity to integer
t(lambda: math.floor(-inf))  # expect: OverflowError cannot convert float infinity to integer
t(lambda: math.floor(nan))  # expect: ValueError cannot convert float NaN to integer
t(lambda: math.floor(3))  # expect: 3
t(lambda: math.floor('x'))  # expect: TypeError must be real number, not str
t(lambda: math.isfinite(0.0))  # expect: True
t(lambda: math.isfinite(-1.0))  # expect: True
t(lambda: math.isfinite(0.5))  # expect: True
t(lambda: math.isfinite(800.0))  # expect: True
t(lambda: math.isfinite(inf))  # expect: False
t(lambda: math.isfinite(-inf))  # expect: False
t(lambda: math.isfinite(nan))  # expect: False
t(lambda: math.isfinite(3))  # expect: True
t(lambda: math.isfinite('x'))  # expect: TypeError must be real number, not str
t(lambda: math.isinf(0.0))  # expect: False
t(lambda: math.isinf(-1.0))  # expect: False
t(lambda: math.isinf(0.5))  # expect: False
t(lambda: math.isinf(800.0))  # expect: False
t(lambda: math.isinf(inf))  # expect: True
t(lambda: math.isinf(-inf))  # expect: True
t(lambda: math.isinf(nan))  # expect: False
t(lambda: math.isinf(3))  # expect: False
t(lambda: math.isinf('x'))  # expect: TypeError must be real number, not str
t(lambda: math.isnan(0.0))  # expect: False
t(lambda: math.isnan(-1.0))  # expect: False
t(lambda: math.isnan(0.5))  # expect: False
t(lambda: math.isnan(800.0))  # expect: False
t(lambda: math.isnan(inf))  # expect: False
t(lambda: math.isnan(-inf))  # expect: False
t(lambda: math.isnan(nan))  # expect: True
t(lambda: math.isnan(3))  # expect: False
t(lambda: math.isnan('x'))  # expect: TypeError must be real number, not str
t(lambda: math.log(0.0))  # expect: ValueError math domain error
t(lambda: math.log(-1.0))  # expect: ValueError math domain error
t(lambda: math.log(0.5))  # expect: -0.6931471805599453
t(lambda: math.log(800.0))  # expect: 6.684611727667927
t(lambda: math.log(inf))  # expect: inf
t(lambda: math.log(-inf))  # expect: ValueError math domain error
t(lambda: math.log(nan))  # expect: nan
t(lambda: math.log(3))  # expect: 1.0986122886681098
t(lambda: math.log('x'))  # expect: TypeError must be real number, not str
t(lambda: math.log10(0.0))  # expect: ValueError math domain error
t(lambda: math.log10(-1.0))  # expect: ValueError math domain error
t(lambda: math.log10(0.5))  # expect: -0.3010299956639812
t(lambda: math.log10(800.0))  # expect: 2.9030899869919438
t(lambda: math.log10(inf))  # expect: inf
t(lambda: math.log10(-inf))  # expect: ValueError math domain error
t(lambda: math.log10(nan))  # expect: nan
t(lambda: math.log10(3))  # expect: 0.47712125471966244
t(lambda: math.log10('x'))  # expect: TypeError must be real number, not str
t(lambda: math.log1p(0.0))  # expect: 0.0
t(lambda: math.log1p(-1.0))  # expect: ValueError math domain error
t(lambda: math.log1p(0.5))  # expect: 0.4054651081081644
t(lambda: math.log1p(800.0))  # expect: 6.68586094706836
t(lambda: math.log1p(inf))  # expect: inf
t(lambda: math.log1p(-inf))  # expect: ValueError math domain error
t(lambda: math.log1p(nan))  # expect: nan
t(lambda: math.log1p(3))  # expect: 1.3862943611198906
t(lambda: math.log1p('x'))  # expect: TypeError must be real number, not str
t(lambda: math.log2(0.0))  # expect: ValueError math domain error
t(lambda: math.log2(-1.0))  # expect: ValueError math domain error
t(lambda: math.log2(0.5))  # expect: -1.0
t(lambda: math.log2(800.0))  # expect: 9.643856189774725
t(lambda: math.log2(inf))  # expect: inf
t(lambda: math.log2(-inf))  # expect: ValueError math domain error
t(lambda: math.log2(nan))  # expect: nan
t(lambda: math.log2(3))  # expect: 1.584962500721156
t(lambda: math.log2('x'))  # expect: TypeError must be real number, not str
t(lambda: math.modf(0.0))  # expect: (0.0, 0.0)
t(lambda: math.modf(-1.0))  # expect: (-0.0, -1.0)
t(lambda: math.modf(0.5))  # expect: (0.5, 0.0)
t(lambda: math.modf(800.0))  # expect: (0.0, 800.0)
t(lambda: math.modf(inf))  # expect: (0.0, inf)
t(lambda: math.modf(-inf))  # expect: (-0.0, -inf)
t(lambda: math.modf(nan))  # expect: (nan, nan)
t(lambda: math.modf(3))  # expect: (0.0, 3.0)
t(lambda: math.modf('x'))  # expect: TypeError must be real number, not str
t(lambda: math.frexp(0.0))  # expect: (0.0, 0)
t(lambda: math.frexp(-1.0))  # expect: (-0.5, 1)
t(lambda: math.frexp(0.5))  # expect: (0.5, 0)
t(lambda: math.frexp(800.0))  # expect: (0.78125, 10)
t(lambda: math.frexp(inf))  # expect: (inf, 0)
t(lambda: math.frexp(-inf))  # expect: (-inf, 0)
t(lambda: math.frexp(nan))  # expect: (nan, 0)
t(lambda: math.frexp(3))  # expect: (0.75, 2)
t(lambda: math.frexp('x'))  # expect: TypeError must be real number, not str
t(lambda: math.radians(0.0))  # expect: 0.0
t(lambda: math.radians(-1.0))  # expect: -0.017453292519943295
t(lambda: math.radians(0.5))  # expect: 0.008726646259971648
t(lambda: math.radians(800.0))  # expect: 13.962634015954636
t(lambda: math.radians(inf))  # expect: inf
t(lambda: math.radians(-inf))  # expect: -inf
t(lambda: math.radians(nan))  # expect: nan
t(lambda: math.radians(3))  # expect: 0.05235987755982989
t(lambda: math.radians('x'))  # expect: TypeError must be real number, not str
t(lambda: math.sin(0.0))  # expect: 0.0
t(lambda: math.sin(-1.0))  # expect: -0.8414709848078965
t(lambda: math.sin(0.5))  # expect: 0.479425538604203
t(lambda: math.sin(800.0))  # expect: 0.8939696481970214
t(lambda: math.sin(inf))  # expect: ValueError math domain error
t(lambda: math.sin(-inf))  # expect: ValueError math domain error
t(lambda: math.sin(nan))  # expect: nan
t(lambda: math.sin(3))  # expect: 0.1411200080598672
t(lambda: math.sin('x'))  # expect: TypeError must be real number, not str
t(lambda: math.sinh(0.0))  # expect: 0.0
t(lambda: math.sinh(-1.0))  # expect: -1.1752011936438014
t(lambda: math.sinh(0.5))  # expect: 0.5210953054937474
t(lambda: math.sinh(800.0))  # expect: OverflowError math range error
t(lambda: math.sinh(inf))  # expect: inf
t(lambda: math.sinh(-inf))  # expect: -inf
t(lambda: math.sinh(nan))  # expect: nan
t(lambda: math.sinh(3))  # expect: 10.017874927409903
t(lambda: math.sinh('x'))  # expect: TypeError must be real number, not str
t(lambda: math.sqrt(0.0))  # expect: 0.0
t(lambda: math.sqrt(-1.0))  # expect: ValueError math domain error
t(lambda: math.sqrt(0.5))  # expect: 0.7071067811865476
t(lambda: math.sqrt(800.0))  # expect: 28.284271247461902
t(lambda: math.sqrt(inf))  # expect: inf
t(lambda: math.sqrt(-inf))  # expect: ValueError math domain error
t(lambda: math.sqrt(nan))  # expect: nan
t(lambda: math.sqrt(3))  # expect: 1.7320508075688772
t(lambda: math.sqrt('x'))  # expect: TypeError must be real number, not str
t(lambda: math.tan(0.0))  # expect: 0.0
t(lambda: math.tan(-1.0))  # expect: -1.5574077246549023
t(lambda: math.tan(0.5))  # expect: 0.5463024898437905
t(lambda: math.tan(800.0))  # expect: -1.9949001608458392
t(lambda: math.tan(inf))  # expect: ValueError math domain error
t(lambda: math.tan(-inf))  # expect: ValueError math domain error
t(lambda: math.tan(nan))  # expect: nan
t(lambda: math.tan(3))  # expect: -0.1425465430742778
t(lambda: math.tan('x'))  # expect: TypeError must be real number, not str
t(lambda: math.tanh(0.0))  # expect: 0.0
t(lambda: math.tanh(-1.0))  # expect: -0.7615941559557649
t(lambda: math.tanh(0.5))  # expect: 0.46211715726000974
t(lambda: math.tanh(800.0))  # expect: 1.0
t(lambda: math.tanh(inf))  # expect: 1.0
t(lambda: math.tanh(-inf))  # expect: -1.0
t(lambda: math.tanh(nan))  # expect: nan
t(lambda: math.tanh(3))  # expect: 0.9950547536867305
t(lambda: math.tanh('x'))  # expect: TypeError must be real number, not str
t(lambda: math.trunc(0.0))  # expect: 0
t(lambda: math.trunc(-1.0))  # expect: -1
t(lambda: math.trunc(0.5))  # expect: 0
t(lambda: math.trunc(800.0))  # expect: 800
t(lambda: math.trunc(inf))  # expect: OverflowError cannot convert float infinity to integer
t(lambda: math.trunc(-inf))  # expect: OverflowError cannot convert float infinity to integer
t(lambda: math.trunc(nan))  # expect: ValueError cannot convert float NaN to integer
t(lambda: math.trunc(3))  # expect: 3
t(lambda: math.trunc('x'))  # expect: TypeError type str doesn't define __trunc__ method
t(lambda: math.ulp(0.0))  # expect: 5e-324
t(lambda: math.ulp(-1.0))  # expect: 2.220446049250313e-16
t(lambda: math.ulp(0.5))  # expect: 1.1102230246251565e-16
t(lambda: math.ulp(800.0))  # expect: 1.1368683772161603e-13
t(lambda: math.ulp(inf))  # expect: inf
t(lambda: math.ulp(-inf))  # expect: inf
t(lambda: math.ulp(nan))  # expect: nan
t(lambda: math.ulp(3))  # expect: 4.440892098500626e-16
t(lambda: math.ulp('x'))  # expect: TypeError must be real number, not str
t(lambda: math.gamma(0.0))  # expect: ValueError math domain error
t(lambda: math.gamma(-1.0))  # expect: ValueError math domain error
t(lambda: math.gamma(800.0))  # expect: OverflowError math range error
t(lambda: math.gamma(inf))  # expect: inf
t(lambda: math.gamma(-inf))  # expect: ValueError math domain error
t(lambda: math.gamma(nan))  # expect: nan
t(lambda: math.gamma(3))  # expect: 2.0
t(lambda: math.gamma('x'))  # expect: TypeError must be real number, not str
t(lambda: math.lgamma(0.0))  # expect: ValueError math domain error
t(lambda: math.lgamma(-1.0))  # expect: ValueError math domain error
t(lambda: math.lgamma(inf))  # expect: inf
t(lambda: math.lgamma(-inf))  # expect: inf
t(lambda: math.lgamma(nan))  # expect: nan
t(lambda: math.lgamma('x'))  # expect: TypeError must be real number, not str
