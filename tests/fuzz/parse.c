// SPDX-License-Identifier: MIT
/* Fuzzes the parser: any bytes give a tree or diagnostics, which can both be printed. Every span
 * lies in the source, every tree is as deep as it says. */
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/ensure.h"
#include "syntax/parse.h"

static int measure(const struct node *node, uint32_t from, uint32_t to)
{
    int deepest = 0;
    if (!node)
        return 0;
    ensure(node->kind < NODE_KIND_COUNT);
    ensure(node->span.at >= from && node->span.end <= to && node->span.at <= node->span.end);
    for (uint32_t i = 0; i < node->n; i++) {
        int depth = measure(node->kid[i], from, to);
        deepest = depth > deepest ? depth : deepest;
    }
    ensure(deepest + 1 == node->depth && node->depth <= AST_MAX_DEPTH);
    return node->depth;
}

static void parse_as(const uint8_t *bytes, size_t len, bool python)
{
    static FILE *null;
    struct sources *sources = sources_new();
    struct diags *dx = diags_new(sources);
    struct intern *names = intern_new();
    struct arena arena = {0};
    struct buf out = {0};
    int source = source_add(sources, "fuzz", (const char *)bytes, len);
    uint32_t base = source_base(sources, source);
    struct node *tree = parse_source(&arena, names, dx, source, &(struct parse_options){python});
    ensure(tree || diag_errors(dx) > 0);
    if (tree) {
        measure(tree, base, base + (uint32_t)len);
        /* A chain of comparisons shares nodes: printing doubles with each, so print small trees
         * only. */
        if (len < 2000)
            ast_print(tree, names, &out);
    }
    if (!null)
        null = fopen("/dev/null", "w");
    diag_print(dx, null, false);
    buf_free(&out);
    arena_free(&arena);
    intern_free(names);
    diags_free(dx);
    sources_free(sources);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    parse_as(bytes, len, false);
    parse_as(bytes, len, true);
    return 0;
}
