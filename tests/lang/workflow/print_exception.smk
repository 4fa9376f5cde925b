# Snakefiles of long ago import it; the class and the message are shown.
import sys
from snakemake.exceptions import print_exception, WorkflowError

sys.stderr = sys.stdout
print_exception(WorkflowError("no\nsamples"))
# expect: WorkflowError:
# expect: no
# expect: samples
