// SPDX-License-Identifier: MIT
/* keyword.h: Snakemake's keywords and directives, a row each. To add one is to add its row; what it
 * means is the business of flow/. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum keyword_place { IN_FILE = 1, IN_RULE = 2, IN_MODULE = 4 };

/* What may stand behind the colon. */
enum keyword_shape {
    SHAPE_VALUE,   /* one value */
    SHAPE_VALUES,  /* any number of values and name=value */
    SHAPE_NAMED,   /* name=value only */
    SHAPE_TAGGED,  /* storage: an optional tag before the colon, then name=value */
    SHAPE_NAMES,   /* bare names with commas */
    SHAPE_ORDER,   /* bare names with > */
    SHAPE_CODE,    /* Python statements */
    SHAPE_RULE,    /* a block of directives */
    SHAPE_MODULE,  /* a block of module directives */
    SHAPE_USE,     /* use rule */
    SHAPE_REMOVED, /* an error that says what to use instead */
};

struct keyword {
    const char *name;
    uint8_t where;       /* enum keyword_place, or-ed */
    uint8_t shape;       /* enum keyword_shape */
    bool body;           /* says what a rule does; must come last, once */
    const char *instead; /* of a removed one */
};

/* The row of a keyword in that place, or NULL. */
const struct keyword *keyword_find(enum keyword_place where, const char *text, size_t len);
/* The name in that place that is nearest to a misspelt one, or NULL if none is near. */
const char *keyword_nearest(enum keyword_place where, const char *word);
