// SPDX-License-Identifier: MIT
/* yaml_data.h: Python values from YAML text and back, as PyYAML does it (YAML 1.1). yaml_read.c
 * reads, through libyaml; yaml_scalar.c says what a plain scalar is; yaml_write.c writes. (The
 * header is not called yaml.h because that is libyaml's.) */
#pragma once

#include "base/buf.h"
#include "python/value.h"

enum yaml_kind {
    YAML_STR,
    YAML_NULL,
    YAML_BOOL,
    YAML_INT,
    YAML_FLOAT,
    YAML_TIMESTAMP,
    YAML_MERGE,   /* << */
    YAML_DEFAULT, /* = */
};

/* What a plain scalar stands for. */
enum yaml_kind yaml_resolve(const char *text, size_t len);
/* The bool, int or float that text spells; raises as int() and float() do where an explicit tag
 * promised too much. */
value yaml_bool(struct vm *vm, const char *text, size_t len);
value yaml_int(struct vm *vm, const char *text, size_t len);
value yaml_float(struct vm *vm, const char *text, size_t len);
/* The bytes of base64 text; NO_VALUE, nothing raised: it is none. */
value yaml_binary(struct vm *vm, const char *text, size_t len);

/* Appends a problem that libyaml found at a place of the text, said as PyYAML says it; same_column:
 * the collection around it begins in that column. */
void yaml_words(const char *problem, bool same_column, const char *at, const char *end,
                struct buf *out);
/* The same for what libyaml was doing; NULL stays NULL. */
const char *yaml_context(const char *context);

enum yaml_schema {
    YAML_BASE /* all is text */,
    YAML_SAFE,
    YAML_FULL /* and !!python/tuple and its like */
};

/* What the reader needs of the Python side (lib/_yaml.py). */
struct yaml_reader {
    enum yaml_schema schema;
    bool single;     /* more than one document is an error */
    value custom;    /* dict: tag -> function, of the loader class */
    value construct; /* construct(tag, kind, value, mark): the object for a tag that is not built in
                      */
    value timestamp; /* timestamp(text): a date or datetime */
    value fail;      /* fail(class, context, mark, problem, mark): the exception to raise; a mark is
                        (index, line, column) or None */
};
/* The documents of a text in a list; NO_VALUE: raised. */
value yaml_read(struct vm *vm, const struct yaml_reader *reader, const char *text, size_t len);

struct yaml_writer {
    int64_t indent, width; /* 0: 2 and 80 */
    bool allow_unicode, explicit_start, explicit_end;
    bool indent_lists; /* lists inside mappings are indented, too */
};
/* The text of documents, given as trees of the nodes of lib/_yaml.py; NO_VALUE: raised. */
value yaml_write(struct vm *vm, const struct yaml_writer *options, const value *nodes, size_t n);
