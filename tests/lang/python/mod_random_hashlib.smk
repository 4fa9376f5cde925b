import random, hashlib
for s in (0, 1, 42, -7, 2**70+3, "hello", b"x", 1.5):
    random.seed(s)
    print(s, random.random(), random.randint(1,100), random.choice("abcdef"), random.sample(range(100),5), random.uniform(1,2), random.getrandbits(70), random.gauss(0,1), random.randrange(0,100,7))
random.seed(3); l=list(range(20)); random.shuffle(l); print(l, random.choices([1,2,3],k=4), random.choices("abc",[1,2,5],k=5), random.sample(range(1000),30), random.randbytes(5))
r=random.Random(5); print(r.random(), r.normalvariate(0,1), r.expovariate(2), r.triangular(1,3,2)); st=r.getstate(); a=r.random(); r.setstate(st); print(a==r.random())
for n in ("md5","sha1","sha224","sha256","sha384","sha512"):
    for d in (b"", b"abc", b"a"*111, b"a"*112, b"b"*127, b"c"*128, b"q"*1000):
        print(n, hashlib.new(n,d).hexdigest())
h=hashlib.md5(); h.update(b"a"); c=h.copy(); c.update(b"b"); print(h.hexdigest(), c.hexdigest(), h.name, h.digest_size, h.block_size, h.digest())
for f in (lambda: hashlib.md5("x"), lambda: hashlib.new("nope"), lambda: random.choice([]), lambda: random.sample([1],2), lambda: random.randint(3,1)):
    try: f()
    except Exception as e: print(type(e).__name__, e)

# expect: 0 0.8444218515250481 98 d [5, 33, 65, 62, 51] 1.9182343317851318 1130846520637765270880 -1.3090373644593587 98
# expect: 1 0.13436424411240122 98 a [32, 15, 63, 97, 57] 1.4722452435761166 254357050828843284118 0.19931197648375384 91
# expect: 42 0.6394267984578837 4 f [35, 31, 28, 17, 94] 1.1024951761715074 643647106656314877619 0.8945899596614022 0
# expect: -7 0.32383276483316237 20 d [83, 6, 9, 68, 12] 1.3656889169125854 607076888410727187573 0.09326636261029043 42
# expect: 1180591620717411303427 0.16339507200642456 95 b [83, 36, 21, 4, 46] 1.0451689237198147 1166281499493014965087 -0.4115095554381271 49
# expect: hello 0.3537754404730722 85 e [14, 16, 45, 6, 93] 1.3715342854343076 196331770983973748709 1.076017094663785 84
# expect: b'x' 0.6307877176639078 77 e [61, 8, 97, 49, 75] 1.458313246591099 191507821542336828225 -1.7691381943415314 63
# expect: 1.5 0.551763726942059 33 b [74, 57, 70, 25, 16] 1.368946684876743 639360354042241832727 0.8774868064280489 14
# expect: [8, 3, 6, 5, 15, 16, 2, 12, 0, 1, 13, 10, 19, 9, 14, 11, 4, 17, 18, 7] [2, 2, 2, 3] ['b', 'b', 'c', 'c', 'a'] [795, 65, 163, 776, 980, 605, 43, 308, 798, 31, 843, 886, 275, 484, 609, 736, 942, 899, 396, 731, 807, 943, 437, 404, 745, 820, 590, 455, 987, 958] b'\x9f\x98W"\xe0'
# expect: 0.6229016948897019 2.025289369585342 1.4275530373958278 2.278749107092311
# expect: True
# expect: md5 d41d8cd98f00b204e9800998ecf8427e
# expect: md5 900150983cd24fb0d6963f7d28e17f72
# expect: md5 089f243d1e831c5879aa375ee364a06e
# expect: md5 9146ef3527c7cfcc66dc615c3986e391
# expect: md5 7388ff23b7224d098ba1bbf86b3319f3
# expect: md5 a1b0440c17a70df4c7dd3560c413e048
# expect: md5 eeff376d3cdf0eed91c5ffbd964dfc6d
# expect: sha1 da39a3ee5e6b4b0d3255bfef95601890afd80709
# expect: sha1 a9993e364706816aba3e25717850c26c9cd0d89d
# expect: sha1 ac877859d427d9192054eea8feb3b8a403ef83a5
# expect: sha1 689993727ba37386bb032495e9dbdfb4dd1ba744
# expect: sha1 e2a62dd60e56423775fef3260d784c9cabf17520
# expect: sha1 eea5cd304fb8ebe3b434a06b2be809c621c9622d
# expect: sha1 afee19b54f05fd60718367c028c89eeb056dd31f
# expect: sha224 d14a028c2a3a2bc9476102bb288234c415a2b01f828ea62ac5b3e42f
# expect: sha224 23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7
# expect: sha224 4aeec1a49b2c1bc663abf2809b36faaa64359523d4f26d02dbc2cba3
# expect: sha224 0336b66821946e7f1052102e3b9c29f3039efe9b261746370305f894
# expect: sha224 4e28092e78c469f9f90dab2b5868c8dbb5276eeb9022280400e76d6a
# expect: sha224 9d116260f8b2f1873c05aa5eb3ede1132300f84f4c70a716152c3f92
# expect: sha224 0a73889ff62c45b110a0db5996bbd3b671ce3bf37328145bdaad91a5
# expect: sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
# expect: sha256 ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad
# expect: sha256 6374f73208854473827f6f6a3f43b1f53eaa3b82c21c1a6d69a2110b2a79baad
# expect: sha256 f54353008a2553262ecdc4a34749563ba0950e8b0fc8652780b0a614b99683c1
# expect: sha256 7bdbefa63b6989e6a15abad9d52c0770bce07182a535b9a1b3d4c0e38c8b0856
# expect: sha256 e5dc28d67309c1f3b41b160e5e06c7881007cde8f74949c9cf6c890ad1bdd032
# expect: sha256 2e6bba1f3cf48fe45fa1c56e25b47fb622dde50eba1e17e0a72464e32bf4ab41
# expect: sha384 38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b
# expect: sha384 cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7
# expect: sha384 3c37955051cb5c3026f94d551d5b5e2ac38d572ae4e07172085fed81f8466b8f90dc23a8ffcdea0b8d8e58e8fdacc80a
# expect: sha384 187d4e07cb306103c69967bf544d0dfbe9042577599c73c330abc0cb64c61236d5ed565ee19119d8c31779a38f791fcd
# expect: sha384 ecd1a0683ae8a8028baf4453084d42b91dbed176673c2a43044df313e915e4c4597020f0d05be7684e6b64131872a81b
# expect: sha384 a22f3f5bc8764a8d57307185e800b0255afa83366eeacaf789e25f8886b27bc4d8e180d79533476ba4415662c2df3a0a
# expect: sha384 593d9594db92d66e3d2f065ce38dee3ba7d7e7041a6823266f4ce6dba0fba126db7afb9e4b72e1ff042a64066b0c2231
# expect: sha512 cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e
# expect: sha512 ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f
# expect: sha512 fa9121c7b32b9e01733d034cfc78cbf67f926c7ed83e82200ef86818196921760b4beff48404df811b953828274461673c68d04e297b0eb7b2b4d60fc6b566a2
# expect: sha512 c01d080efd492776a1c43bd23dd99d0a2e626d481e16782e75d54c2503b5dc32bd05f0f1ba33e568b88fd2d970929b719ecbb152f58f130a407c8830604b70ca
# expect: sha512 1fb5054735807a95088312066bdd2acec2eb8f65454bf77873cdf93998f79c75fc0f229ab4a8ffe0bfd5310a3357272adcecb378d1f310ee43ed4a0634c6e5b8
# expect: sha512 1cadae2171fd051aa72f31d7d11d232d867e9823e0da1fab3f40288c46c009aba8a378454514fa6756d00c1037ffbc32b3716df881569c545a2e190ce426c79b
# expect: sha512 40faf11d9ba0c9fddfd493e7901abcdb6a5737adc16b6393267e2c09ed1ec8b7eb7bfdda532ab46948a34984c78f856cf340ef3907adc86bb76274a28817a10a
# expect: 0cc175b9c0f1b6a831c399e269772661 187ef4436122d1cc2f40dc2b92f0eba0 md5 16 64 b'\x0c\xc1u\xb9\xc0\xf1\xb6\xa81\xc3\x99\xe2iw&a'
# expect: TypeError Strings must be encoded before hashing
# expect: ValueError unsupported hash type nope
# expect: IndexError Cannot choose from an empty sequence
# expect: ValueError Sample larger than population or is negative
# expect: ValueError empty range in randrange(3, 2)

# distributions that are drawn by trial, for the same seed
import random
r = random.Random(42)
for name, args in (("gammavariate", (2.5, 1)), ("gammavariate", (1, 2)), ("gammavariate", (0.5, 2)), ("betavariate", (2, 3)),
                   ("vonmisesvariate", (1, 4)), ("vonmisesvariate", (0, 1e-9))):
    print(getattr(r, name)(*args))
# expect: 1.5398176133746162
# expect: 2.667185345616166
# expect: 0.021189308636871986
# expect: 0.08121081546730206
# expect: 1.1607906454097092
# expect: 1.385069277511634
for wrong in (lambda: r.gammavariate(0, 1), lambda: r.randrange(2.5)):
    try:
        wrong()
    except (ValueError, TypeError) as e:
        print(e)
# expect: gammavariate: alpha and beta must be > 0.0
# expect: 'float' object cannot be interpreted as an integer

random.seed(bytearray(b"hello")); a = random.random(); random.seed(b"hello"); print(a == random.random())
random.seed(1)
for n, p in ((1, .5), (10, .3), (10, .9), (100, .5), (1000, .01), (100000, .4), (1000000, .999), (40, .25), (0, .5), (5, 0), (5, 1)):
    print([random.binomialvariate(n, p) for _ in range(12)])
print(random.binomialvariate(), random.Random(3).binomialvariate(n=50, p=.5))
for n, p in ((-1, .5), (5, 1.5), (5, -.1)):
    try:
        random.binomialvariate(n, p)
    except ValueError as e:
        print(e)

# expect: True
# expect: [1, 0, 0, 1, 1, 1, 0, 0, 1, 1, 0, 1]
# expect: [1, 4, 1, 3, 1, 3, 2, 1, 4, 2, 6, 5]
# expect: [10, 9, 10, 8, 9, 8, 9, 10, 10, 7, 10, 8]
# expect: [51, 46, 61, 49, 57, 55, 51, 51, 50, 48, 51, 52]
# expect: [7, 8, 12, 13, 8, 6, 6, 12, 8, 9, 10, 11]
# expect: [39814, 39825, 40081, 40146, 39867, 39954, 39919, 39681, 39912, 39914, 40114, 39884]
# expect: [998957, 998994, 998981, 999011, 999029, 999006, 999047, 999019, 999016, 998952, 999030, 999015]
# expect: [15, 8, 6, 14, 12, 13, 9, 6, 6, 9, 13, 11]
# expect: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
# expect: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
# expect: [5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5]
# expect: 1 22
# expect: n must be non-negative
# expect: p must be in the range 0.0 <= p <= 1.0
# expect: p must be in the range 0.0 <= p <= 1.0

# Seeds as Python 2 took them, and what is refused.
for s in ("abc", b"a\xff", "ü", ""):
    random.seed(s, version=1); print(random.random())
print(random.triangular(2, 2, 2))
for f in (lambda: random.sample({1: 2}, 1), lambda: random.choices([1, 2], [float("inf"), 1]), lambda: random.choices([1, 2], 3),
          lambda: random.randrange(5, step=2)):
    try:
        f()
    except (TypeError, ValueError) as e:
        print(e)

# expect: 0.09639374978773074
# expect: 0.3745247132670999
# expect: 0.4653344470282267
# expect: 0.8444218515250481
# expect: 2
# expect: Population must be a sequence.  For dicts or sets, use sorted(d).
# expect: Total of weights must be finite
# expect: The number of choices must be a keyword argument: k=3
# expect: Missing a non-None stop argument
