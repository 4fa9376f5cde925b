# SPDX-License-Identifier: MIT
# The template language YTE: a YAML document whose texts and keys that begin with "?" are Python.
#
#     __definitions__: [import os]        statements
#     __variables__: {n: ?1 + 1}          names
#     a: ?n + 1                           a value; keys may be such too
#     ?if n > 1: {...}  ?elif ...  ?else  what is chosen takes the place of the condition
#     ?for x in items: {...}              the same for what every turn gives
#     <: ?other                           the items of another mapping, or list
#
# `doc` and `this` are what the top of the document holds so far.
import re

import yaml

FEATURES = frozenset(["variables", "definitions"])
SKIP = object()
_loop = re.compile(r"\?for .+ in .+", re.DOTALL)
_targets = re.compile(r"\bfor\s+(.+?)\s+in\b")
_branch = re.compile(r"\?(if|elif) (.+)|\?(else)", re.DOTALL)


class YteError(Exception):
    pass


class CodeHandler:
    def eval(self, expr, variables):
        return eval(expr, variables)

    def exec(self, source, variables):
        return exec(source, variables)


class ValueHandler:
    def postprocess(self, value):
        return value


class _Document:
    def __init__(self, variables, disabled, code_handler):
        self.variables = variables
        self.disabled = disabled
        self.code = code_handler

    def fail(self, path, message):
        place = "/".join(str(step) for step in path) or "the top"
        raise YteError(f"Error processing template at {place}: {message}")

    def evaluate(self, text, variables, path):
        try:
            return self.code.eval(text, variables)
        except Exception as error:
            self.fail(path, f"{type(error).__name__}: {error}")

    def value(self, node, variables, path, shown=None):
        """shown: the mapping into which a condition or loop puts its own keys."""
        if isinstance(node, dict):
            return self.mapping(node, variables, path, shown)
        if isinstance(node, list):
            return self.sequence(node, variables, path)
        if isinstance(node, str) and node.startswith("?"):
            return self.evaluate(node[1:], variables, path)
        return node

    def sequence(self, node, variables, path):
        result = []
        for i, item in enumerate(node):
            here = path + [i]
            if not (isinstance(item, dict) and "<" in item):
                value = self.value(item, variables, here)
                if value is not SKIP:
                    result.append(value)
                continue
            if len(item) > 1:
                self.fail(here, "'<' must be the only key of its mapping in a list")
            value = self.value(item["<"], variables, here)
            if not isinstance(value, list):
                self.fail(here, f"'<' in a list must be followed by a list, not {type(value).__name__}")
            result.extend(value)
        return result

    def mapping(self, node, variables, path, shown):
        if shown is None:
            shown = {} if path else variables["doc"]
        items = list(self.items(node, variables, path, shown))
        if all(isinstance(item, dict) for item in items):
            result = {}
            for item in items:
                for key, value in item.items():
                    if key != "<":
                        result[key] = value
                    elif isinstance(value, dict):
                        result.update(value)
                    else:
                        self.fail(path, f"'<' must be followed by a mapping, not {type(value).__name__}")
            return result
        if all(isinstance(item, list) for item in items):
            return [item for part in items for item in part]
        if len(items) == 1:
            return items[0]
        self.fail(path, "a condition or loop gave mappings, lists and values side by side")

    def items(self, node, variables, path, shown):
        """What each key gives; `shown` tells later ones what stands already."""
        chosen = None  # whether a branch of the conditions at hand was taken; None: there are none
        for key, value in node.items():
            here = path + [key]
            branch = _branch.fullmatch(key) if isinstance(key, str) else None
            if branch:
                kind = branch.group(1) or branch.group(3)
                if kind == "if":
                    chosen = False
                elif chosen is None:
                    self.fail(here, f"{kind} without if")
                if not chosen and (kind == "else" or self.evaluate(branch.group(2), variables, here)):
                    yield self.value(value, variables, here, shown)
                    chosen = True
                if kind == "else":
                    chosen = None
                continue
            chosen = None
            if key == "__definitions__":
                self.define(value, variables, here)
            elif key == "__variables__":
                self.name(value, variables, here)
            elif isinstance(key, str) and _loop.fullmatch(key):
                yield from self.turns(key, value, variables, here, shown)
            else:
                name = self.value(key, variables, here)
                result = self.value(value, variables, here)
                if result is not SKIP:
                    if name != "<":
                        shown[name] = result
                    yield {name: result}

    def turns(self, key, value, variables, path, shown):
        def turn(names):
            bound = dict(variables)
            for name, get in names.items():
                try:
                    bound[name] = get()
                except NameError:  # of a generator within what is gone through
                    pass
            return self.value(value, bound, path, shown)

        names = [name for target in _targets.findall(key) for name in re.findall(r"\w+", target)]
        given = ", ".join(f"{name!r}: lambda: {name}" for name in names)
        return self.evaluate(f"[_turn({{{given}}}) {key[1:]}]", {**variables, "_turn": turn}, path)

    def define(self, statements, variables, path):
        if "definitions" in self.disabled:
            self.fail(path, "__definitions__ have been disabled")
        if not isinstance(statements, list):
            self.fail(path, "__definitions__ needs a list of Python statements")
        for statement in statements:
            try:
                self.code.exec(statement, variables)
            except Exception as error:
                self.fail(path, f"{type(error).__name__}: {error}")

    def name(self, values, variables, path):
        if "variables" in self.disabled:
            self.fail(path, "__variables__ have been disabled")
        if not isinstance(values, dict):
            self.fail(path, "__variables__ needs a mapping of names and values")
        for key, value in values.items():
            is_code = isinstance(value, str) and value.startswith("?")
            variables[key] = self.evaluate(value[1:], variables, path) if is_code else value


def process_yaml(
    file_or_str,
    outfile=None,
    variables=None,
    require_use_yte=False,
    disable_features=None,
    code_handler=None,
    value_handler=None,
):
    disabled = frozenset(disable_features or [])
    if not disabled <= FEATURES:
        raise ValueError("Invalid features given to `disable_features`.")
    document = yaml.load(file_or_str, Loader=yaml.FullLoader)
    wanted = document.pop("__use_yte__", None) if isinstance(document, dict) else None
    if wanted or not require_use_yte:
        names = dict(variables or {})
        names["doc"] = names["this"] = {}
        names["SKIP"] = SKIP
        document = _Document(names, disabled, code_handler or CodeHandler()).value(document, names, [])
        document = value_handler.postprocess(document) if value_handler else document
    if outfile is None:
        return document
    yaml.dump(document, outfile, sort_keys=False)
