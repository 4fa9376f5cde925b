class Empty:
    def __len__(self):
        return 0
class No:
    def __bool__(self):
        return False
print(bool(Empty()), bool(No()), bool(object()), "yes" if [] else "no", not {})
# expect: False False True no True
