# Foreign code makes deep copies of what holds functions and classes of the Snakefile: they are not copied themselves.
from email.message import Message
import mailbox


class Sized:
    def __len__(self):
        return 7


def twice(n):
    return 2 * n


mail = Message()
mail.preamble = {"function": twice, "lambda": lambda n: n + 1, "class": Sized, "native": sorted}
parts = mailbox.Message(mail).preamble
print(parts["function"](4), parts["lambda"](4), len(parts["class"]()), parts["native"]([2, 1]))  # expect: 8 5 7 [1, 2]
print(parts["function"] is twice, parts["class"] is Sized)  # expect: True True
