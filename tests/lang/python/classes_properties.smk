class C:
    count = 0
    @property
    def double(self):
        return self.n * 2
    @staticmethod
    def helper(x):
        return x + 1
    @classmethod
    def make(cls, n):
        self = cls()
        self.n = n
        cls.count += 1
        return self
c = C.make(4)
print(c.double, C.helper(1), C.count, c.helper(2))  # expect: 8 2 1 3
