// SPDX-License-Identifier: MIT
/* rule.h: a rule as the Snakefile's statements made it. Plain data in the session arena; what
 * depends on the wildcards of a job is worked out by jobeval.c. */
#pragma once

#include "base/pool.h"
#include "flow/pattern.h"
#include "python/value.h"

typedef uint32_t rule_id; /* 1.. in order of definition; 0: none */

/* Flags of a file, from the functions of that name. */
enum file_flag {
    FLAG_TEMP = 1 << 0,
    FLAG_PROTECTED = 1 << 1,
    FLAG_DIRECTORY = 1 << 2,
    FLAG_TOUCH = 1 << 3,
    FLAG_ANCIENT = 1 << 4,
    FLAG_PIPE = 1 << 5,
    FLAG_SERVICE = 1 << 6,
    FLAG_ENSURE = 1 << 7,
    FLAG_REPORT = 1 << 8,
    FLAG_UPDATE = 1 << 9,
    FLAG_BEFORE_UPDATE = 1 << 10,
    FLAG_LOCAL = 1 << 11,
    FLAG_STORAGE = 1 << 12,
    FLAG_REPEAT = 1 << 13,
    FLAG_NONEMPTY = 1 << 14,
    FLAG_NODELOCAL = 1 << 15,     /* outputs only: seen on the node that made it */
    FLAG_AS_IS = FLAG_PROTECTED,  /* inputs only: nobody makes it now, an earlier --batch has */
    FLAG_INSIDE = FLAG_NODELOCAL, /* inputs only: its maker is in the job's own group */
    FLAG_UNFETCHED = FLAG_TOUCH,  /* inputs only: the path is the copy's, but none is made */
};

/* One item of input, output, log, benchmark or params. */
enum item_kind {
    ITEM_PATTERN,  /* a path with or without wildcards: .pattern */
    ITEM_FUNCTION, /* evaluated per job: .value is callable */
    ITEM_VALUE,    /* params only: any other value, .value */
};
struct item {
    uint8_t kind;
    bool unpack;    /* unpack(f): the function gives names too */
    uint16_t flags; /* enum file_flag */
    sym_t name;     /* name of the item or of the list it belongs to; 0: positional */
    bool in_list;   /* its name stands for a list: input.x is a list */
    rule_id maker;  /* came from rules.x.output: only that rule may make it */
    struct pattern pattern;
    struct root value; /* kept alive by the rule's keep list */
    value flags_dict; /* the whole flags (report captions, ensure checksums), or NO_VALUE; rooted by
                         .value's list */
    sym_t unknown; /* a wildcard of this input that the products do not have: a job's input raises
                      WildcardError */
    struct span span;
};
/* A name and the run of items it stands for; an empty list has one too. */
struct item_name {
    sym_t name;
    uint32_t at, len;
    bool is_list;
};
struct items {
    struct item *at;
    uint32_t len, cap; /* a VEC */
    struct {
        struct item_name *at;
        uint32_t len, cap;
    } names; /* a VEC */
    /* input only: true if no item has wildcards or functions: one shared list serves every job */
    bool constant;
};

enum rule_body {
    BODY_NONE,
    BODY_SHELL,
    BODY_SCRIPT,
    BODY_RUN,
    BODY_NOTEBOOK,
    BODY_WRAPPER,
    BODY_TEMPLATE,
    BODY_CWL
};

/* What a rule says of results that workflows share. */
enum {
    CACHE_OUTPUT = 1,
    CACHE_OMIT_SOFTWARE = 2, /* results count as the same in whatever software they were made */
    CACHE_OMIT_STORAGE = 4,  /* a stored source goes by its name, not by its content */
};

struct ruleinfo;
struct scope;

struct rule {
    rule_id id;
    sym_t name;
    bool anonymous, checkpoint, local, handover, norun;
    struct span span; /* the statement */
    const struct node *node;
    const char *docstring; /* or NULL */
    const char *snakefile; /* file it stands in; for relative script, conda and schema paths */
    struct wildcard_names wildcards;
    struct items input, output, log, benchmark, params;
    struct root threads, priority, retries, group, conda, container, envmodules, shadow,
        message_value;
    struct root resources; /* dict: name -> value or callable */
    enum rule_body body;
    struct root body_value;    /* shell text, script path, ...: the value at definition */
    struct root body_function; /* BODY_PARAMS function, or NO_VALUE if the value is a constant */
    struct root message_function;
    struct span body_span;
    struct span code_span;       /* where that stands */
    const struct ruleinfo *info; /* as it was written; in the session arena */
    struct scope *scope;         /* its namespace */
    struct root keep;            /* list of every value above: their own roots are not linked */
    uint16_t repeat;             /* of benchmark: repeat(file, n); 1 otherwise */
    bool containerized;
    uint8_t cache; /* CACHE_... */
    sym_t code;    /* what the code trigger compares: raw shell text, run source, directive text */
};
