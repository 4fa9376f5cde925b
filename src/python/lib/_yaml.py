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
    def __init__(self, tag, value, start_mark=None, end_mark=None, style=None, flow_style=None):
        self.tag = tag
        self.value = value
        self.start_mark = start_mark
        self.end_mark = end_mark
        self.style = style
        self.flow_style = flow_style

    def __repr__(self):
        return f"{type(self).__name__}(tag={self.tag!r}, value={self.value!r})"


class ScalarNode(Node):
    id = "scalar"


# Those that constructors get from a loader hold objects, those that representers make hold nodes.
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
    if isinstance(stream, bytes):
        return stream, "<byte string>", True
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


# ---- writing ----

_TAG = "tag:yaml.org,2002:"


def _base64(data):
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    lines = []
    for start in range(0, len(data), 57):
        line = ""
        for i in range(start, min(start + 57, len(data)), 3):
            part = data[i:min(i + 3, start + 57)]
            bits = int.from_bytes(part + bytes(3 - len(part)), "big")
            four = "".join([digits[bits >> shift & 63] for shift in (18, 12, 6, 0)])
            line += four[:len(part) + 1] + "=" * (3 - len(part))
        lines.append(line + "\n")
    return "".join(lines)


class BaseDumper:
    yaml_representers = {}
    yaml_multi_representers = {}

    def __init__(self, stream, default_style=None, default_flow_style=False, canonical=None, indent=None, width=None,
                 allow_unicode=None, line_break=None, encoding=None, explicit_start=None, explicit_end=None,
                 version=None, tags=None, sort_keys=True):
        if canonical or version or tags or line_break not in (None, "\n"):
            raise NotImplementedError("yaml: canonical, version, tags and line_break are not supported here")
        self.stream = stream
        self.default_style = default_style
        self.default_flow_style = default_flow_style
        self.sort_keys = sort_keys
        self.encoding = encoding
        self._layout = (indent or 0, int(min(width, 1 << 30)) if width else 0, bool(allow_unicode),
                        bool(explicit_start), bool(explicit_end))
        self._nodes = []
        self.represented_objects = {}
        self.object_keeper = []
        self.alias_key = None

    @classmethod
    def add_representer(cls, data_type, representer):
        if "yaml_representers" not in cls.__dict__:
            cls.yaml_representers = dict(cls.yaml_representers)
        cls.yaml_representers[data_type] = representer

    @classmethod
    def add_multi_representer(cls, data_type, representer):
        if "yaml_multi_representers" not in cls.__dict__:
            cls.yaml_multi_representers = dict(cls.yaml_multi_representers)
        cls.yaml_multi_representers[data_type] = representer

    def open(self):
        pass

    def close(self):
        text = _write(self._nodes, *self._layout, self._indents_lists())
        data = text.encode(self.encoding) if self.encoding else text
        if self.stream is None:
            return data
        self.stream.write(data)
        return None

    def increase_indent(self, flow=False, indentless=False):
        return indentless

    # A class that indents lists inside mappings overrides increase_indent and passes indentless=False on.
    def _indents_lists(self):
        return self.increase_indent(False, True) is False

    def represent(self, data):
        self._nodes.append(self.represent_data(data))
        self.represented_objects = {}

    def ignore_aliases(self, data):
        return False

    def represent_data(self, data):
        self.alias_key = None if self.ignore_aliases(data) else id(data)
        if self.alias_key is not None:
            if self.alias_key in self.represented_objects:
                return self.represented_objects[self.alias_key]
            self.object_keeper.append(data)
        types = type(data).__mro__
        if types[0] in self.yaml_representers:
            return self.yaml_representers[types[0]](self, data)
        for one in types:
            if one in self.yaml_multi_representers:
                return self.yaml_multi_representers[one](self, data)
        if None in self.yaml_multi_representers:
            return self.yaml_multi_representers[None](self, data)
        if None in self.yaml_representers:
            return self.yaml_representers[None](self, data)
        return ScalarNode(None, str(data))

    def _new(self, node):
        if self.alias_key is not None:
            self.represented_objects[self.alias_key] = node
        return node

    def represent_scalar(self, tag, value, style=None):
        return self._new(ScalarNode(tag, value, style=self.default_style if style is None else style))

    def represent_sequence(self, tag, sequence, flow_style=None):
        value = []
        node = self._new(SequenceNode(tag, value, flow_style=flow_style))
        for item in sequence:
            value.append(self.represent_data(item))
        if flow_style is None:
            node.flow_style = self.default_flow_style
            if node.flow_style is None:
                node.flow_style = all([_plain(item) for item in value])
        return node

    def represent_mapping(self, tag, mapping, flow_style=None):
        value = []
        node = self._new(MappingNode(tag, value, flow_style=flow_style))
        if hasattr(mapping, "items"):
            mapping = list(mapping.items())
            if self.sort_keys:
                try:
                    mapping = sorted(mapping)
                except TypeError:
                    pass
        for key, item in mapping:
            value.append((self.represent_data(key), self.represent_data(item)))
        if flow_style is None:
            node.flow_style = self.default_flow_style
            if node.flow_style is None:
                node.flow_style = all([_plain(key) and _plain(item) for key, item in value])
        return node


def _plain(node):
    return isinstance(node, ScalarNode) and not node.style


class SafeDumper(BaseDumper):
    def ignore_aliases(self, data):
        return (data is None or data == () and isinstance(data, tuple)
                or isinstance(data, (str, bytes, bool, int, float)))

    def represent_none(self, data):
        return self.represent_scalar(_TAG + "null", "null")

    def represent_str(self, data):
        return self.represent_scalar(_TAG + "str", data)

    def represent_binary(self, data):
        return self.represent_scalar(_TAG + "binary", _base64(data), style="|")

    def represent_bool(self, data):
        return self.represent_scalar(_TAG + "bool", "true" if data else "false")

    def represent_int(self, data):
        return self.represent_scalar(_TAG + "int", str(data))

    def represent_float(self, data):
        text = repr(data).lower()
        if data != data:
            text = ".nan"
        elif text in ("inf", "-inf"):
            text = text.replace("inf", ".inf")
        elif "." not in text and "e" in text:
            text = text.replace("e", ".0e", 1)
        return self.represent_scalar(_TAG + "float", text)

    def represent_list(self, data):
        return self.represent_sequence(_TAG + "seq", data)

    def represent_dict(self, data):
        return self.represent_mapping(_TAG + "map", data)

    def represent_set(self, data):
        return self.represent_mapping(_TAG + "set", dict.fromkeys(data))

    def represent_undefined(self, data):
        if type(data).__module__ == "datetime" and type(data).__name__ == "date":
            return self.represent_scalar(_TAG + "timestamp", data.isoformat())
        if type(data).__module__ == "datetime" and type(data).__name__ == "datetime":
            return self.represent_scalar(_TAG + "timestamp", data.isoformat(" "))
        return self._object(data)

    def _object(self, data):
        raise RepresenterError("cannot represent an object", data)


SafeDumper.add_representer(type(None), SafeDumper.represent_none)
SafeDumper.add_representer(str, SafeDumper.represent_str)
SafeDumper.add_representer(bytes, SafeDumper.represent_binary)
SafeDumper.add_representer(bool, SafeDumper.represent_bool)
SafeDumper.add_representer(int, SafeDumper.represent_int)
SafeDumper.add_representer(float, SafeDumper.represent_float)
SafeDumper.add_representer(list, SafeDumper.represent_list)
SafeDumper.add_representer(tuple, SafeDumper.represent_list)
SafeDumper.add_representer(dict, SafeDumper.represent_dict)
SafeDumper.add_representer(set, SafeDumper.represent_set)
SafeDumper.add_representer(None, SafeDumper.represent_undefined)


class Dumper(SafeDumper):
    def represent_complex(self, data):
        text = f"{data.real!r}{'+' if data.imag > 0 else ''}{data.imag!r}j"
        if data.imag == 0.0:
            text = repr(data.real)
        elif data.real == 0.0:
            text = f"{data.imag!r}j"
        return self.represent_scalar(_TAG + "python/complex", text)

    def represent_tuple(self, data):
        return self.represent_sequence(_TAG + "python/tuple", data)

    def represent_name(self, data):
        return self.represent_scalar(_TAG + f"python/name:{data.__module__}.{data.__name__}", "")

    def _object(self, data):
        kind = type(data)
        name = f"{kind.__module__}.{kind.__name__}"
        if kind.__name__ == "OrderedDict":
            pairs = [[key, item] for key, item in data.items()]
            return self.represent_sequence(_TAG + "python/object/apply:collections.OrderedDict", [pairs])
        if callable(data) and hasattr(data, "__name__"):
            return self.represent_name(data)
        if kind.__name__ in ("PosixPath", "Path"):
            return self.represent_sequence(_TAG + "python/object/apply:pathlib.PosixPath", list(data.parts))
        if hasattr(kind, "__members__"):  # an enumeration
            return self.represent_sequence(_TAG + "python/object/apply:" + name, [data.value])
        if isinstance(data, tuple) and hasattr(data, "_fields"):
            return self.represent_sequence(_TAG + "python/object/new:" + name, list(data))
        if isinstance(data, (list, dict, tuple, str, int, float, set)) or not hasattr(data, "__dict__"):
            raise RepresenterError("cannot represent an object", data)
        return self.represent_mapping(_TAG + "python/object:" + name, dict(data.__dict__))


Dumper.add_representer(complex, Dumper.represent_complex)
Dumper.add_representer(tuple, Dumper.represent_tuple)
CBaseDumper, CSafeDumper, CDumper = BaseDumper, SafeDumper, Dumper


def dump_all(documents, stream=None, Dumper=Dumper, **options):
    dumper = Dumper(stream, **options)
    for document in documents:
        dumper.represent(document)
    return dumper.close()


def dump(data, stream=None, Dumper=Dumper, **options):
    return dump_all([data], stream, Dumper=Dumper, **options)


def safe_dump(data, stream=None, **options):
    return dump_all([data], stream, Dumper=SafeDumper, **options)


def safe_dump_all(documents, stream=None, **options):
    return dump_all(documents, stream, Dumper=SafeDumper, **options)


def add_representer(data_type, representer, Dumper=Dumper):
    Dumper.add_representer(data_type, representer)


def add_multi_representer(data_type, multi_representer, Dumper=Dumper):
    Dumper.add_multi_representer(data_type, multi_representer)


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
    BaseRepresenter, SafeRepresenter, Representer = BaseDumper, SafeDumper, Dumper


class emitter:
    EmitterError = EmitterError


class serializer:
    SerializerError = SerializerError


class loader:
    BaseLoader, SafeLoader, FullLoader, Loader, UnsafeLoader = BaseLoader, SafeLoader, FullLoader, Loader, UnsafeLoader


class dumper:
    BaseDumper, SafeDumper, Dumper = BaseDumper, SafeDumper, Dumper


class nodes:
    Node, ScalarNode, SequenceNode, MappingNode = Node, ScalarNode, SequenceNode, MappingNode
