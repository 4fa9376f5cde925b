// SPDX-License-Identifier: MIT
/* rst.h: reStructuredText as HTML: the part that captions and descriptions use.
 *
 *     Title        paragraphs, *emphasis*, **strong**, ``literal``, :math:`x^2`, :sup:`2`, :sub:`i`
 *     =====        `text <https://...>`_, name_, `a name`_, https://..., .. _name: https://...
 *
 * Lists with bullets, numbers, :fields: and definitions; block quotes, line blocks, literal blocks,
 * simple tables; the directives note, warning, tip ..., code-block, math, image, figure and raw::
 * html. Anything else stands in the page as the text it is. Every input gives well-formed HTML. */
#pragma once

#include <stddef.h>

#include "base/buf.h"

struct rst_options {
    /* The address of a name that the text refers to (name_), NULL: not known, it stays text.
     * Borrowed until the next call. */
    const char *(*link)(void *user, const char *name);
    /* The address of an image, NULL: it cannot be shown. Borrowed until the next call. */
    const char *(*image)(void *user, const char *path);
    void *user;
    int heading; /* h1..h6 of the first kind of title */
};

/* Appends the HTML of a text. */
void rst_html(const char *text, size_t len, const struct rst_options *options, struct buf *out);
/* Appends text with the characters of HTML escaped, also for attributes in double quotes. */
void html_escape(struct buf *out, const char *text, size_t len);
/* Text as part of an address. */
void html_encode(struct buf *out, const char *text);
/* An id that HTML and addresses take as it is: "rule-a%20b". */
void html_anchor(struct buf *out, const char *kind, const char *name);
