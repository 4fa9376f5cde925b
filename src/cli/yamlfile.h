// SPDX-License-Identifier: MIT
/* yamlfile.h: YAML files of the program itself, as trees. */
#pragma once

#include "base/diag.h"
#include "base/json.h"
#include "python/vm.h"

/* The one document of a file (JSON is YAML, too), in the arena: numbers, booleans, null, mappings
 * and sequences as JSON has them, all else (dates) as its text. NULL after a diagnostic; an empty
 * file is JSON_NULL. */
const struct json *yaml_file(struct arena *in, struct diags *dx, const char *path);
/* The same for a Python value. */
const struct json *value_tree(struct vm *vm, struct arena *in, value v);
/* The document of a file's text as a Python value; NO_VALUE after a diagnostic that shows the
 * place. */
value yaml_value(struct vm *vm, struct diags *dx, const char *path, const char *text, size_t len);

/* An entry of such a file that is being read, and what it is called in messages: "cluster.yaml:
 * account 2". */
struct yaml_part {
    struct diags *dx;
    const char *what;
    const struct json *entry;
};
/* Complains of what stands under a key; false. */
bool yaml_refuse(const struct yaml_part *part, const char *key, const char *why);
/* Whether the entry is a mapping (or nothing) and all its keys are among these, which are given
 * with blanks between them; otherwise a diagnostic. */
bool yaml_knows(const struct yaml_part *part, const char *keys);
/* A number from 0 to 1e8 (seconds of three years, a cluster's CPUs or GB); what is not there leaves
 * *out. False after a diagnostic. */
bool yaml_number(const struct yaml_part *part, const char *key, double *out);
