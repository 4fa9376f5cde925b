# LoggerAdapter.warn(), the old name of warning(), adds what the adapter adds.
import logging
import sys
import warnings

warnings.simplefilter("ignore")
handler = logging.StreamHandler(sys.stdout)
handler.setFormatter(logging.Formatter("%(levelname)s %(who)s %(message)s"))
logging.getLogger("x").addHandler(handler)
adapter = logging.LoggerAdapter(logging.getLogger("x"), {"who": "me"})
adapter.warning("now")
adapter.warn("before")

# expect: WARNING me now
# expect: WARNING me before
