// SPDX-License-Identifier: MIT
/* rst_inline.c: marks inside of paragraphs. A mark opens where no letter stands before it and no
 * blank behind it, and closes where no blank stands before it and no letter behind it. */
#include "report/rst_inline.h"

#include <ctype.h>
#include <string.h>

void html_escape(struct buf *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        switch (text[i]) {
        case '&': buf_str(out, "&amp;"); break;
        case '<': buf_str(out, "&lt;"); break;
        case '>': buf_str(out, "&gt;"); break;
        case '"': buf_str(out, "&quot;"); break;
        case '\0': break;
        default: buf_char(out, text[i]); break;
        }
}

void html_encode(struct buf *out, const char *text)
{
    for (; *text; text++)
        if (isalnum((unsigned char)*text) || strchr("-_./~", *text))
            buf_char(out, *text);
        else
            buf_printf(out, "%%%02X", (unsigned char)*text);
}

void html_anchor(struct buf *out, const char *kind, const char *name)
{
    buf_printf(out, "%s-", kind);
    html_encode(out, name);
}

/* A text being read. */
struct reader {
    const struct rst_inline *in;
    const char *at, *end, *begin;
    struct buf *out;
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

static bool begins(const struct reader *r, const char *mark)
{
    size_t n = strlen(mark);
    return (size_t)(r->end - r->at) >= n && !memcmp(r->at, mark, n);
}

static bool may_open(const struct reader *r, size_t len)
{
    return (r->at == r->begin || !is_word(r->at[-1])) && r->at + len < r->end &&
           !isspace((unsigned char)r->at[len]);
}

/* Where the mark closes what stands behind `from`, or NULL. */
static const char *find_close(const struct reader *r, const char *from, const char *mark)
{
    size_t n = strlen(mark);
    for (const char *at = from + 1; at + n <= r->end; at++) {
        if (at[-1] == '\\' && mark[0] != '`') {
            at++;
            continue;
        }
        if (!memcmp(at, mark, n) && !isspace((unsigned char)at[-1]) &&
            (at + n == r->end || !is_word(at[n])))
            return at;
    }
    return NULL;
}

/* Text without its escaping backslashes. */
static void plain(struct buf *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '\\' && i + 1 < len) {
            i++;
            if (isspace((unsigned char)text[i]))
                continue;
        }
        html_escape(out, text + i, 1);
    }
}

static bool enclosed(struct reader *r, const char *mark, const char *tag)
{
    size_t n = strlen(mark);
    const char *from = r->at + n;
    const char *close = begins(r, mark) && may_open(r, n) ? find_close(r, from, mark) : NULL;
    if (!close)
        return false;
    buf_printf(r->out, "<%s>", tag);
    if (mark[0] == '`')
        html_escape(r->out, from, (size_t)(close - from));
    else
        plain(r->out, from, (size_t)(close - from));
    buf_printf(r->out, "</%s>", tag);
    r->at = close + n;
    return true;
}

/* ---- links ---- */

static bool is_safe_address(const char *address, size_t len)
{
    static const char *const schemes[] = {"http:", "https:", "mailto:", "ftp:", "#"};
    if (!memchr(address, ':', len))
        return len > 0; /* relative */
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (len >= strlen(schemes[i]) && !strncmp(address, schemes[i], strlen(schemes[i])))
            return true;
    return false;
}

static void add_link(struct buf *out, const char *address, size_t address_len, const char *text,
                     size_t len)
{
    bool safe = is_safe_address(address, address_len);
    if (safe) {
        buf_str(out, "<a href=\"");
        html_escape(out, address, address_len);
        buf_str(out, "\">");
    }
    plain(out, text, len);
    if (safe)
        buf_str(out, "</a>");
}

static bool same_name(const char *a, size_t alen, const char *b, size_t blen)
{
    if (alen != blen)
        return false;
    for (size_t i = 0; i < alen; i++)
        if (tolower((unsigned char)a[i]) != tolower((unsigned char)b[i]))
            return false;
    return true;
}

/* A name that is known becomes a link; any other one is text. */
static void add_reference(struct reader *r, const char *name, size_t len)
{
    const struct rst_options *options = r->in->options;
    for (size_t i = 0; i < r->in->ntargets; i++) {
        const struct rst_target *target = &r->in->target[i];
        if (same_name(target->name, target->name_len, name, len)) {
            add_link(r->out, target->address, target->address_len, name, len);
            return;
        }
    }
    struct buf wanted = {0};
    buf_add(&wanted, name, len);
    const char *address = options->link ? options->link(options->user, buf_text(&wanted)) : NULL;
    if (address)
        add_link(r->out, address, strlen(address), name, len);
    else
        plain(r->out, name, len);
    buf_free(&wanted);
}

/* `text <address>`_ or `name`_ or `text`; the reader stands behind the first backquote. */
static void add_quoted(struct reader *r, const char *close)
{
    const char *from = r->at + 1, *text_end = close;
    bool link = close + 1 < r->end && close[1] == '_';
    const char *open = NULL;
    for (const char *at = from; link && at < close; at++)
        if (*at == '<')
            open = at;
    r->at = close + 1;
    if (!link) {
        buf_str(r->out, "<cite>");
        plain(r->out, from, (size_t)(close - from));
        buf_str(r->out, "</cite>");
        return;
    }
    r->at += r->at + 1 < r->end && r->at[1] == '_' ? 2 : 1;
    if (!open || close[-1] != '>') {
        add_reference(r, from, (size_t)(close - from));
        return;
    }
    for (text_end = open; text_end > from && isspace((unsigned char)text_end[-1]);)
        text_end--;
    if (text_end == from) /* `<address>`_ */
        from = open + 1, text_end = close - 1;
    add_link(r->out, open + 1, (size_t)(close - 1 - open - 1), from, (size_t)(text_end - from));
}

static bool quoted(struct reader *r)
{
    const char *close = *r->at == '`' && may_open(r, 1) ? find_close(r, r->at + 1, "`") : NULL;
    /* the trailing underscore counts as a letter for nobody */
    for (const char *at = r->at + 2; !close && *r->at == '`' && at < r->end; at++)
        if (*at == '`' && !isspace((unsigned char)at[-1]))
            close = at;
    if (!close)
        return false;
    add_quoted(r, close);
    return true;
}

/* :role:`text` */
static bool role(struct reader *r)
{
    static const char *const tags[][2] = {{"sup", "sup"},       {"superscript", "sup"},
                                          {"sub", "sub"},       {"subscript", "sub"},
                                          {"strong", "strong"}, {"emphasis", "em"},
                                          {"code", "code"},     {"literal", "code"},
                                          {"title", "cite"},    {"math", "span class=\"math\""}};
    size_t n = 0;
    while (r->at + 1 + n < r->end && (is_word(r->at[1 + n]) || r->at[1 + n] == '-'))
        n++;
    const char *text = r->at + 1 + n;
    if (*r->at != ':' || !n || r->end - text < 3 || text[0] != ':' || text[1] != '`')
        return false;
    const char *close = memchr(text + 2, '`', (size_t)(r->end - text - 2));
    if (!close)
        return false;
    const char *tag = "span";
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (strlen(tags[i][0]) == n && !memcmp(tags[i][0], r->at + 1, n))
            tag = tags[i][1];
    buf_printf(r->out, "<%s>", tag);
    html_escape(r->out, text + 2, (size_t)(close - text - 2));
    buf_printf(r->out, "</%.*s>", (int)strcspn(tag, " "), tag);
    r->at = close + 1;
    return true;
}

/* https://... as it is. */
static bool address(struct reader *r)
{
    if ((!begins(r, "http://") && !begins(r, "https://")) ||
        (r->at > r->begin && is_word(r->at[-1])))
        return false;
    const char *end = r->at;
    while (end < r->end && !isspace((unsigned char)*end) && !strchr("<>\"`", *end))
        end++;
    while (end > r->at && strchr(".,;:!?)]}'", end[-1]))
        end--;
    if (end - r->at < 9)
        return false;
    add_link(r->out, r->at, (size_t)(end - r->at), r->at, (size_t)(end - r->at));
    r->at = end;
    return true;
}

/* name_ : letters, digits and single . - + : _ between them. */
static bool bare_reference(struct reader *r)
{
    const char *end = r->at;
    if (!is_word(*r->at) || (r->at > r->begin && (is_word(r->at[-1]) || r->at[-1] == '_')))
        return false;
    while (end < r->end && (is_word(*end) ||
                            (end + 1 < r->end && strchr("._-+:", *end) && is_word(end[1]) && *end)))
        end++;
    if (end >= r->end || *end != '_' || (end + 1 < r->end && (is_word(end[1]) || end[1] == '_')))
        return false;
    add_reference(r, r->at, (size_t)(end - r->at));
    r->at = end + 1;
    return true;
}

void rst_inline(const struct rst_inline *in, const char *text, size_t len, struct buf *out)
{
    struct reader r = {.in = in, .at = text, .begin = text, .end = text + len, .out = out};
    while (r.at < r.end) {
        if (*r.at == '\\' && r.at + 1 < r.end) {
            plain(out, r.at, 2);
            r.at += 2;
        } else if (!enclosed(&r, "``", "code") && !enclosed(&r, "**", "strong") &&
                   !enclosed(&r, "*", "em") && !role(&r) && !quoted(&r) && !address(&r) &&
                   !bare_reference(&r)) {
            html_escape(out, r.at++, 1);
        }
    }
}
