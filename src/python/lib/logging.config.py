# SPDX-License-Identifier: MIT
# logging.config: dictConfig(), for the loggers here; fileConfig() is not.
import _imp
import importlib as _importlib
import logging as _logging


def _resolve(name):
    """What a dotted name means: a module's part, however deep."""
    parts = name.split(".")
    found = _importlib.import_module(parts[0])
    for at, part in enumerate(parts[1:], 2):
        if not hasattr(found, part):
            _importlib.import_module(".".join(parts[:at]))
        found = getattr(found, part)
    return found


def _value(item):
    if isinstance(item, str) and item.startswith("ext://"):
        return _resolve(item[6:])
    if isinstance(item, dict) and "()" in item:
        return _made(item)
    return item


def _made(config, skipped=()):
    """The object that a description with a class or factory ("()") makes from its other items."""
    make = config.get("()") or config["class"]
    options = {key: _value(item) for key, item in config.items() if key not in ("()", "class", ".", *skipped)}
    made = (_resolve(make) if isinstance(make, str) else make)(**options)
    for key, item in config.get(".", {}).items():
        setattr(made, key, item)
    return made


def _formatter(config):
    if "()" in config:
        return _made(config)
    make = _resolve(config["class"]) if "class" in config else _logging.Formatter
    return make(config.get("format"), config.get("datefmt"), config.get("style", "%"))


def _filter(config):
    return _made(config) if "()" in config else _logging.Filter(config.get("name", ""))


def _all_of(kind, parts, make):
    made = {}
    for name, config in (parts or {}).items():
        try:
            made[name] = make(config)
        except Exception as error:
            raise ValueError("Unable to configure %s %r" % (kind, name)) from error
    return made


def _add_filters(to, config, filters):
    for name in config.get("filters", ()):
        to.addFilter(filters[name] if isinstance(name, str) else name)


def _set_up(logger, config, handlers, filters):
    if config.get("level") is not None:
        logger.setLevel(config["level"])
    for handler in list(logger.handlers):
        logger.removeHandler(handler)
    for name in config.get("handlers", ()):
        if name not in handlers:
            raise ValueError("Unable to configure %s" % ("root logger" if logger is _logging.root
                                                         else "logger %r" % logger.name))
        logger.addHandler(handlers[name])
    _add_filters(logger, config, filters)
    if config.get("propagate") is not None:
        logger.propagate = config["propagate"]


def dictConfig(config):
    if "version" not in config:
        raise ValueError("dictionary doesn't specify a version")
    if config["version"] != 1:
        raise ValueError("Unsupported version: %s" % config["version"])
    formatters = _all_of("formatter", config.get("formatters"), _formatter)
    filters = _all_of("filter", config.get("filters"), _filter)

    def handler(parts):
        made = _made(parts, ("formatter", "level", "filters"))
        if parts.get("formatter"):
            made.setFormatter(formatters[parts["formatter"]])
        if parts.get("level") is not None:
            made.setLevel(parts["level"])
        _add_filters(made, parts, filters)
        return made

    handlers = _all_of("handler", config.get("handlers"), handler)
    loggers = config.get("loggers") or {}
    if config.get("disable_existing_loggers", True) and not config.get("incremental"):
        for name, logger in _logging.root.manager.loggerDict.items():
            known = any(name == given or name.startswith(given + ".") for given in loggers)
            if not known:
                logger.disabled = True
    for name, parts in loggers.items():
        logger = _logging.getLogger(name)
        logger.disabled = False
        _set_up(logger, parts, handlers, filters)
    if "root" in config:
        _set_up(_logging.getLogger(), config["root"], handlers, filters)


def __getattr__(name):
    return getattr(_imp.elsewhere("logging.config"), name)
