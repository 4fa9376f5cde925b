# Their hierarchy, and how the messages of several are put together.
import builtins
from snakemake.exceptions import CyclicGraphException, LookupError, MissingInputException, RuleException
from snakemake.exceptions import WildcardError, WorkflowError

try:
    expand("{a}", b=1)
except WorkflowError as error:
    print(type(error), error)

try:
    raise WorkflowError("read", ValueError("a\nb"), WorkflowError("inner\nlines"), rule=None)
except WorkflowError as error:
    print(repr(str(error)), error.args)


class Own(WorkflowError):
    pass


print(repr(Own("x", KeyError("k"))), str(RuleException(message="m")), repr(str(WorkflowError())))
print(MissingInputException.__bases__[0].__bases__[0] is RuleException, issubclass(CyclicGraphException, WorkflowError))
print(issubclass(LookupError, WorkflowError), LookupError is builtins.LookupError, issubclass(KeyError, LookupError))
try:
    b"x".decode("no such encoding")
except builtins.LookupError as error:
    print(type(error))
# expect: <class 'snakemake.exceptions.WildcardError'> No values given for wildcard 'a'.
# expect: 'read\nValueError: a\nb\nWorkflowError:\n    inner\n    lines'
# expect: Own("x\nKeyError: 'k'") m ''
# expect: True False
# expect: True False False
# expect: <class 'LookupError'>
