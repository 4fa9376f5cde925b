// SPDX-License-Identifier: MIT
/* pattern.h: a path with wildcards, "mapped/{sample}.{unit,\d+}.bam": matched against a path, or filled in.
 *
 * Parsed once into literals and slots. The slots of a rule's patterns are numbered over the rule's wildcards, so
 * that matching yields one array of symbols per rule. Patterns whose constraints are all the default `.+` and that
 * hold one wildcard are matched by prefix and suffix alone; all others by PCRE2 (JIT), with Snakemake's regular
 * expression: first occurrence `(?P<name>constraint)`, later ones a back-reference, anchored at both ends.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/intern.h"
#include "base/regex.h"

struct pattern_part {
    const char *text; /* literal text, or NULL for a wildcard */
    uint32_t len;
    int slot;         /* wildcard: index into the rule's wildcards */
};

struct pattern {
    sym_t text;              /* as written, constraints included */
    sym_t plain;             /* constraints removed: what rules.x.output shows */
    struct pattern_part *part;
    uint16_t nparts, nslots; /* nslots: distinct wildcards; 0: a plain path, equal to .plain */
    bool fast;               /* prefix/suffix match serves */
    uint32_t prefix, suffix; /* bytes of literal text at both ends */
    struct regex *regex;     /* compiled at first use; owned */
    struct span span;
};

/* A rule's wildcards: names in order of first appearance and the constraint of each (NULL: `.+`). */
struct wildcard_names {
    sym_t *name;
    const char **constraint;
    uint16_t n, cap;
};

/* Parses text; unknown names are added to *wildcards if add, else they are an error ("Wildcards in input files
 * cannot be determined from output files: 'x'"). Constraints found inline are entered where none stands yet. */
bool pattern_parse(struct arena *in, struct intern *names, struct diags *dx, const char *text, size_t len,
                   struct span span, struct wildcard_names *wildcards, bool add, struct pattern *out);

/* Fills value[slot] for the wildcards of this pattern; others stay. False: path does not match. */
bool pattern_match(struct pattern *pattern, struct intern *names, const struct wildcard_names *wildcards,
                   const char *path, size_t len, sym_t *value);

/* The path with the values filled in, as a symbol (and normalised as Snakemake does: a trailing / removed). */
sym_t pattern_apply(const struct pattern *pattern, struct intern *names, const sym_t *value);

void pattern_free(struct pattern *pattern);
