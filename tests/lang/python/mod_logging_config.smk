# logging.config.dictConfig() sets up the loggers that the workflow uses.
import logging
import logging.config

early = logging.getLogger("early")
logging.config.dictConfig({
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "%(levelname)s %(name)s|%(message)s"},
                   "own": {"()": "logging.Formatter", "fmt": "to file: %(message)s"}},
    "filters": {"app": {"name": "app"}},
    "handlers": {"out": {"class": "logging.StreamHandler", "formatter": "plain", "level": "INFO",
                         "stream": "ext://sys.stdout", "filters": ["app"]},
                 "file": {"class": "logging.FileHandler", "filename": "x.log", "formatter": "own"}},
    "loggers": {"app": {"handlers": ["out", "file"], "level": "DEBUG", "propagate": False}},
    "root": {"handlers": ["out", "file"], "level": "ERROR"},
})
logging.getLogger("app.part").info("first %d", 1)  # expect: INFO app.part|first 1
logging.getLogger("app").debug("second")
early.error("third")
print(open("x.log").read().split("\n"))  # expect: ['to file: first 1', 'to file: second', 'to file: third', '']
logging.config.dictConfig({"version": 1, "root": {"level": "INFO"}})
print(early.disabled, logging.root.level, logging.root.handlers)  # expect: True 20 []
for bad in ({}, {"version": 1, "handlers": {"h": {"class": "logging.Nope"}}}, {"version": 1, "root": {"handlers": ["h"]}}):
    try:
        logging.config.dictConfig(bad)
    except ValueError as error:
        print(error)
# expect: dictionary doesn't specify a version
# expect: Unable to configure handler 'h'
# expect: Unable to configure root logger
print(sorted(logging.root.manager.loggerDict))  # expect: ['app', 'app.part', 'early']
