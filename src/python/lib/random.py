# SPDX-License-Identifier: MIT
# random: drawn from the twister in the ways that CPython draws, so that a seed gives the same numbers.
import _random
from collections.abc import Sequence as _Sequence
from math import acos as _acos, ceil as _ceil, cos as _cos, e as _e, exp as _exp, floor as _floor
from math import isfinite as _isfinite, lgamma as _lgamma, log as _log, log2 as _log2, pi as _pi, sin as _sin
from math import sqrt as _sqrt
from hashlib import sha512 as _sha512
from operator import index as _index

TWOPI = 2.0 * _pi


class Random(_random.Random):
    VERSION = 3

    def __init__(self, x=None):
        self.seed(x)

    def seed(self, a=None, version=2):
        self.gauss_next = None
        if version == 1 and isinstance(a, (str, bytes)):
            a = _hash_of_old(a if isinstance(a, str) else a.decode("latin-1"))
        elif isinstance(a, (str, bytes, bytearray)):
            a = a.encode() if isinstance(a, str) else a
            a = int.from_bytes(a + _sha512(a).digest(), "big")
        elif isinstance(a, float):
            top, bottom = a.as_integer_ratio()  # CPython's hash of a float
            a = abs(top) * pow(bottom, (1 << 61) - 3, (1 << 61) - 1) % ((1 << 61) - 1)
        elif a is not None and not isinstance(a, int):
            raise TypeError("The only supported seed types are: None,\nint, float, str, bytes, and bytearray.")
        self._seed(a if a is None else abs(int(a)))

    def getstate(self):
        return self.VERSION, self._state(), self.gauss_next

    def setstate(self, state):
        version, words, self.gauss_next = state
        self._restore(words)

    def _below(self, n):
        k = n.bit_length()
        r = self.getrandbits(k)
        while r >= n:
            r = self.getrandbits(k)
        return r

    def randbytes(self, n):
        return self.getrandbits(n * 8).to_bytes(n, "little")

    def randrange(self, start, stop=None, step=1):
        start, step = _index(start), _index(step)
        if stop is None:
            if step != 1:
                raise TypeError("Missing a non-None stop argument")
            if start > 0:
                return self._below(start)
            raise ValueError("empty range for randrange()")
        width = _index(stop) - start
        if step == 1:
            if width > 0:
                return start + self._below(width)
            raise ValueError("empty range in randrange(%d, %d)" % (start, stop))
        if step == 0:
            raise ValueError("zero step for randrange()")
        n = (width + step - 1) // step if step > 0 else (width + step + 1) // step
        if n <= 0:
            raise ValueError("empty range in randrange(%d, %d, %d)" % (start, stop, step))
        return start + step * self._below(n)

    def randint(self, a, b):
        return self.randrange(a, b + 1)

    def choice(self, seq):
        if not len(seq):
            raise IndexError("Cannot choose from an empty sequence")
        return seq[self._below(len(seq))]

    def shuffle(self, x):
        for i in range(len(x) - 1, 0, -1):
            j = self._below(i + 1)
            x[i], x[j] = x[j], x[i]

    def sample(self, population, k, *, counts=None):
        if not isinstance(population, _Sequence):
            raise TypeError("Population must be a sequence.  For dicts or sets, use sorted(d).")
        if counts is not None:
            population = [x for x, n in zip(population, counts) for _ in range(n)]
        n = len(population)
        if not 0 <= k <= n:
            raise ValueError("Sample larger than population or is negative")
        result = [None] * k
        setsize = 21
        if k > 5:
            setsize += 4 ** _ceil(_log(k * 3, 4))
        if n <= setsize:
            pool = list(population)
            for i in range(k):
                j = self._below(n - i)
                result[i] = pool[j]
                pool[j] = pool[n - i - 1]
            return result
        selected = set()
        for i in range(k):
            j = self._below(n)
            while j in selected:
                j = self._below(n)
            selected.add(j)
            result[i] = population[j]
        return result

    def choices(self, population, weights=None, *, cum_weights=None, k=1):
        n = len(population)
        if cum_weights is None:
            if weights is None:
                n += 0.0
                return [population[_floor(self.random() * n)] for _ in range(k)]
            if isinstance(weights, int):
                raise TypeError("The number of choices must be a keyword argument: k=%r" % weights)
            total, cum_weights = 0, []
            for weight in weights:
                total += weight
                cum_weights.append(total)
        elif weights is not None:
            raise TypeError("Cannot specify both weights and cumulative weights")
        if len(cum_weights) != n:
            raise ValueError("The number of weights does not match the population")
        total = cum_weights[-1] + 0.0
        if total <= 0.0:
            raise ValueError("Total of weights must be greater than zero")
        if not _isfinite(total):
            raise ValueError("Total of weights must be finite")
        return [population[_place(cum_weights, self.random() * total, n - 1)] for _ in range(k)]

    def uniform(self, a, b):
        return a + (b - a) * self.random()

    def triangular(self, low=0.0, high=1.0, mode=None):
        u = self.random()
        if mode is not None and high == low:
            return low
        c = 0.5 if mode is None else (mode - low) / (high - low)
        if u > c:
            u, c = 1.0 - u, 1.0 - c
            low, high = high, low
        return low + (high - low) * _sqrt(u * c)

    def normalvariate(self, mu=0.0, sigma=1.0):
        while True:
            u1 = self.random()
            u2 = 1.0 - self.random()
            z = 4 * _exp(-0.5) / _sqrt(2.0) * (u1 - 0.5) / u2
            if z * z / 4.0 <= -_log(u2):
                return mu + z * sigma

    def gauss(self, mu=0.0, sigma=1.0):
        z, self.gauss_next = self.gauss_next, None
        if z is None:
            angle = self.random() * TWOPI
            radius = _sqrt(-2.0 * _log(1.0 - self.random()))
            z = _cos(angle) * radius
            self.gauss_next = _sin(angle) * radius
        return mu + z * sigma

    def lognormvariate(self, mu=0.0, sigma=1.0):
        return _exp(self.normalvariate(mu, sigma))

    def expovariate(self, lambd=1.0):
        return -_log(1.0 - self.random()) / lambd

    def paretovariate(self, alpha):
        return (1.0 - self.random()) ** (-1.0 / alpha)

    def weibullvariate(self, alpha, beta):
        return alpha * (-_log(1.0 - self.random())) ** (1.0 / beta)

    def gammavariate(self, alpha, beta):
        if alpha <= 0.0 or beta <= 0.0:
            raise ValueError("gammavariate: alpha and beta must be > 0.0")
        if alpha == 1.0:
            return -_log(1.0 - self.random()) * beta
        return (self._gamma_peaked(alpha) if alpha > 1.0 else self._gamma_falling(alpha)) * beta

    def _gamma_peaked(self, alpha):  # Cheng 1977
        width = _sqrt(2.0 * alpha - 1.0)
        while True:
            u1 = self.random()
            if not 1e-7 < u1 < 0.9999999:
                continue
            u2 = 1.0 - self.random()
            v = _log(u1 / (1.0 - u1)) / width
            x = alpha * _exp(v)
            z = u1 * u1 * u2
            r = alpha - _log(4.0) + (alpha + width) * v - x
            if r + (1.0 + _log(4.5)) - 4.5 * z >= 0.0 or r >= _log(z):
                return x

    def _gamma_falling(self, alpha):  # Ahrens and Dieter 1974
        while True:
            u = self.random()
            b = (_e + alpha) / _e
            p = b * u
            x = p ** (1.0 / alpha) if p <= 1.0 else -_log((b - p) / alpha)
            if self.random() <= (x ** (alpha - 1.0) if p > 1.0 else _exp(-x)):
                return x

    def binomialvariate(self, n=1, p=0.5):
        if n < 0:
            raise ValueError("n must be non-negative")
        if not 0.0 < p < 1.0:
            if p in (0.0, 1.0):
                return n if p else 0
            raise ValueError("p must be in the range 0.0 <= p <= 1.0")
        if n == 1:
            return int(self.random() < p)
        if p > 0.5:
            return n - self.binomialvariate(n, 1.0 - p)
        return self._successes_by_gaps(n, p) if n * p < 10.0 else self._successes_by_rejection(n, p)

    def _successes_by_gaps(self, n, p):  # Devroye 1986: how many trials lie before the next success
        found = trials = 0
        failure = _log2(1.0 - p)
        while failure:
            trials += _floor(_log2(self.random()) / failure) + 1
            if trials > n:
                break
            found += 1
        return found

    def _successes_by_rejection(self, n, p):  # BTRS of Hoermann 1993
        spread = _sqrt(n * p * (1.0 - p))
        b = 1.15 + 2.53 * spread
        a = -0.0873 + 0.0248 * b + 0.01 * p
        squeeze = 0.92 - 4.2 / b
        alpha, odds, mode = (2.83 + 5.1 / b) * spread, _log(p / (1.0 - p)), _floor((n + 1) * p)
        top = _lgamma(mode + 1) + _lgamma(n - mode + 1)
        while True:
            u = self.random() - 0.5
            edge = 0.5 - abs(u)
            k = _floor((2.0 * a / edge + b) * u + (n * p + 0.5))
            if not 0 <= k <= n:
                continue
            v = self.random()
            if edge >= 0.07 and v <= squeeze:
                return k
            v *= alpha / (a / (edge * edge) + b)
            if _log(v) <= top - _lgamma(k + 1) - _lgamma(n - k + 1) + (k - mode) * odds:
                return k

    def betavariate(self, alpha, beta):
        y = self.gammavariate(alpha, 1.0)
        return y / (y + self.gammavariate(beta, 1.0)) if y else 0.0

    def vonmisesvariate(self, mu, kappa):  # Fisher 1993
        if kappa <= 1e-6:
            return TWOPI * self.random()
        s = 0.5 / kappa
        r = s + _sqrt(1.0 + s * s)
        while True:
            z = _cos(_pi * self.random())
            d = z / (r + z)
            u = self.random()
            if u < 1.0 - d * d or u <= (1.0 - d) * _exp(d):
                break
        q = 1.0 / r
        angle = _acos((q + z) / (1.0 + q * z))
        return (mu + angle if self.random() > 0.5 else mu - angle) % TWOPI


def _hash_of_old(text):
    """The number of a text as Python 2 seeded with it."""
    x = ord(text[0]) << 7 if text else 0
    for c in text:
        x = (1000003 * x ^ ord(c)) & 0xFFFFFFFFFFFFFFFF
    return x ^ len(text)


def _place(sums, x, last):
    low, high = 0, last
    while low < high:
        middle = (low + high) // 2
        if x < sums[middle]:
            high = middle
        else:
            low = middle + 1
    return low


class SystemRandom(Random):
    def seed(self, *args, **kwds):
        self.gauss_next = None
        self._seed(None)


_inst = Random()
seed = _inst.seed
random = _inst.random
uniform = _inst.uniform
triangular = _inst.triangular
randint = _inst.randint
choice = _inst.choice
randrange = _inst.randrange
sample = _inst.sample
shuffle = _inst.shuffle
choices = _inst.choices
normalvariate = _inst.normalvariate
lognormvariate = _inst.lognormvariate
expovariate = _inst.expovariate
gauss = _inst.gauss
paretovariate = _inst.paretovariate
weibullvariate = _inst.weibullvariate
gammavariate = _inst.gammavariate
binomialvariate = _inst.binomialvariate
betavariate = _inst.betavariate
vonmisesvariate = _inst.vonmisesvariate
getstate = _inst.getstate
setstate = _inst.setstate
getrandbits = _inst.getrandbits
randbytes = _inst.randbytes
