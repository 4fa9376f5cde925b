# Flags: members are bits, and what is made of them has their names.
from enum import CONFORM, Flag, IntFlag, auto


class Mode(Flag):
    READ = auto()
    WRITE = auto()
    RUN = auto()
    BOTH = READ | WRITE


mode = Mode.READ | Mode.RUN
print(mode, repr(mode), mode.name, mode.value, len(mode), bool(mode & Mode.WRITE))
# expect: Mode.READ|RUN <Mode.READ|RUN: 5> READ|RUN 5 2 False
print(list(mode), Mode.READ in mode, Mode.WRITE in mode, mode == Mode(5), {mode: 1}[Mode(5)])
# expect: [<Mode.READ: 1>, <Mode.RUN: 4>] True False True 1
print(list(Mode), len(Mode), Mode.BOTH, repr(Mode.BOTH), Mode(3) is Mode.BOTH, Mode["RUN"])
# expect: [<Mode.READ: 1>, <Mode.WRITE: 2>, <Mode.RUN: 4>] 3 Mode.BOTH <Mode.BOTH: 3> True Mode.RUN
print(~Mode.READ, mode ^ Mode.READ, mode & Mode.RUN, Mode(0), repr(Mode(0)), bool(Mode(0)), type(Mode(7)).__name__)
# expect: Mode.WRITE|RUN Mode.RUN Mode.RUN Mode(0) <Mode: 0> False Mode
mode |= Mode.WRITE
mode &= ~Mode.READ
print(mode, [bit.value for bit in mode], Mode)  # expect: Mode.WRITE|RUN [2, 4] <flag 'Mode'>
for wrong in (lambda: Mode(16), lambda: Mode("x"), lambda: Mode.READ | 1, lambda: 1 in Mode.READ):
    try:
        wrong()
    except Exception as error:
        print(type(error).__name__, error)
        # expect: ValueError <flag 'Mode'> invalid value 16
        # expect:     given 0b0 10000
        # expect:   allowed 0b0 00111
        # expect: ValueError 'x' is not a valid Mode
        # expect: TypeError unsupported operand type(s) for |: 'Mode' and 'int'
        # expect: TypeError unsupported operand type(s) for 'in': 'int' and 'Mode'


class Sam(IntFlag):
    PAIRED = 1
    UNMAPPED = 4
    REVERSE = 16


flag = Sam(21)
print(flag, repr(flag), list(flag))
# expect: 21 <Sam.PAIRED|UNMAPPED|REVERSE: 21> [<Sam.PAIRED: 1>, <Sam.UNMAPPED: 4>, <Sam.REVERSE: 16>]
print(flag & 4, repr(flag & 4), Sam.REVERSE in flag, flag == 21, isinstance(flag, int))
# expect: 4 <Sam.UNMAPPED: 4> True True True
print(repr(Sam(3)), repr(Sam(8)), repr(Sam.PAIRED | 2), Sam.PAIRED + 1, f"{Sam.REVERSE}")
# expect: <Sam.PAIRED|2: 3> <Sam: 8> <Sam.PAIRED|2: 3> 2 16
print(repr(~Sam.PAIRED), repr(Sam(0)))  # expect: <Sam.UNMAPPED|REVERSE|10: 30> <Sam: 0>
print(flag & Sam.UNMAPPED and "unmapped", 83 & Sam.REVERSE, repr(83 & Sam.REVERSE))
# expect: unmapped 16 <Sam.REVERSE: 16>
print(hex(flag), (Sam.PAIRED | Sam.REVERSE).name)  # expect: 0x15 PAIRED|REVERSE


class Kept(Flag, boundary=CONFORM):
    A = 1
    B = 2


print(Kept(7), Kept(4))  # expect: Kept.A|B Kept(0)
