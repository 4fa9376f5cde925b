// SPDX-License-Identifier: MIT
/* yaml_out.h: YAML text as it grows: where the pen is, indentation, and scalars in their five
 * styles. Text is the same byte for byte as PyYAML's. */
#pragma once

#include <stdint.h>

#include "base/buf.h"

struct yaml_out {
    struct buf text;
    int column;
    int indent;      /* of the collection being written; -1: none yet */
    int step, width; /* columns an indentation adds; where lines are broken */
    bool allow_unicode;
    const char *line_break;
    bool whitespace; /* the pen stands behind white space */
    bool indention;  /* only indentation and block indicators stand on the line */
    bool open_ended; /* a following document must be announced by "..." */
};

/* Code points of a scalar. */
struct yaml_text {
    const uint32_t *at;
    size_t len;
};

/* Which styles can carry a scalar. */
struct yaml_looks {
    bool multiline, flow_plain, block_plain, single_quoted, block;
};
/* Which of them can carry this text. */
struct yaml_looks yaml_looks(const struct yaml_out *out, struct yaml_text text);

/* Adds an indicator such as "-", with a space in front where need_space says so and none is
 * there. */
void yaml_out_indicator(struct yaml_out *out, const char *text, bool need_space, bool whitespace,
                        bool indention);
/* To the indentation, on a new line if the pen is past it. */
void yaml_out_indent(struct yaml_out *out);

/* split: lines may be broken. */
void yaml_out_plain(struct yaml_out *out, struct yaml_text text, bool split);
void yaml_out_single(struct yaml_out *out, struct yaml_text text, bool split);
void yaml_out_double(struct yaml_out *out, struct yaml_text text, bool split);
void yaml_out_folded(struct yaml_out *out, struct yaml_text text);
void yaml_out_literal(struct yaml_out *out, struct yaml_text text);
