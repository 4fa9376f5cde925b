// SPDX-License-Identifier: MIT
#include "modules/yaml_out.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* ---- the pen ---- */

static void add(struct yaml_out *out, const char *text)
{
    buf_str(&out->text, text);
    out->column += (int)strlen(text);
}

static void add_points(struct yaml_out *out, struct yaml_text text, size_t from, size_t to)
{
    char bytes[4];
    for (size_t i = from; i < to; i++)
        buf_add(&out->text, bytes, (size_t)utf8_put(bytes, text.at[i]));
    out->column += (int)(to - from);
}

void yaml_out_indicator(struct yaml_out *out, const char *text, bool need_space, bool whitespace,
                        bool indention)
{
    if (need_space && !out->whitespace)
        add(out, " ");
    add(out, text);
    out->whitespace = whitespace;
    out->indention = out->indention && indention;
    out->open_ended = false;
}

static void begin_line(struct yaml_out *out)
{
    out->whitespace = true;
    out->indention = true;
    out->column = 0;
}

static void break_line(struct yaml_out *out)
{
    buf_str(&out->text, out->line_break);
    begin_line(out);
}

/* Line breaks [from, to) of a text; those that are no "\n" as they are. */
static void add_breaks(struct yaml_out *out, struct yaml_text text, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        if (text.at[i] == '\n') {
            break_line(out);
        } else {
            add_points(out, text, i, i + 1);
            begin_line(out);
        }
    }
}

void yaml_out_indent(struct yaml_out *out)
{
    int indent = out->indent < 0 ? 0 : out->indent;
    if (!out->indention || out->column > indent || (out->column == indent && !out->whitespace))
        break_line(out);
    if (out->column >= indent)
        return;
    out->whitespace = true;
    while (out->column < indent)
        add(out, " ");
}

/* ---- what a scalar looks like ---- */

static bool is_break(uint32_t c)
{
    return c == '\n' || c == 0x85 || c == 0x2028 || c == 0x2029;
}

static bool is_blank(uint32_t c)
{
    return !c || c == ' ' || c == '\t' || c == '\r' || is_break(c);
}

static bool in(uint32_t c, const char *set)
{
    return c && c < 128 && strchr(set, (int)c);
}

/* Whether only double quotes can carry it. */
static bool is_special(uint32_t c, bool allow_unicode)
{
    if (c == '\n' || (c >= 0x20 && c <= 0x7e))
        return false;
    bool printable = c == 0x85 || (c >= 0xa0 && c <= 0xd7ff) || (c >= 0xe000 && c <= 0xfffd) ||
                     (c >= 0x10000 && c < 0x10ffff);
    return !printable || c == 0xfeff || !allow_unicode;
}

/* Whether character i is an indicator for plain scalars in flow and block context. */
static void find_indicators(struct yaml_text text, size_t i, bool *flow, bool *block)
{
    uint32_t c = text.at[i];
    bool blank_next = i + 1 >= text.len || is_blank(text.at[i + 1]);
    if (i == 0) {
        bool always = in(c, "#,[]{}&*!|>'\"%@`") || (c == '-' && blank_next);
        *flow |= always || c == '?' || c == ':';
        *block |= always || ((c == '?' || c == ':') && blank_next);
    } else {
        bool comment = c == '#' && is_blank(text.at[i - 1]);
        *flow |= in(c, ",?[]{}:") || comment;
        *block |= (c == ':' && blank_next) || comment;
    }
}

static bool begins_with(struct yaml_text text, uint32_t c)
{
    return text.len >= 3 && text.at[0] == c && text.at[1] == c && text.at[2] == c;
}

struct yaml_looks yaml_looks(const struct yaml_out *out, struct yaml_text text)
{
    if (!text.len)
        return (struct yaml_looks){.block_plain = true, .single_quoted = true};
    bool marker = begins_with(text, '-') || begins_with(text, '.');
    bool flow = marker, block = marker, breaks = false, special = false, break_space = false,
         space_break = false;
    for (size_t i = 0; i < text.len; i++) {
        uint32_t c = text.at[i], before = i ? text.at[i - 1] : 'x';
        find_indicators(text, i, &flow, &block);
        breaks |= is_break(c);
        special |= is_special(c, out->allow_unicode);
        break_space |= c == ' ' && is_break(before);
        space_break |= is_break(c) && before == ' ';
    }
    uint32_t first = text.at[0], last = text.at[text.len - 1];
    bool edges = first == ' ' || is_break(first) || last == ' ' || is_break(last);
    bool quotes_only = space_break || special,
         plain = !edges && !break_space && !quotes_only && !breaks;
    return (struct yaml_looks){
        .multiline = breaks,
        .flow_plain = plain && !flow,
        .block_plain = plain && !block,
        .single_quoted = !break_space && !quotes_only,
        .block = last != ' ' && !quotes_only,
    };
}

/* ---- plain and single-quoted ---- */

/* The writers cut a text into runs of one kind. */
enum run { RUN_WORD, RUN_SPACES, RUN_BREAKS };

static enum run run_of(uint32_t c)
{
    return c == ' ' ? RUN_SPACES : is_break(c) ? RUN_BREAKS : RUN_WORD;
}

static size_t run_end(struct yaml_text text, size_t from)
{
    size_t to = from + 1;
    while (to < text.len && run_of(text.at[to]) == run_of(text.at[from]))
        to++;
    return to;
}

/* A break inside a quoted or plain scalar is folded away by readers, so the first "\n" needs one
 * more. */
static void add_break_run(struct yaml_out *out, struct yaml_text text, size_t from, size_t to)
{
    if (text.at[from] == '\n')
        break_line(out);
    add_breaks(out, text, from, to);
    yaml_out_indent(out);
}

void yaml_out_plain(struct yaml_out *out, struct yaml_text text, bool split)
{
    if (!text.len)
        return;
    if (!out->whitespace)
        add(out, " ");
    out->whitespace = out->indention = false;
    for (size_t from = 0, to; from < text.len; from = to) {
        enum run run = run_of(text.at[from]);
        to = run_end(text, from);
        if (run == RUN_SPACES && to == from + 1 && out->column > out->width && split) {
            yaml_out_indent(out);
            out->whitespace = out->indention = false;
        } else if (run == RUN_BREAKS) {
            add_break_run(out, text, from, to);
            out->whitespace = out->indention = false;
        } else {
            add_points(out, text, from, to);
        }
    }
}

static void add_quoted_word(struct yaml_out *out, struct yaml_text text, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        if (text.at[i] == '\'')
            add(out, "'");
        add_points(out, text, i, i + 1);
    }
}

void yaml_out_single(struct yaml_out *out, struct yaml_text text, bool split)
{
    yaml_out_indicator(out, "'", true, false, false);
    for (size_t from = 0, to; from < text.len; from = to) {
        enum run run = run_of(text.at[from]);
        to = run_end(text, from);
        if (run == RUN_WORD)
            add_quoted_word(out, text, from, to);
        else if (run == RUN_BREAKS)
            add_break_run(out, text, from, to);
        else if (to == from + 1 && out->column > out->width && split && from && to < text.len)
            yaml_out_indent(out);
        else
            add_points(out, text, from, to);
    }
    yaml_out_indicator(out, "'", false, false, false);
}

/* ---- double-quoted ---- */

static bool needs_escape(uint32_t c, bool allow_unicode)
{
    if (in(c, "\"\\") || c == 0x85 || c == 0x2028 || c == 0x2029 || c == 0xfeff)
        return true;
    return !((c >= 0x20 && c <= 0x7e) ||
             (allow_unicode && ((c >= 0xa0 && c <= 0xd7ff) || (c >= 0xe000 && c <= 0xfffd))));
}

static void add_escape(struct yaml_out *out, uint32_t c)
{
    static const struct {
        uint32_t c;
        char name;
    } names[] = {{0, '0'},     {7, 'a'},    {8, 'b'},    {9, 't'},      {10, 'n'},
                 {11, 'v'},    {12, 'f'},   {13, 'r'},   {0x1b, 'e'},   {'"', '"'},
                 {'\\', '\\'}, {0x85, 'N'}, {0xa0, '_'}, {0x2028, 'L'}, {0x2029, 'P'}};
    char text[16];
    size_t i = 0, n = sizeof names / sizeof *names;
    while (i < n && names[i].c != c)
        i++;
    if (i < n)
        snprintf(text, sizeof text, "\\%c", names[i].name);
    else
        snprintf(text, sizeof text,
                 c <= 0xff     ? "\\x%02X"
                 : c <= 0xffff ? "\\u%04X"
                               : "\\U%08X",
                 (unsigned)c);
    add(out, text);
}

/* [start, end) is what was not written yet; a line is broken behind a space or an escape. */
void yaml_out_double(struct yaml_out *out, struct yaml_text text, bool split)
{
    size_t start = 0;
    yaml_out_indicator(out, "\"", true, false, false);
    for (size_t end = 0; end <= text.len; end++) {
        bool at_end = end == text.len;
        uint32_t c = at_end ? 0 : text.at[end];
        if (at_end || needs_escape(c, out->allow_unicode)) {
            add_points(out, text, start, end);
            start = end;
            if (!at_end) {
                add_escape(out, c);
                start = end + 1;
            }
        }
        int pending = (int)end - (int)start;
        if (!(end > 0 && end + 1 < text.len && (c == ' ' || start >= end) &&
              out->column + pending > out->width && split))
            continue;
        if (start < end) {
            add_points(out, text, start, end);
            start = end;
        }
        add(out, "\\");
        yaml_out_indent(out);
        out->whitespace = out->indention = false;
        if (text.at[start] == ' ')
            add(out, "\\");
    }
    yaml_out_indicator(out, "\"", false, false, false);
}

/* ---- blocks ---- */

/* Indentation and chomping indicators. */
static void begin_block(struct yaml_out *out, char style, struct yaml_text text)
{
    char hints[8] = {style};
    size_t n = 1;
    bool keep = false;
    if (text.len) {
        uint32_t first = text.at[0], last = text.at[text.len - 1];
        keep = is_break(last) && (text.len == 1 || is_break(text.at[text.len - 2]));
        if (first == ' ' || is_break(first))
            hints[n++] = (char)('0' + out->step);
        if (!is_break(last) || keep)
            hints[n] = keep ? '+' : '-';
    }
    yaml_out_indicator(out, hints, true, false, false);
    out->open_ended = keep;
    break_line(out);
}

void yaml_out_literal(struct yaml_out *out, struct yaml_text text)
{
    begin_block(out, '|', text);
    bool breaks = true;
    size_t start = 0;
    for (size_t end = 0; end <= text.len; end++) {
        bool at_end = end == text.len;
        if (breaks && (at_end || !is_break(text.at[end]))) {
            add_breaks(out, text, start, end);
            if (!at_end)
                yaml_out_indent(out);
            start = end;
        } else if (!breaks && (at_end || is_break(text.at[end]))) {
            int column = out->column;
            add_points(out, text, start, end);
            out->column = column; /* as PyYAML, which does not count here */
            if (at_end)
                break_line(out);
            start = end;
        }
        breaks = at_end ? breaks : is_break(text.at[end]);
    }
}

/* A run of breaks in a folded block; next: the character behind it, 0 at the end. */
static void fold_breaks(struct yaml_out *out, struct yaml_text text, size_t from, size_t to,
                        bool *leading_space)
{
    bool at_end = to == text.len;
    if (!*leading_space && !at_end && text.at[to] != ' ' && from < text.len &&
        text.at[from] == '\n')
        break_line(out);
    *leading_space = !at_end && text.at[to] == ' ';
    add_breaks(out, text, from, to);
    if (!at_end)
        yaml_out_indent(out);
}

void yaml_out_folded(struct yaml_out *out, struct yaml_text text)
{
    begin_block(out, '>', text);
    bool leading_space = true, breaks = true, spaces = false;
    size_t start = 0;
    for (size_t end = 0; end <= text.len; end++) {
        bool at_end = end == text.len;
        uint32_t c = at_end ? 0 : text.at[end];
        if (breaks) {
            if (at_end || !is_break(c)) {
                fold_breaks(out, text, start, end, &leading_space);
                start = end;
            }
        } else if (spaces) {
            if (at_end || c != ' ') {
                if (start + 1 == end && out->column > out->width)
                    yaml_out_indent(out);
                else
                    add_points(out, text, start, end);
                start = end;
            }
        } else if (at_end || c == ' ' || is_break(c)) {
            add_points(out, text, start, end);
            if (at_end)
                break_line(out);
            start = end;
        }
        if (!at_end) {
            breaks = is_break(c);
            spaces = c == ' ';
        }
    }
}
