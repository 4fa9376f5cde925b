// SPDX-License-Identifier: MIT
/* check.h: tables of source and expected tree or error, for the tests of the parser. */
#pragma once

#include <stdlib.h>

#include "base/buf.h"
#include "syntax/parse.h"
#include "test.h"

struct parsed {
    struct sources *sources;
    struct diags *dx;
    struct intern *names;
    struct arena arena;
    struct node *tree;
};

static inline void parsed_open(struct parsed *p, const char *text, size_t len, bool python)
{
    memset(p, 0, sizeof *p);
    p->sources = sources_new();
    p->dx = diags_new(p->sources);
    p->names = intern_new();
    int source = source_add(p->sources, "t", text, len);
    p->tree = parse_source(&p->arena, p->names, p->dx, source, &(struct parse_options){python});
}

static inline void parsed_close(struct parsed *p)
{
    arena_free(&p->arena);
    intern_free(p->names);
    diags_free(p->dx);
    sources_free(p->sources);
}

/* All diagnostics as they are printed; to be freed. */
static inline char *parsed_errors(struct parsed *p)
{
    static char *text;
    static size_t len;
    FILE *out = open_memstream(&text, &len);
    diag_print(p->dx, out, false);
    fclose(out);
    return text;
}

/* The statements of text, separated by blanks, must print as want. */
static inline void check_tree(const char *text, const char *want, bool python)
{
    struct parsed p;
    struct buf got = {0};
    parsed_open(&p, text, strlen(text), python);
    for (uint32_t i = 0; p.tree && i < p.tree->n; i++) {
        if (i)
            buf_char(&got, ' ');
        ast_print(p.tree->kid[i], p.names, &got);
    }
    if (!is(p.tree ? buf_text(&got) : "(refused)", want, text) && !p.tree) {
        char *errors = parsed_errors(&p);
        printf("# %s\n", errors);
        free(errors);
    }
    buf_free(&got);
    parsed_close(&p);
}

/* Text must be refused, with a message that contains want, first shown at line:column. */
static inline void check_error(const char *text, const char *place, const char *want)
{
    struct parsed p;
    char arrow[40];
    parsed_open(&p, text, strlen(text), false);
    char *errors = parsed_errors(&p), *first = strstr(errors, "--> t:");
    snprintf(arrow, sizeof arrow, "--> t:%s (", place);
    bool there = first && !strncmp(first, arrow, strlen(arrow));
    bool said = strstr(errors, want);
    if (!ok(!p.tree && there && said, "%s: %s", text, want))
        printf("# wanted %s at %s, got\n%s\n", want, place, errors);
    free(errors);
    parsed_close(&p);
}
