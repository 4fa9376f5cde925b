# SPDX-License-Identifier: MIT
# logging: loggers in a tree, handlers that write to streams and files.
import _imp
import _traceback
import os as _os
import sys as _sys
import time as _time

CRITICAL = FATAL = 50
ERROR = 40
WARNING = WARN = 30
INFO = 20
DEBUG = 10
NOTSET = 0
BASIC_FORMAT = "%(levelname)s:%(name)s:%(message)s"
_names = {50: "CRITICAL", 40: "ERROR", 30: "WARNING", 20: "INFO", 10: "DEBUG", 0: "NOTSET"}
_levels = {"CRITICAL": 50, "FATAL": 50, "ERROR": 40, "WARNING": 30, "WARN": 30, "INFO": 20, "DEBUG": 10, "NOTSET": 0}
_disabled = 0


def getLevelName(level):
    if level in _names:
        return _names[level]
    return _levels.get(level, "Level %s" % level)


def addLevelName(level, levelName):
    _names[level] = levelName
    _levels[levelName] = level


raiseExceptions = True
_started = _time.time()


def getLevelNamesMapping():
    return dict(_levels)


def _level(level):
    if isinstance(level, int):
        return level
    if not isinstance(level, str):
        raise TypeError("Level not an integer or a valid string: %r" % (level,))
    if level not in _levels:
        raise ValueError("Unknown level: %r" % level)
    return _levels[level]


class LogRecord:
    def __init__(self, name, level, pathname, lineno, msg, args, exc_info, func=None, sinfo=None, **kwargs):
        self.name, self.levelno, self.msg, self.args, self.exc_info = name, level, msg, args, exc_info
        self.pathname, self.lineno, self.funcName = pathname, lineno, func
        self.levelname = getLevelName(level)
        self.created = _time.time()
        self.msecs = int(self.created * 1000) % 1000
        self.relativeCreated = (self.created - _started) * 1000
        self.filename = self.pathname.rpartition("/")[2]
        self.module = self.filename.rpartition(".")[0] or self.filename
        self.exc_text, self.stack_info = None, sinfo
        self.process, self.processName = _os.getpid(), "MainProcess"
        self.thread, self.threadName = 0, "MainThread"
        if "threading" in _sys.modules:
            thread = _sys.modules["threading"].current_thread()
            self.thread, self.threadName = thread.ident, thread.name

    def __repr__(self):
        return '<LogRecord: %s, %s, %s, %s, "%s">' % (self.name, self.levelno, self.pathname, self.lineno, self.msg)

    def getMessage(self):
        if not self.args:
            return str(self.msg)
        args = self.args
        if len(args) == 1 and isinstance(args[0], dict) and args[0]:
            args = args[0]
        return str(self.msg) % args


class Formatter:
    default_time_format = "%Y-%m-%d %H:%M:%S"

    def __init__(self, fmt=None, datefmt=None, style="%", validate=True, *, defaults=None):
        self._fmt = fmt or {"%": "%(message)s", "{": "{message}", "$": "${message}"}[style]
        self.datefmt, self._style = datefmt, style

    def formatTime(self, record, datefmt=None):
        when = _time.localtime(record.created)
        if datefmt:
            return _time.strftime(datefmt, when)
        return "%s,%03d" % (_time.strftime(self.default_time_format, when), record.msecs)

    def formatException(self, ei):
        import traceback
        return "".join(traceback.format_exception(ei[1])).removesuffix("\n")

    def format(self, record):
        record.message = record.getMessage()
        if "asctime" in self._fmt:
            record.asctime = self.formatTime(record, self.datefmt)
        if self._style == "{":
            text = self._fmt.format(**record.__dict__)
        elif self._style == "$":
            from string import Template
            text = Template(self._fmt).substitute(record.__dict__)
        else:
            text = self._fmt % record.__dict__
        if record.exc_info and not record.exc_text:
            record.exc_text = self.formatException(record.exc_info)
        if record.exc_text:
            text += "\n" + record.exc_text
        if record.stack_info:
            text += "\n" + record.stack_info
        return text


class Filterer:
    def addFilter(self, filter):
        self.filters.append(filter)

    def removeFilter(self, filter):
        if filter in self.filters:
            self.filters.remove(filter)

    def filter(self, record):
        return all((f.filter if hasattr(f, "filter") else f)(record) for f in self.filters)


class Filter:
    def __init__(self, name=""):
        self.name = name

    def filter(self, record):
        return not self.name or record.name == self.name or record.name.startswith(self.name + ".")


class Handler(Filterer):
    def __init__(self, level=NOTSET):
        self.level, self.formatter, self.filters, self.name = _level(level), None, [], None

    def setLevel(self, level):
        self.level = _level(level)

    def setFormatter(self, fmt):
        self.formatter = fmt

    def format(self, record):
        return (self.formatter or Formatter()).format(record)

    def handle(self, record):
        if self.filter(record):
            self.emit(record)

    def emit(self, record):
        raise NotImplementedError("emit must be implemented by Handler subclasses")

    def handleError(self, record):
        if not raiseExceptions:
            return
        import traceback
        _sys.stderr.write("--- Logging error ---\n")
        traceback.print_exc()
        _sys.stderr.write("Message: %r\nArguments: %s\n" % (record.msg, record.args))

    def get_name(self):
        return self.name

    def set_name(self, name):
        self.name = name

    def acquire(self):
        pass

    release = createLock = acquire

    def _shown(self):
        return None

    def __repr__(self):
        shown = self._shown()
        level = getLevelName(self.level)
        if shown is None:
            return "<%s (%s)>" % (type(self).__name__, level)
        return "<%s %s(%s)>" % (type(self).__name__, shown + " " if shown else "", level)

    def flush(self):
        pass

    def close(self):
        pass


class StreamHandler(Handler):
    terminator = "\n"

    def __init__(self, stream=None):
        super().__init__()
        self.stream = _sys.stderr if stream is None else stream

    def flush(self):
        if hasattr(self.stream, "flush"):
            self.stream.flush()

    def emit(self, record):
        try:
            self.stream.write(self.format(record) + self.terminator)
            self.flush()
        except Exception:
            self.handleError(record)

    def setStream(self, stream):
        before, self.stream = self.stream, stream
        return before

    def _shown(self):
        return str(getattr(self.stream, "name", ""))


class FileHandler(StreamHandler):
    def __init__(self, filename, mode="a", encoding=None, delay=False, errors=None):
        self.baseFilename = _os.path.abspath(_os.fspath(filename))
        self.mode, self.encoding, self.errors = mode, encoding, errors
        super().__init__(None if delay else self._open())
        if delay:
            self.stream = None

    def _open(self):
        return open(self.baseFilename, self.mode, encoding=self.encoding, errors=self.errors)

    def emit(self, record):
        if self.stream is None:
            self.stream = self._open()
        super().emit(record)

    def close(self):
        if self.stream is not None:
            self.stream.close()
            self.stream = None

    def _shown(self):
        return self.baseFilename


class NullHandler(Handler):
    def handle(self, record):
        pass

    def emit(self, record):
        pass


class _Levels:
    def debug(self, msg, *args, **kwargs):
        self.log(DEBUG, msg, *args, **kwargs)

    def info(self, msg, *args, **kwargs):
        self.log(INFO, msg, *args, **kwargs)

    def warning(self, msg, *args, **kwargs):
        self.log(WARNING, msg, *args, **kwargs)

    warn = warning

    def error(self, msg, *args, **kwargs):
        self.log(ERROR, msg, *args, **kwargs)

    def exception(self, msg, *args, exc_info=True, **kwargs):
        self.log(ERROR, msg, *args, exc_info=exc_info, **kwargs)

    def critical(self, msg, *args, **kwargs):
        self.log(CRITICAL, msg, *args, **kwargs)

    fatal = critical


class Logger(_Levels, Filterer):
    def __init__(self, name, level=NOTSET):
        self.name, self.level, self.parent, self.propagate = name, _level(level), None, True
        self.handlers, self.filters, self.disabled = [], [], False

    def setLevel(self, level):
        self.level = _level(level)

    def getEffectiveLevel(self):
        logger = self
        while logger:
            if logger.level:
                return logger.level
            logger = logger.parent
        return NOTSET

    def isEnabledFor(self, level):
        return not self.disabled and level > _disabled and level >= self.getEffectiveLevel()

    def addHandler(self, hdlr):
        if hdlr not in self.handlers:
            self.handlers.append(hdlr)

    def removeHandler(self, hdlr):
        if hdlr in self.handlers:
            self.handlers.remove(hdlr)

    def hasHandlers(self):
        logger = self
        while logger:
            if logger.handlers:
                return True
            logger = logger.parent if logger.propagate else None
        return False

    def getChild(self, suffix):
        return getLogger(suffix if self is root else self.name + "." + suffix)

    def _log(self, level, msg, args, exc_info=None, extra=None, stack_info=False, stacklevel=1):
        if isinstance(exc_info, BaseException):
            exc_info = (type(exc_info), exc_info, exc_info.__traceback__)
        elif exc_info and not isinstance(exc_info, tuple):
            exc_info = _sys.exc_info()
        stack = None
        if stack_info:
            import traceback
            lines = [line for line in traceback.format_stack() if '"<logging>"' not in line]
            stack = "Stack (most recent call last):\n" + "".join(lines).removesuffix("\n")
        path, line, function = self.findCaller(stacklevel)
        self.handle(self.makeRecord(self.name, level, path, line, msg, args, exc_info or None, function, extra, stack))

    def findCaller(self, stacklevel=1):
        places = [place for place in _traceback.stack() if place[0] != "<logging>"]
        return places[-min(stacklevel, len(places))][:3] if places else ("(unknown file)", 0, "(unknown function)")

    def makeRecord(self, name, level, fn, lno, msg, args, exc_info, func=None, extra=None, sinfo=None):
        record = LogRecord(name, level, fn, lno, msg, args, exc_info, func, sinfo)
        for key, item in (extra or {}).items():
            if key in ("message", "asctime") or key in record.__dict__:
                raise KeyError("Attempt to overwrite %r in LogRecord" % key)
            record.__dict__[key] = item
        return record

    def handle(self, record):
        if self.disabled or not self.filter(record):
            return
        logger, found = self, False
        while logger:
            for handler in logger.handlers:
                found = True
                if record.levelno >= handler.level:
                    handler.handle(record)
            logger = logger.parent if logger.propagate else None
        if not found and record.levelno >= WARNING:
            _sys.stderr.write(record.getMessage() + "\n")

    def log(self, level, msg, *args, **kwargs):
        if self.isEnabledFor(level):
            self._log(level, msg, args, **kwargs)

    def __repr__(self):
        return "<%s %s (%s)>" % (type(self).__name__, self.name, getLevelName(self.getEffectiveLevel()))


class RootLogger(Logger):
    def __init__(self, level):
        super().__init__("root", level)


class LoggerAdapter(_Levels):
    def __init__(self, logger, extra=None):
        self.logger, self.extra = logger, extra

    def process(self, msg, kwargs):
        kwargs["extra"] = self.extra
        return msg, kwargs

    def log(self, level, msg, *args, **kwargs):
        if self.logger.isEnabledFor(level):
            msg, kwargs = self.process(msg, kwargs)
            self.logger.log(level, msg, *args, **kwargs)

    def __getattr__(self, name):
        return getattr(self.__dict__["logger"], name)


_class = Logger


def getLoggerClass():
    return _class


def setLoggerClass(klass):
    global _class
    if not issubclass(klass, Logger):
        raise TypeError("logger not derived from logging.Logger: " + klass.__name__)
    _class = klass


def makeLogRecord(dict):
    record = LogRecord(None, 0, "", 0, "", (), None)
    record.__dict__.update(dict)
    return record


class Manager:
    def __init__(self, rootnode):
        self.root, self.loggerDict = rootnode, {}

    def getLogger(self, name):
        return getLogger(name)


root = RootLogger(WARNING)
Logger.root, Logger.manager = root, Manager(root)
_loggers = Logger.manager.loggerDict


def getLogger(name=None):
    if not name or name == "root":
        return root
    if name not in _loggers:
        logger = _loggers[name] = _class(name)
        above = name.rpartition(".")[0]
        while above and above not in _loggers:
            above = above.rpartition(".")[0]
        logger.parent = _loggers[above] if above else root
        for other, known in _loggers.items():
            if other.startswith(name + ".") and known.parent is logger.parent:
                known.parent = logger
    return _loggers[name]


def basicConfig(*, filename=None, filemode="a", format=None, datefmt=None, style="%", level=None, stream=None,
                handlers=None, force=False, encoding=None, errors=None):
    if force:
        for handler in list(root.handlers):
            root.removeHandler(handler)
            handler.close()
    if root.handlers:
        return
    if style not in ("%", "{", "$"):
        raise ValueError("Style must be one of: %,{,$")
    if handlers is not None and (stream or filename):
        raise ValueError("'stream' or 'filename' should not be specified together with 'handlers'")
    if stream and filename:
        raise ValueError("'stream' and 'filename' should not be specified together")
    if handlers is None:
        handlers = [FileHandler(filename, filemode, encoding) if filename else StreamHandler(stream)]
    default = {"%": BASIC_FORMAT, "{": "{levelname}:{name}:{message}", "$": "$levelname:$name:$message"}[style]
    for handler in handlers:
        if handler.formatter is None:
            handler.setFormatter(Formatter(format or default, datefmt, style))
        root.addHandler(handler)
    if level is not None:
        root.setLevel(level)


def _root_log(level, msg, args, kwargs):
    if not root.handlers:
        basicConfig()
    root.log(level, msg, *args, **kwargs)


def debug(msg, *args, **kwargs):
    _root_log(DEBUG, msg, args, kwargs)


def info(msg, *args, **kwargs):
    _root_log(INFO, msg, args, kwargs)


def warning(msg, *args, **kwargs):
    _root_log(WARNING, msg, args, kwargs)


warn = warning


def error(msg, *args, **kwargs):
    _root_log(ERROR, msg, args, kwargs)


def exception(msg, *args, exc_info=True, **kwargs):
    _root_log(ERROR, msg, args, {"exc_info": exc_info, **kwargs})


def critical(msg, *args, **kwargs):
    _root_log(CRITICAL, msg, args, kwargs)


def log(level, msg, *args, **kwargs):
    _root_log(level, msg, args, kwargs)


def disable(level=CRITICAL):
    global _disabled
    _disabled = level


_shows = None


def captureWarnings(capture):
    global _shows
    import warnings
    if capture and _shows is None:
        _shows, warnings.showwarning = warnings.showwarning, _warn_by_log
    elif not capture and _shows is not None:
        warnings.showwarning, _shows = _shows, None


def _warn_by_log(message, category, filename, lineno, file=None, line=None):
    import warnings
    getLogger("py.warnings").warning("%s", warnings.formatwarning(message, category, filename, lineno, line))


def shutdown():
    for logger in [root, *_loggers.values()]:
        for handler in logger.handlers:
            handler.flush()


def __getattr__(name):
    if name != "handlers":  # Snakemake has imported them
        raise AttributeError("module 'logging' has no attribute %r" % name)
    return _imp.elsewhere("logging.handlers")
