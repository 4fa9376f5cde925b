class There:
    def __init__(self, x):
        self.x = x

    def __repr__(self):
        return "There(%r)" % self.x


async def wait():
    pass
