# logging: loggers, handlers, formats, filters.
import io
import logging
import re
import sys

out = io.StringIO()


def shown():
    text = re.sub(r'File ".*?"', "File", out.getvalue())
    out.seek(0)
    out.truncate()
    print(text, end="")


log = logging.getLogger("a.b")
handler = logging.StreamHandler(out)
handler.setFormatter(logging.Formatter("%(levelname)s %(name)s:%(funcName)s:%(lineno)d %(message)s"))
log.addHandler(handler)
log.addHandler(handler)
log.setLevel("INFO")


def work():
    log.info("hello %s", "x")


work()
log.debug("not shown")
log.warning("n %d %s", 1, [2])
log.error("%(k)s", {"k": "from a dict"})
log.log(25, "odd level")
shown()
# expect: INFO a.b:work:26 hello x
# expect: WARNING a.b:<module>:31 n 1 [2]
# expect: ERROR a.b:<module>:32 from a dict
# expect: Level 25 a.b:<module>:33 odd level
handler.setFormatter(logging.Formatter("{levelname:8}|{message}", style="{"))
try:
    raise ValueError("bad")
except ValueError:
    log.exception("failed")
log.critical("no exception", exc_info=None)
shown()
# expect: ERROR   |failed
# expect: Traceback (most recent call last):
# expect:   File, line 41, in <module>
# expect:     raise ValueError("bad")
# expect: ValueError: bad
# expect: CRITICAL|no exception
parent = logging.getLogger("a")
print(log.parent is parent, parent.parent is logging.getLogger(), log.getChild("c").name)  # expect: True True a.b.c
print(log, parent, logging.getLogger(), parent.getEffectiveLevel(), log.isEnabledFor(logging.DEBUG))  # expect: <Logger a.b (INFO)> <Logger a (WARNING)> <RootLogger root (WARNING)> 30 False
print(logging.StreamHandler(sys.stdout), logging.NullHandler(), log.handlers == [handler])  # expect: <StreamHandler <stdout> (NOTSET)> <NullHandler (NOTSET)> True
print(logging.getLevelName(20), logging.getLevelName("ERROR"), logging.getLevelName(7), log.hasHandlers())  # expect: INFO 40 Level 7 True
handler.setFormatter(logging.Formatter("%(message)s"))
up = logging.StreamHandler(out)
up.setFormatter(logging.Formatter("up $message", style="$"))
up.setLevel(logging.ERROR)
parent.addHandler(up)
log.info("one")
log.error("two")
log.propagate = False
log.error("three")
shown()
# expect: one
# expect: two
# expect: up two
# expect: three


class OnlyEven(logging.Filter):
    def filter(self, record):
        return record.args[0] % 2 == 0


log.addFilter(OnlyEven())
handler.addFilter(lambda record: record.args[0] < 4)
for i in range(6):
    log.warning("item %d", i)
shown()
# expect: item 0
# expect: item 2
log.filters.clear()
handler.filters.clear()
handler.setFormatter(logging.Formatter("%(user)s %(message)s"))
logging.LoggerAdapter(log, {"user": "ann"}).info("adapted")
log.info("extra", extra={"user": "bob"})
shown()
# expect: ann adapted
# expect: bob extra


class Collect(logging.Handler):
    def __init__(self):
        super().__init__(logging.WARNING)
        self.seen = []

    def emit(self, record):
        self.seen.append((record.levelname, record.getMessage(), record.threadName))


collect = Collect()
log.handlers[:] = [collect]
log.info("low")
log.warning("high")
logging.disable(logging.WARNING)
log.warning("disabled")
logging.disable(logging.NOTSET)
print(collect.seen)  # expect: [('WARNING', 'high', 'MainThread')]
logging.basicConfig(filename="app.log", filemode="w", level=logging.DEBUG, format="%(asctime)s %(name)s %(message)s", datefmt="@")
logging.debug("to the file")
logging.getLogger("x.y").info("there too")
logging.basicConfig(stream=out)
logging.shutdown()
print(open("app.log").read(), end="")
# expect: @ root to the file
# expect: @ x.y there too
print(re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}", logging.Formatter("%(asctime)s").format(logging.makeLogRecord({"msg": "m"}))) is not None)  # expect: True
logging.addLevelName(15, "TRACE")
print(logging.getLevelName(15), logging.getLevelName("TRACE"))  # expect: TRACE 15
for wrong in (lambda: log.setLevel("LOUD"), lambda: log.setLevel([]), lambda: log.info("x", extra={"name": 1}),
              lambda: logging.basicConfig(force=True, style="x"),
              lambda: logging.basicConfig(force=True, stream=out, filename="f")):
    try:
        wrong()
    except Exception as e:
        print(type(e).__name__, e)
# expect: ValueError Unknown level: 'LOUD'
# expect: TypeError Level not an integer or a valid string: []
# expect: KeyError "Attempt to overwrite 'name' in LogRecord"
# expect: ValueError Style must be one of: %,{,$
# expect: ValueError 'stream' and 'filename' should not be specified together
record = logging.LogRecord("n", 20, "d/path.py", 7, "m %s", ("z",), None, func="f")
print(logging.Formatter("{levelname:>8} {message} {filename} {lineno} {funcName}", style="{").format(record))  # expect:     INFO m z path.py 7 f
