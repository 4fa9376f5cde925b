from fractions import Fraction


class Counting(type):
    made = 0

    def __call__(cls, *args):
        Counting.made += 1
        return super().__call__(*args)


class Registry(metaclass=Counting):
    def __init__(self, config):
        self.config = config

    def get(self, wildcards):
        return self.config["words"][wildcards.sample] + "!"

    def threads(self, wildcards):
        return 1

    def memory(self, wildcards, attempt):
        return 100 * attempt * len(wildcards["sample"])

    def names(self):
        return sorted(self.config["words"])


class Ratio(Fraction):
    def __str__(self):
        return f"{self.numerator}:{self.denominator}"

    def __format__(self, spec):
        return str(self)


def fill(config):
    config["added"] = config["base"] + 1
