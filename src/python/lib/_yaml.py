# SPDX-License-Identifier: MIT
# yaml: loader classes, errors and streams around the reader and the writer in C.


class YAMLError(Exception):
    pass


class Mark:
    def __init__(self, name, index, line, column, buffer, pointer):
        self.name = name
        self.index = index
        self.line = line
        self.column = column
        self.buffer = buffer
        self.pointer = pointer

    def get_snippet(self, indent=4, max_length=75):
        if self.buffer is None:
            return None
        ends = "\0\r\n\x85\u2028\u2029"
        head = tail = ""
        start = end = self.pointer
        while start > 0 and self.buffer[start - 1] not in ends:
            start -= 1
            if self.pointer - start > max_length / 2 - 1:
                head = " ... "
                start += 5
                break
        while end < len(self.buffer) and self.buffer[end] not in ends:
            end += 1
            if end - self.pointer > max_length / 2 - 1:
                tail = " ... "
                end -= 5
                break
        return (" " * indent + head + self.buffer[start:end] + tail + "\n"
                + " " * (indent + self.pointer - start + len(head)) + "^")

    def __str__(self):
        snippet = self.get_snippet()
        where = f'  in "{self.name}", line {self.line + 1}, column {self.column + 1}'
        return where if snippet is None else where + ":\n" + snippet


class MarkedYAMLError(YAMLError):
    def __init__(self, context=None, context_mark=None, problem=None, problem_mark=None, note=None):
        self.context = context
        self.context_mark = context_mark
        self.problem = problem
        self.problem_mark = problem_mark
        self.note = note

    def __str__(self):
        lines = []
        if self.context is not None:
            lines.append(self.context)
        mark, other = self.context_mark, self.problem_mark
        if mark is not None and (self.problem is None or other is None or mark.name != other.name
                                 or mark.line != other.line or mark.column != other.column):
            lines.append(str(mark))
        if self.problem is not None:
            lines.append(self.problem)
        if other is not None:
            lines.append(str(other))
        if self.note is not None:
            lines.append(self.note)
        return "\n".join(lines)


class ScannerError(MarkedYAMLError):
    pass


class ParserError(MarkedYAMLError):
    pass


class ComposerError(MarkedYAMLError):
    pass


class ConstructorError(MarkedYAMLError):
    pass


class ReaderError(YAMLError):
    def __init__(self, name, position, character, encoding, reason):
        self.name = name
        self.character = character
        self.position = position
        self.encoding = encoding
        self.reason = reason

    def __str__(self):
        if isinstance(self.character, bytes):
            return (f"'{self.encoding}' codec can't decode byte #x{ord(self.character):02x}: {self.reason}\n"
                    f'  in "{self.name}", position {self.position}')
        return (f"unacceptable character #x{self.character:04x}: {self.reason}\n"
                f'  in "{self.name}", position {self.position}')


class EmitterError(YAMLError):
    pass


class SerializerError(YAMLError):
    pass


class RepresenterError(YAMLError):
    pass


class Node:
    def __init__(self, tag, value, start_mark=None, end_mark=None):
        self.tag = tag
        self.value = value
        self.start_mark = start_mark
        self.end_mark = end_mark

    def __repr__(self):
        return f"{type(self).__name__}(tag={self.tag!r}, value={self.value!r})"


class ScalarNode(Node):
    id = "scalar"


# The values of these nodes are objects, not nodes.
class SequenceNode(Node):
    id = "sequence"


class MappingNode(Node):
    id = "mapping"


_nodes = {"scalar": ScalarNode, "sequence": SequenceNode, "mapping": MappingNode}
_errors = {"ScannerError": ScannerError, "ParserError": ParserError, "ComposerError": ComposerError,
           "ConstructorError": ConstructorError}


def _sources(stream):
    """The text of a stream, its name in messages, and whether messages may show its lines."""
    if isinstance(stream, str):
        return stream, "<unicode string>", True
    if isinstance(stream, (bytes, bytearray)):
        return bytes(stream), "<byte string>", True
    return stream.read(), getattr(stream, "name", "<file>"), False


class BaseLoader:
    _schema = 0
    yaml_constructors = {}
    yaml_multi_constructors = {}
    DEFAULT_SCALAR_TAG = "tag:yaml.org,2002:str"
    DEFAULT_SEQUENCE_TAG = "tag:yaml.org,2002:seq"
    DEFAULT_MAPPING_TAG = "tag:yaml.org,2002:map"

    def __init__(self, stream):
        self._text, self.name, self._show = _sources(stream)

    @classmethod
    def add_constructor(cls, tag, constructor):
        if "yaml_constructors" not in cls.__dict__:
            cls.yaml_constructors = dict(cls.yaml_constructors)
        cls.yaml_constructors[tag] = constructor

    @classmethod
    def add_multi_constructor(cls, tag_prefix, multi_constructor):
        if "yaml_multi_constructors" not in cls.__dict__:
            cls.yaml_multi_constructors = dict(cls.yaml_multi_constructors)
        cls.yaml_multi_constructors[tag_prefix] = multi_constructor

    def _mark(self, mark):
        if mark is None:
            return None
        text = self._text if self._show and isinstance(self._text, str) else None
        return Mark(self.name, mark[0], mark[1], mark[2], text, mark[0])

    def _fail(self, kind, context, context_mark, problem, problem_mark):
        if kind == "ReaderError":
            return self._unreadable(problem, problem_mark)
        context_mark, problem_mark = self._mark(context_mark), self._mark(problem_mark)
        return _errors[kind](context, context_mark, problem, problem_mark)

    def _unreadable(self, problem, mark):
        if isinstance(self._text, str):
            for position, c in enumerate(self._text):
                if not (c in "\t\n\r\x85" or " " <= c <= "~" or "\xa0" <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd"
                        or c >= "\U00010000"):
                    return ReaderError(self.name, position, ord(c), "unicode", "special characters are not allowed")
        return ReaderError(self.name, mark[0], mark[1], "utf-8", problem)

    def _construct(self, tag, kind, content, mark):
        node = _nodes[kind](tag, content, self._mark(mark))
        if tag in self.yaml_constructors:
            return self._finish(self.yaml_constructors[tag](self, node))
        for prefix, constructor in self.yaml_multi_constructors.items():
            if prefix is not None and tag.startswith(prefix):
                return self._finish(constructor(self, tag[len(prefix):], node))
        if None in self.yaml_multi_constructors:
            return self._finish(self.yaml_multi_constructors[None](self, tag, node))
        if None in self.yaml_constructors:
            return self._finish(self.yaml_constructors[None](self, node))
        raise ConstructorError(None, None, f"could not determine a constructor for the tag {tag!r}", node.start_mark)

    def _finish(self, made):
        if type(made).__name__ != "generator":
            return made
        first = next(made)
        for _ in made:
            pass
        return first

    def _documents(self, single):
        return _read(self._text, self._schema, single, self.yaml_constructors, self._construct, _timestamp, self._fail)

    def get_single_data(self):
        documents = self._documents(True)
        return documents[0] if documents else None

    def construct_scalar(self, node):
        if not isinstance(node, ScalarNode):
            raise ConstructorError(None, None, f"expected a scalar node, but found {node.id}", node.start_mark)
        return node.value

    def construct_sequence(self, node, deep=False):
        if not isinstance(node, SequenceNode):
            raise ConstructorError(None, None, f"expected a sequence node, but found {node.id}", node.start_mark)
        return node.value

    def construct_mapping(self, node, deep=False):
        if not isinstance(node, MappingNode):
            raise ConstructorError(None, None, f"expected a mapping node, but found {node.id}", node.start_mark)
        return node.value

    def construct_pairs(self, node, deep=False):
        return list(self.construct_mapping(node).items())

    def construct_object(self, node, deep=False):
        return node.value if isinstance(node, Node) else node

    def flatten_mapping(self, node):
        pass

    def dispose(self):
        pass


class SafeLoader(BaseLoader):
    _schema = 1


class FullLoader(SafeLoader):
    _schema = 2


class Loader(FullLoader):
    pass


class UnsafeLoader(FullLoader):
    pass


CBaseLoader, CSafeLoader, CFullLoader, CLoader, CUnsafeLoader = BaseLoader, SafeLoader, FullLoader, Loader, UnsafeLoader


def _number(text):
    return int(text) if text else 0


def _timestamp(text):
    import datetime
    date, rest = text, ""
    for i, c in enumerate(text):
        if c in "Tt \t":
            date, rest = text[:i], text[i + 1:].strip(" \t")
            break
    year, month, day = [int(part) for part in date.split("-")]
    if not rest:
        return datetime.date(year, month, day)
    clock, zone = rest, None
    for i, c in enumerate(rest):
        if c in " \tZ+-":
            clock, zone = rest[:i], rest[i:].strip(" \t")
            break
    hour, minute, second = clock.split(":")
    second, _, fraction = second.partition(".")
    info = None
    if zone == "Z":
        info = datetime.timezone.utc
    elif zone:
        hours, _, minutes = zone[1:].partition(":")
        delta = datetime.timedelta(hours=_number(hours), minutes=_number(minutes))
        info = datetime.timezone(-delta if zone[0] == "-" else delta)
    return datetime.datetime(year, month, day, int(hour), int(minute), int(second),
                             _number((fraction + "000000")[:6]), tzinfo=info)


def load(stream, Loader):
    return Loader(stream).get_single_data()


def load_all(stream, Loader):
    yield from Loader(stream)._documents(False)


def safe_load(stream):
    return load(stream, SafeLoader)


def safe_load_all(stream):
    return load_all(stream, SafeLoader)


def full_load(stream):
    return load(stream, FullLoader)


def full_load_all(stream):
    return load_all(stream, FullLoader)


def unsafe_load(stream):
    return load(stream, UnsafeLoader)


def unsafe_load_all(stream):
    return load_all(stream, UnsafeLoader)


def add_constructor(tag, constructor, Loader=None):
    for one in [Loader] if Loader is not None else [globals()["Loader"], FullLoader, UnsafeLoader]:
        one.add_constructor(tag, constructor)


def add_multi_constructor(tag_prefix, multi_constructor, Loader=None):
    for one in [Loader] if Loader is not None else [globals()["Loader"], FullLoader, UnsafeLoader]:
        one.add_multi_constructor(tag_prefix, multi_constructor)


class error:
    YAMLError, MarkedYAMLError, Mark = YAMLError, MarkedYAMLError, Mark


class reader:
    ReaderError = ReaderError


class scanner:
    ScannerError = ScannerError


class parser:
    ParserError = ParserError


class composer:
    ComposerError = ComposerError


class constructor:
    ConstructorError = ConstructorError
    BaseConstructor, SafeConstructor, FullConstructor, Constructor = BaseLoader, SafeLoader, FullLoader, Loader


class resolver:
    BaseResolver, Resolver = BaseLoader, SafeLoader


class representer:
    RepresenterError = RepresenterError


class emitter:
    EmitterError = EmitterError


class serializer:
    SerializerError = SerializerError


class loader:
    BaseLoader, SafeLoader, FullLoader, Loader, UnsafeLoader = BaseLoader, SafeLoader, FullLoader, Loader, UnsafeLoader


class nodes:
    Node, ScalarNode, SequenceNode, MappingNode = Node, ScalarNode, SequenceNode, MappingNode
