// SPDX-License-Identifier: MIT
/* config.h: the config dict: files merged in order, the command line's words on top. */
#pragma once

#include "base/source.h"
#include "python/value.h"

struct workflow;

/* The mapping in a JSON or YAML file. NO_VALUE: raised (also when its top level is no mapping). */
value config_load(struct workflow *w, const char *path);
/* Merges the words of --config; config again. NO_VALUE: raised or complained. */
value config_of_words(struct workflow *w, value config);
/* What the command line says: all configfiles, then all words. NO_VALUE: raised or complained. */
value config_from_options(struct workflow *w);
/* A configfile: statement: merges the file, then the command line's config again. False: raised. */
bool config_statement(struct workflow *w, value path, struct span span);
/* What a YAML file's text gave: with `__use_yte__: true` the text is a template of yte, which is
 * filled in; else config itself. That key is taken out, unless it is null. NO_VALUE: raised. */
value config_fill_template(struct vm *vm, value config, value text);
/* A deep copy of mappings and lists. NO_VALUE: raised (they are too deep, or hold themselves). */
value config_copy(struct vm *vm, value v);
/* Whether it can be gone through to its end: it does not hold itself, and is not too deep. */
bool config_has_end(struct vm *vm, value v);
