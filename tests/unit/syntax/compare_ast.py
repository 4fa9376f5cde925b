#!/usr/bin/env python3
"""Compares the parser's trees with those of CPython's ast module, statement by statement.

    compare_ast.py BUILD/tests/unit/syntax/syntax-accept FILE.py...

Both are printed in the notation of ast_print(); the first difference of a file is shown. Known and left
out: {x=} in f-strings (ast keeps no trace of it) and names that CPython normalises.
"""
import ast
import subprocess
import sys

BINARY = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Pow: "**", ast.MatMult: "@", ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&",
    ast.BitOr: "|", ast.BitXor: "^", ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=",
    ast.Gt: ">", ast.GtE: ">=", ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
    ast.USub: "-", ast.UAdd: "+", ast.Invert: "~", ast.Not: "not",
}


def quoted(raw):
    out = bytearray(b'"')
    for c in raw:
        if c in b'"\\':
            out += b"\\" + bytes([c])
        elif c == 10:
            out += b"\\n"
        elif c < 32 or c == 127:
            out += b"\\x%02x" % c
        else:
            out.append(c)
    return bytes(out + b'"')


def text(value):
    return quoted(value.encode("utf-8", "surrogatepass"))


def real(value):
    for precision in (15, 16, 17):
        shown = "%.*g" % (precision, value)
        if float(shown) == value:
            break
    return shown.encode()


def form(kind, *items):
    return b"(" + b" ".join([kind.encode(), *items]) + b")"


def name(value):
    return value.encode()


def maybe(node):
    return show(node) if node is not None else b"-"


def block(body):
    return form("BLOCK", *map(show, body))


def constant(value):
    if value is Ellipsis:
        return b"..."
    if isinstance(value, str):
        return text(value)
    if isinstance(value, bytes):
        return b"b" + quoted(value)
    if isinstance(value, float):
        return real(value)
    if isinstance(value, complex):
        return real(value.imag) + b"j"
    return str(value).encode()


def fstring(node):
    parts = []
    for value in node.values:
        if isinstance(value, ast.Constant):
            if not value.value:
                continue
            parts.append(text(value.value))
        else:
            extra = [b"!" + chr(value.conversion).encode()] if value.conversion > 0 else []
            parts.append(form("FIELD", *extra, show(value.value), maybe(value.format_spec)))
    if not any(isinstance(v, ast.FormattedValue) for v in node.values):
        return text("".join(v.value for v in node.values))
    return form("FSTRING", *parts)


def clauses(generators):
    out = []
    for g in generators:
        extra = [b"async"] if g.is_async else []
        out.append(form("FOR_CLAUSE", *extra, show(g.target), show(g.iter)))
        out += [form("IF_CLAUSE", show(i)) for i in g.ifs]
    return out


def keyword(node):
    if node.arg is None:
        return form("DSTAR", show(node.value))
    return form("KEYWORD", name(node.arg), show(node.value))


def arguments(args, keywords):
    both = sorted([*args, *keywords], key=lambda n: (n.lineno, n.col_offset))
    return [keyword(n) if isinstance(n, ast.keyword) else show(n) for n in both]


def parameters(a):
    out = []

    def add(kind, arg, default=None):
        extra = [kind] if kind else []
        out.append(form("PARAM", *extra, name(arg.arg), maybe(default), maybe(arg.annotation)))

    plain = a.posonlyargs + a.args
    defaults = [None] * (len(plain) - len(a.defaults)) + a.defaults
    for i, (arg, default) in enumerate(zip(plain, defaults)):
        add(b"/" if i < len(a.posonlyargs) else None, arg, default)
    if a.vararg:
        add(b"*", a.vararg)
    for arg, default in zip(a.kwonlyargs, a.kw_defaults):
        add(b"keyword", arg, default)
    if a.kwarg:
        add(b"**", a.kwarg)
    return form("PARAMS", *out)


def compare(node):
    out, left = [], node.left
    for op, right in zip(node.ops, node.comparators):
        out.append(form("COMPARE", BINARY[type(op)].encode(), show(left), show(right)))
        left = right
    return out[0] if len(out) == 1 else form("CHAIN", *out)


def function(node):
    extra = [b"async"] if isinstance(node, ast.AsyncFunctionDef) else []
    return form("DEF", *extra, name(node.name), parameters(node.args), block(node.body),
                maybe(node.returns), *map(show, node.decorator_list))


def class_def(node):
    n = len(node.decorator_list)
    extra = [b"decorators: %d" % n] if n else []
    return form("CLASS", name(node.name), *extra, block(node.body),
                *arguments(node.bases, node.keywords), *map(show, node.decorator_list))


def otherwise(body):
    return block(body) if body else b"-"


def if_statement(node):
    rest = node.orelse
    if len(rest) == 1 and isinstance(rest[0], ast.If) and rest[0].col_offset == node.col_offset:
        tail = if_statement(rest[0])
    else:
        tail = otherwise(rest)
    return form("IF", show(node.test), block(node.body), tail)


def handler(node, star):
    extra = ([b"*"] if star else []) + ([name(node.name)] if node.name else [])
    return form("EXCEPT", *extra, maybe(node.type), block(node.body))


def try_statement(node):
    star = isinstance(node, getattr(ast, "TryStar", ()))
    return form("TRY", block(node.body), otherwise(node.orelse), otherwise(node.finalbody),
                *[handler(h, star) for h in node.handlers])


def alias(node):
    extra = [b"as", name(node.asname)] if node.asname else []
    return form("ALIAS", name(node.name), *extra)


def import_from(node):
    extra = [name(node.module)] if node.module else []
    extra += [b"dots: %d" % node.level] if node.level else []
    return form("IMPORT_FROM", *extra, *map(alias, node.names))


def pattern(node):
    kind = type(node).__name__
    if kind == "MatchValue":
        return form("PAT_VALUE", show(node.value))
    if kind == "MatchSingleton":
        return form("PAT_VALUE", constant(node.value))
    if kind == "MatchSequence":
        return form("PAT_SEQUENCE", *map(pattern, node.patterns))
    if kind == "MatchStar":
        return form("PAT_STAR", *([name(node.name)] if node.name else []))
    if kind == "MatchOr":
        return form("PAT_OR", *map(pattern, node.patterns))
    if kind == "MatchMapping":
        items = [form("PAIR", show(k), pattern(p)) for k, p in zip(node.keys, node.patterns)]
        return form("PAT_MAPPING", *items, *([form("PAT_STAR", name(node.rest))] if node.rest else []))
    if kind == "MatchClass":
        named = [form("KEYWORD", name(k), pattern(p)) for k, p in zip(node.kwd_attrs, node.kwd_patterns)]
        return form("PAT_CLASS", show(node.cls), *map(pattern, node.patterns), *named)
    if node.pattern is None:
        return form("PAT_CAPTURE", *([name(node.name)] if node.name else []))
    return form("PAT_AS", name(node.name), pattern(node.pattern))


def case(node):
    return form("CASE", pattern(node.pattern), maybe(node.guard), block(node.body))


def with_statement(node, extra):
    items = [form("WITH_ITEM", show(i.context_expr), maybe(i.optional_vars)) for i in node.items]
    return form("WITH", *extra, block(node.body), *items)


def for_statement(node, extra):
    return form("FOR", *extra, show(node.target), show(node.iter), block(node.body), otherwise(node.orelse))


def show_all(kind, field):
    return lambda n: form(kind, *map(show, getattr(n, field)))


def pairs(n):
    return [form("DSTAR", show(v)) if k is None else form("PAIR", show(k), show(v))
            for k, v in zip(n.keys, n.values)]


SHOW = {
    "Constant": lambda n: constant(n.value),
    "JoinedStr": fstring,
    "Name": lambda n: name(n.id),
    "Attribute": lambda n: form("ATTR", name(n.attr), show(n.value)),
    "Subscript": lambda n: form("INDEX", show(n.value), show(n.slice)),
    "Slice": lambda n: form("SLICE", maybe(n.lower), maybe(n.upper), maybe(n.step)),
    "Tuple": show_all("TUPLE", "elts"),
    "List": show_all("LIST", "elts"),
    "Set": show_all("SET", "elts"),
    "Dict": lambda n: form("DICT", *pairs(n)),
    "Starred": lambda n: form("STAR", show(n.value)),
    "ListComp": lambda n: form("LISTCOMP", show(n.elt), *clauses(n.generators)),
    "SetComp": lambda n: form("SETCOMP", show(n.elt), *clauses(n.generators)),
    "GeneratorExp": lambda n: form("GENEXP", show(n.elt), *clauses(n.generators)),
    "DictComp": lambda n: form("DICTCOMP", form("PAIR", show(n.key), show(n.value)), *clauses(n.generators)),
    "BinOp": lambda n: form("BINARY", BINARY[type(n.op)].encode(), show(n.left), show(n.right)),
    "UnaryOp": lambda n: form("UNARY", BINARY[type(n.op)].encode(), show(n.operand)),
    "BoolOp": lambda n: form("OR" if isinstance(n.op, ast.Or) else "AND", *map(show, n.values)),
    "Compare": compare,
    "IfExp": lambda n: form("IFEXP", show(n.test), show(n.body), show(n.orelse)),
    "Lambda": lambda n: form("LAMBDA", parameters(n.args), show(n.body)),
    "Call": lambda n: form("CALL", show(n.func), *arguments(n.args, n.keywords)),
    "NamedExpr": lambda n: form("WALRUS", show(n.target), show(n.value)),
    "Yield": lambda n: form("YIELD", maybe(n.value)),
    "YieldFrom": lambda n: form("YIELD_FROM", show(n.value)),
    "Await": lambda n: form("AWAIT", show(n.value)),
    "FunctionDef": function,
    "AsyncFunctionDef": function,
    "ClassDef": class_def,
    "Expr": lambda n: form("EXPR", show(n.value)),
    "Assign": lambda n: form("ASSIGN", show(n.value), *map(show, n.targets)),
    "AugAssign": lambda n: form("AUGASSIGN", BINARY[type(n.op)].encode(), show(n.target), show(n.value)),
    "AnnAssign": lambda n: form("ANNASSIGN", show(n.target), show(n.annotation), maybe(n.value)),
    "If": if_statement,
    "While": lambda n: form("WHILE", show(n.test), block(n.body), otherwise(n.orelse)),
    "For": lambda n: for_statement(n, []),
    "AsyncFor": lambda n: for_statement(n, [b"async"]),
    "Break": lambda n: form("BREAK"),
    "Continue": lambda n: form("CONTINUE"),
    "Pass": lambda n: form("PASS"),
    "Return": lambda n: form("RETURN", maybe(n.value)),
    "Raise": lambda n: form("RAISE", maybe(n.exc), maybe(n.cause)),
    "Try": try_statement,
    "TryStar": try_statement,
    "With": lambda n: with_statement(n, []),
    "AsyncWith": lambda n: with_statement(n, [b"async"]),
    "Assert": lambda n: form("ASSERT", show(n.test), maybe(n.msg)),
    "Global": lambda n: form("GLOBAL", *map(name, n.names)),
    "Nonlocal": lambda n: form("NONLOCAL", *map(name, n.names)),
    "Delete": show_all("DEL", "targets"),
    "Import": lambda n: form("IMPORT", *map(alias, n.names)),
    "ImportFrom": import_from,
    "Match": lambda n: form("MATCH", show(n.subject), *map(case, n.cases)),
}


def show(node):
    return SHOW[type(node).__name__](node)


def report(path, ours, theirs):
    for i, (a, b) in enumerate(zip(ours, theirs)):
        if a == b:
            continue
        at = next((k for k in range(min(len(a), len(b))) if a[k] != b[k]), min(len(a), len(b)))
        low = max(0, at - 60)
        print(f"{path}: statement {i + 1}\n  ours:   {a[low:at + 60]!r}\n  python: {b[low:at + 60]!r}")
        return
    print(f"{path}: {len(ours)} statements here, {len(theirs)} in Python")


def main():
    tool, bad, compared = sys.argv[1], 0, 0
    for path in sys.argv[2:]:
        with open(path, "rb") as f:
            source = f.read()
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError):
            continue
        theirs = [show(s) for s in tree.body]
        run = subprocess.run([tool, "--python", "--print", path], stdout=subprocess.PIPE)
        ours = run.stdout.rsplit(b"\n", 2)[0].split(b"\n") if theirs else []
        compared += 1
        if ours != theirs:
            bad += 1
            report(path, ours, theirs)
    print(f"{compared} files compared, {bad} differ")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
