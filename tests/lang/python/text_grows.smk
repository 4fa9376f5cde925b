# A text to which a local variable adds grows in place, unless something else holds it.
def long(n):
    s = ""
    t = ""
    for i in range(n):
        s += "x"
        t = t + "é"
    return len(s), len(t), t[-1]


print(long(1500000))  # expect: (1500000, 1500000, 'é')


def g(n):
    s = ''
    keep = []
    for i in range(n):
        s = s + str(i)
        if i % 3 == 0:
            keep.append(s)
        t = s
        s += 'é'
        assert not t.endswith('é')
        d = {s: 1}
        s += s
        assert len(s) % 2 == 0
        assert s not in d
        s += locals()['s'][:1]
        if len(s) > 1000: s = s[:5]
    return keep, t
k, t = g(2000)
print(hash(tuple(map(len, k))), len(t), k[5][:50])
def h(s):
    def inner(): return s
    s += 'a'
    a = inner()
    s += 'b'
    return a, s
print(h('q'))
def gen():
    s = 'a'
    s += 'b'
    while len(s) < 20:
        x = yield s
        s += (x or 'c')
        s += (s := 'z') + s
it = gen(); print(next(it), it.send('Q'), next(it), list(it))
def u():
    s += 'x'
try: u()
except UnboundLocalError as e: print(e)
def m():
    t = (); l = []; n = 0; b = b''
    for i in range(5):
        t += (i,); l = l + [i]; n += i * 2; b += b'x'
        l2 = l
        l += [9]
    return t, l, n, b, l2 is l
print(m())
def w(s):
    for c in 'abc':
        s += c
        yield s
print(list(w('')), [x for x in w('q')])
# expect: -2309012869752055155 25 0é0é015
# expect: ('qa', 'qab')
# expect: ab abQzz abQzzczz ['abQzzczzczz', 'abQzzczzczzczz', 'abQzzczzczzczzczz']
# expect: cannot access local variable 's' where it is not associated with a value
# expect: ((0, 1, 2, 3, 4), [0, 9, 1, 9, 2, 9, 3, 9, 4, 9], 20, b'xxxxx', True)
# expect: ['a', 'ab', 'abc'] ['qa', 'qab', 'qabc']
