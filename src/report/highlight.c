// SPDX-License-Identifier: MIT
/* highlight.c: one pass over the text. Tags never cross a line's end, so that every line is an item
 * of a list. */
#include "report/highlight.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/path.h"
#include "report/rst.h"

static const char *const keywords[] = {
    [CODE_PLAIN] = "",
    [CODE_SHELL] = " if then else elif fi for in do done while until case esac function return set "
                   "export local ",
    [CODE_PYTHON] = " and as assert break class continue def del elif else except finally for from "
                    "global if import in is lambda not or pass raise return try while with yield "
                    "None True False match case rule checkpoint input output params threads "
                    "resources log shell script run ",
    [CODE_R] = " if else for while repeat function in next break return library require TRUE FALSE "
               "NULL NA ",
    [CODE_C] = " if else for while do end function using import export let mut fn return struct "
               "use pub impl match true false begin module const static void int double char ",
};

enum code_kind code_kind_of(const char *path)
{
    static const struct {
        const char *extension;
        enum code_kind kind;
    } rows[] = {{".py", CODE_PYTHON},  {".smk", CODE_PYTHON}, {".sh", CODE_SHELL},
                {".bash", CODE_SHELL}, {".r", CODE_R},        {".rmd", CODE_R},
                {".jl", CODE_C},       {".rs", CODE_C},       {".c", CODE_C},
                {".yaml", CODE_SHELL}, {".yml", CODE_SHELL},  {".cwl", CODE_SHELL},
                {".xsh", CODE_PYTHON}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcasecmp(rows[i].extension, path_extension(path)))
            return rows[i].kind;
    return CODE_PLAIN;
}

struct painter {
    const char *at, *end;
    enum code_kind kind;
    size_t indent; /* common to all lines */
    struct buf *out;
};

/* A run in a colour; the lines in it are items of their own. */
static void paint(struct painter *p, const char *class, const char *to)
{
    while (p->at < to) {
        const char *newline = memchr(p->at, '\n', (size_t)(to - p->at));
        const char *stop = newline ? newline : to;
        if (class && stop > p->at)
            buf_printf(p->out, "<span class=\"%s\">", class);
        html_escape(p->out, p->at, (size_t)(stop - p->at));
        if (class && stop > p->at)
            buf_str(p->out, "</span>");
        p->at = stop;
        if (!newline)
            return;
        buf_str(p->out, "\n</li><li>");
        p->at++;
        for (size_t i = 0; i < p->indent && p->at < p->end && strchr(" \t", *p->at); i++)
            p->at++;
    }
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static const char *comment_end(const struct painter *p)
{
    bool begins = *p->at == '#' ||
                  (p->kind == CODE_C && p->end - p->at > 1 && p->at[0] == '/' && p->at[1] == '/');
    if (!begins || p->kind == CODE_PLAIN)
        return NULL;
    const char *newline = memchr(p->at, '\n', (size_t)(p->end - p->at));
    return newline ? newline : p->end;
}

/* Behind a text in quotes, three or one; an open one ends with its line. */
static const char *quote_end(const struct painter *p)
{
    char quote = *p->at;
    if ((quote != '"' && quote != '\'') || p->kind == CODE_PLAIN)
        return NULL;
    bool three = p->kind == CODE_PYTHON && p->end - p->at > 5 && p->at[1] == quote &&
                 p->at[2] == quote;
    for (const char *at = p->at + (three ? 3 : 1); at < p->end; at++) {
        if (*at == '\\' && at + 1 < p->end) {
            at++;
        } else if (*at == '\n' && !three) {
            return at;
        } else if (*at == quote &&
                   (!three || (p->end - at > 2 && at[1] == quote && at[2] == quote))) {
            return at + (three ? 3 : 1);
        }
    }
    return three ? p->end : NULL;
}

/* {input.a[0]}: what Snakemake fills in. */
static const char *hole_end(const struct painter *p)
{
    const char *at = p->at + 1;
    if (*p->at != '{' || p->kind != CODE_SHELL)
        return NULL;
    while (at < p->end && (is_name(*at) || strchr(".[]:", *at)) && *at)
        at++;
    return at < p->end && *at == '}' && at > p->at + 1 ? at + 1 : NULL;
}

static const char *word_end(const struct painter *p, const char **class)
{
    const char *at = p->at;
    char word[32];
    *class = NULL;
    while (at < p->end && is_name(*at))
        at++;
    if (at == p->at)
        return NULL;
    if (isdigit((unsigned char)*p->at))
        *class = p->kind == CODE_PLAIN ? NULL : "cn";
    else if ((size_t)(at - p->at) < sizeof word - 3) {
        snprintf(word, sizeof word, " %.*s ", (int)(at - p->at), p->at);
        *class = strstr(keywords[p->kind], word) ? "ck" : NULL;
    }
    return at;
}

static size_t common_indent(const char *text, size_t len)
{
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < len;) {
        size_t n = 0;
        while (i + n < len && strchr(" \t", text[i + n]) && text[i + n])
            n++;
        const char *newline = memchr(text + i, '\n', len - i);
        if (i + n < len && text[i + n] != '\n' && n < least)
            least = n;
        i = newline ? (size_t)(newline - text) + 1 : len;
    }
    return least == SIZE_MAX ? 0 : least;
}

void highlight(const char *text, size_t len, enum code_kind kind, struct buf *out)
{
    while (len && isspace((unsigned char)text[len - 1]))
        len--;
    while (len && *text == '\n')
        text++, len--;
    struct painter p = {.at = text, .end = text + len, .kind = kind, .out = out};
    p.indent = common_indent(text, len);
    p.at += p.indent < len ? p.indent : 0;
    buf_str(out, "<ol class=\"code\"><li>");
    while (p.at < p.end) {
        const char *class, *to;
        if ((to = comment_end(&p)))
            paint(&p, "cc", to);
        else if ((to = quote_end(&p)))
            paint(&p, "cs", to);
        else if ((to = hole_end(&p)))
            paint(&p, "ch", to);
        else if ((to = word_end(&p, &class)))
            paint(&p, class, to);
        else
            paint(&p, NULL, p.at + 1);
    }
    buf_str(out, "\n</li></ol>");
}
