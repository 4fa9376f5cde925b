# Members of an enumeration with a type of values are values of that type.
import json
import os.path
from enum import Enum, IntEnum, StrEnum, auto


class Format(str, Enum):
    FASTQ = "fastq"
    BAM = "bam"


print(isinstance(Format.BAM, str), Format.BAM == "bam", {"bam": 2}[Format.BAM], hash(Format.BAM) == hash("bam"))
# expect: True True 2 True
print(",".join(Format), "x." + Format.BAM, os.path.join(Format.BAM, "y"), Format.BAM.upper(), Format.FASTQ[:2])
# expect: fastq,bam x.bam bam/y BAM fa
print(str(Format.BAM), repr(Format.BAM), "%s" % Format.BAM, f"{Format.BAM}", f"{Format.BAM.value:>5}|")
# expect: Format.BAM <Format.BAM: 'bam'> Format.BAM Format.BAM   bam|
print(json.dumps({"a": Format.BAM, "b": [Format.FASTQ]}), sorted(Format), len(Format.FASTQ))
# expect: {"a": "bam", "b": ["fastq"]} [<Format.BAM: 'bam'>, <Format.FASTQ: 'fastq'>] 5
print("bam" in Format, "sam" in Format, Format("bam") is Format.BAM, type(Format.BAM.value) is str)
# expect: True False True True


class Level(IntEnum):
    LOW = 1
    HIGH = 10


print(isinstance(Level.LOW, int), Level.LOW < Level.HIGH, Level.LOW + 1, max(Level), sum(Level), [5, 6][Level.LOW])
# expect: True True 2 10 11 6
print(str(Level.LOW), repr(Level.LOW), f"{Level.HIGH:>4}", "%d" % Level.HIGH, -Level.LOW, Level.HIGH / 4)
# expect: 1 <Level.LOW: 1>   10 10 -1 2.5
print(json.dumps(Level.LOW))  # expect: 1


class Ending(StrEnum):
    GZ = auto()
    BZ = "bz2"


print(Ending.GZ, repr(Ending.BZ), f"{Ending.GZ:>4}", "a." + Ending.BZ, "|".join(Ending))
# expect: gz <Ending.BZ: 'bz2'>   gz a.bz2 gz|bz2


class Half(float, Enum):
    A = 0.5


print(Half.A + 1, Half.A, isinstance(Half.A, float), round(Half.A))  # expect: 1.5 Half.A True 0


class Sample(bytes, Enum):
    def __new__(cls, number, label):
        made = bytes.__new__(cls, [number])
        made._value_ = number
        made.label = label
        return made

    X = (1, "first")
    Y = (2, "second")


print(Sample.Y.label, Sample(1).label, Sample.X == b"\x01")  # expect: second first True
print(type(Format).__name__, Format, isinstance(Format.BAM, Format))  # expect: EnumType <enum 'Format'> True
match "bam":
    case Format.FASTQ:
        print("no")
    case Format.BAM:
        print("yes")  # expect: yes
for wrong in (lambda: Format("sam"), lambda: setattr(Format, "BAM", 1)):
    try:
        wrong()
    except Exception as error:
        print(type(error).__name__, error)
        # expect: ValueError 'sam' is not a valid Format
        # expect: AttributeError cannot reassign member 'BAM'
try:
    class Twice(Enum):
        A = 1
        A = 2
except TypeError as error:
    print(error)  # expect: 'A' already defined as 1
