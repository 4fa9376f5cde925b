# SPDX-License-Identifier: MIT
# textwrap.


def dedent(text):
    lines = text.split("\n")
    margin = None
    for i, line in enumerate(lines):
        body = line.lstrip(" \t")
        if not body:
            lines[i] = ""
            continue
        indent = line[: len(line) - len(body)]
        if margin is None:
            margin = indent
            continue
        common = 0
        while common < len(margin) and common < len(indent) and margin[common] == indent[common]:
            common += 1
        margin = margin[:common]
    if margin:
        n = len(margin)
        lines = [line[n:] if line.startswith(margin) else line for line in lines]
    return "\n".join(lines)


def indent(text, prefix, predicate=None):
    def marked(line):
        return bool(line.strip()) if predicate is None else predicate(line)

    return "".join([prefix + line if marked(line) else line for line in text.splitlines(True)])


def _is_letter(text, i):
    return 0 <= i < len(text) and (text[i].isalpha() or text[i] == "_")


def _breaks(word):
    """Where a word may end within itself: behind the hyphens of a compound, on both sides of a dash of hyphens."""
    i, n = 0, len(word)
    while (i := word.find("-", i)) >= 0:
        end = i + 1
        while end < n and word[end] == "-":
            end += 1
        if end - i > 1:
            if i and (word[i - 1].isalnum() or word[i - 1] in "_!\"'&.,?") and end < n and \
                    (word[end].isalnum() or word[end] == "_"):
                yield i
                yield end
        else:
            before = _is_letter(word, i - 2) or (i > 2 and word[i - 2] == "-" and _is_letter(word, i - 3))
            after = _is_letter(word, i + 2) or (word[i + 2 : i + 3] == "-" and _is_letter(word, i + 3))
            if before and _is_letter(word, i - 1) and _is_letter(word, i + 1) and after:
                yield end
        i = end


class TextWrapper:
    def __init__(self, width=70, initial_indent="", subsequent_indent="", expand_tabs=True,
                 replace_whitespace=True, fix_sentence_endings=False, break_long_words=True,
                 drop_whitespace=True, break_on_hyphens=True, tabsize=8, *, max_lines=None,
                 placeholder=" [...]"):
        self.width = width
        self.initial_indent = initial_indent
        self.subsequent_indent = subsequent_indent
        self.expand_tabs = expand_tabs
        self.replace_whitespace = replace_whitespace
        self.fix_sentence_endings = fix_sentence_endings
        self.break_long_words = break_long_words
        self.drop_whitespace = drop_whitespace
        self.break_on_hyphens = break_on_hyphens
        self.tabsize = tabsize
        self.max_lines = max_lines
        self.placeholder = placeholder

    def _chunks(self, text):
        if self.expand_tabs:
            text = text.expandtabs(self.tabsize)
        if self.replace_whitespace:
            for c in "\t\n\v\f\r":
                text = text.replace(c, " ")
        chunks, word, space = [], "", False
        for c in text:
            is_space = c in " \t\n\v\f\r"
            if word and is_space != space:
                chunks.append(word)
                word = ""
            word += c
            space = is_space
        if word:
            chunks.append(word)
        chunks = self._hyphens(chunks) if self.break_on_hyphens else chunks
        if self.fix_sentence_endings:
            self._sentences(chunks)
        return chunks

    def _hyphens(self, chunks):
        out = []
        for chunk in chunks:
            start = 0
            for at in _breaks(chunk) if "-" in chunk else ():
                out.append(chunk[start:at])
                start = at
            out.append(chunk[start:])
        return out

    def _sentences(self, chunks):
        """Two spaces behind the end of a sentence."""
        for i in range(len(chunks) - 1):
            end = chunks[i].rstrip("\"'") if chunks[i][-1:] in "\"'" and chunks[i][-2:-1] in ".!?" else chunks[i]
            if chunks[i + 1] == " " and end[-1:] in (".", "!", "?") and "a" <= end[-2:-1] <= "z":
                chunks[i + 1] = "  "

    def _room(self, word, width, length):
        """How much of a word that is too long goes into what is left of the line."""
        room = 1 if width < 1 else width - length
        hyphen = word.rfind("-", 0, room) if self.break_on_hyphens and len(word) > room else -1
        return hyphen + 1 if hyphen > 0 and word[:hyphen].strip("-") else room

    def wrap(self, text):
        if self.width <= 0:
            raise ValueError(f"invalid width {self.width!r} (must be > 0)")
        first = self.initial_indent if self.max_lines == 1 else self.subsequent_indent
        if self.max_lines is not None and len(first) + len(self.placeholder.lstrip()) > self.width:
            raise ValueError("placeholder too large for max width")
        chunks = self._chunks(text)
        chunks.reverse()
        lines = []
        while chunks:
            indent = self.subsequent_indent if lines else self.initial_indent
            width = self.width - len(indent)
            if self.drop_whitespace and not chunks[-1].strip() and lines:
                chunks.pop()
                if not chunks:
                    break
            line, length = [], 0
            while chunks and length + len(chunks[-1]) <= width:
                length += len(chunks[-1])
                line.append(chunks.pop())
            if chunks and len(chunks[-1]) > width:
                if self.break_long_words:
                    room = self._room(chunks[-1], width, length)
                    line.append(chunks[-1][:room])
                    chunks[-1] = chunks[-1][room:]
                elif not line:
                    line.append(chunks.pop())
                length = sum(map(len, line))
            if self.drop_whitespace and line and not line[-1].strip():
                length -= len(line.pop())
            if not line:
                continue
            more = self.max_lines is not None and len(lines) + 1 >= self.max_lines
            if not more or not chunks or (self.drop_whitespace and len(chunks) == 1 and not chunks[0].strip()):
                lines.append(indent + "".join(line))
                continue
            while line and (not line[-1].strip() or length + len(self.placeholder) > width):
                length -= len(line.pop())
            if line:
                lines.append(indent + "".join(line) + self.placeholder)
            elif lines and len(lines[-1].rstrip()) + len(self.placeholder) <= self.width:
                lines[-1] = lines[-1].rstrip() + self.placeholder
            else:
                lines.append(indent + self.placeholder.lstrip())
            break
        return lines

    def fill(self, text):
        return "\n".join(self.wrap(text))


def wrap(text, width=70, **kwargs):
    return TextWrapper(width=width, **kwargs).wrap(text)


def fill(text, width=70, **kwargs):
    return TextWrapper(width=width, **kwargs).fill(text)


def shorten(text, width, **kwargs):
    return TextWrapper(width=width, max_lines=1, **kwargs).fill(" ".join(text.strip().split()))
