// SPDX-License-Identifier: MIT
/* rst_inline.h: what stands inside of paragraphs; used by rst.c only. */
#pragma once

#include "report/rst.h"

/* A name and where it leads: .. _name: address */
struct rst_target {
    const char *name, *address; /* borrowed from the text */
    size_t name_len, address_len;
};

struct rst_inline {
    const struct rst_options *options;
    const struct rst_target *target;
    size_t ntargets;
};

/* Appends a text with its emphasis, literals and links. */
void rst_inline(const struct rst_inline *in, const char *text, size_t len, struct buf *out);
