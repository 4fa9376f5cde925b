import logging, sys, io, warnings, traceback
s=io.StringIO()
logging.basicConfig(stream=s,level=logging.INFO,format="%(levelname)-8s %(name)s %(message)s")
log=logging.getLogger("a.b"); log.info("x %d",1); log.debug("no"); logging.warning("w %s %s","a","b"); log.error("e"); logging.getLogger("a").setLevel("ERROR"); log.info("hidden"); print(s.getvalue()); print(log, logging.getLevelName(20), log.isEnabledFor(40))
h=logging.StreamHandler(s); h.setFormatter(logging.Formatter("%(asctime)s|%(message)s",datefmt="%Y")); log.addHandler(h); log.propagate=False; log.critical("c"); print(s.getvalue().splitlines()[-1][4:])
try: 1/0
except ZeroDivisionError as e: print(traceback.format_exc().splitlines()[-1], traceback.format_exception_only(e))

# expect: INFO     a.b x 1
# expect: WARNING  root w a b
# expect: ERROR    a.b e
# expect:
# expect: <Logger a.b (ERROR)> INFO True
# expect: |c
# expect: ZeroDivisionError: division by zero ['ZeroDivisionError: division by zero\n']
