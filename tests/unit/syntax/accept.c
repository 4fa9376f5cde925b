// SPDX-License-Identifier: MIT
/* accept.c: parses the files named on the command line and says which are refused, with the first
 * error, and how fast it went. --python: no Snakemake keywords; --print: the trees; --errors: all
 * diagnostics in full. Not a test by itself: it compares acceptance with other parsers on large
 * corpora. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "syntax/parse.h"

struct counts {
    int files, refused;
    size_t bytes;
    int64_t ns;
};

static char *read_file(const char *path, size_t *len)
{
    FILE *file = fopen(path, "rb");
    struct buf text = {0};
    char block[65536];
    if (!file)
        return NULL;
    for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;)
        buf_add(&text, block, n);
    fclose(file);
    *len = text.len;
    buf_char(&text, 0);
    return buf_take(&text);
}

static void print_tree(const struct node *tree, const struct intern *names)
{
    struct buf out = {0};
    for (uint32_t i = 0; tree && i < tree->n; i++) {
        buf_reset(&out);
        ast_print(tree->kid[i], names, &out);
        puts(buf_text(&out));
    }
    buf_free(&out);
}

static void accept_file(const char *path, struct counts *counts, bool python, bool print,
                        bool errors)
{
    size_t len;
    char *text = read_file(path, &len);
    if (!text)
        return;
    struct sources *sources = sources_new();
    struct diags *dx = diags_new(sources);
    struct intern *names = intern_new();
    struct arena arena = {0};
    int source = source_add(sources, path, text, len);
    int64_t start = clock_ns();
    struct node *tree = parse_source(&arena, names, dx, source, &(struct parse_options){python});
    counts->ns += clock_ns() - start;
    counts->bytes += len;
    counts->files++;
    counts->refused += !tree;
    if (!tree)
        printf("refused: %s\n", path);
    if (!tree || errors)
        diag_print(dx, stdout, false);
    if (print)
        print_tree(tree, names);
    arena_free(&arena);
    intern_free(names);
    diags_free(dx);
    sources_free(sources);
    free(text);
}

int main(int argc, char **argv)
{
    struct counts counts = {0};
    bool python = false, print = false, errors = false;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--python"))
            python = true;
        else if (!strcmp(argv[i], "--print"))
            print = true;
        else if (!strcmp(argv[i], "--errors"))
            errors = true;
        else
            accept_file(argv[i], &counts, python, print, errors);
    }
    printf("%d files, %d refused, %.1f MB, %.1f MB/s\n", counts.files, counts.refused,
           (double)counts.bytes / 1e6,
           counts.ns ? (double)counts.bytes * 1e3 / (double)counts.ns : 0);
    return counts.refused != 0;
}
