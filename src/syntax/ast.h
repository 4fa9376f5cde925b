// SPDX-License-Identifier: MIT
/* ast.h: the syntax tree of Snakefiles: Python's statements and expressions plus Snakemake's
 * keywords.
 *
 * A node is one uniform record: a kind, a span, kids, and for leaves a payload. Which kids a kind
 * has is said in the table below, where `a b c` are kids in order, `x?` may be NULL, `x*` are all
 * the rest, and `name` means node.name, `op` node.op. Nodes live in the session arena and are never
 * changed after parsing. Constants are decoded: text is the value (escapes resolved, UTF-8), not
 * the source. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/source.h"

/* clang-format off */
#define NODE_KINDS(X)                                                                              \
    /* constants */                                                                                \
    X(NONE) X(TRUE) X(FALSE) X(ELLIPSIS)                                                           \
    X(INT)        /* text: digits in base 10, any size, no underscores; op: 1 if .num holds it too \
                     (up to 18 digits) */                                                          \
    X(FLOAT)      /* .real */                                                                      \
    X(IMAG)       /* .real: the imaginary part */                                                  \
    X(STR)        /* text, len: adjacent literals are joined */                                    \
    X(BYTES)      /* text, len */                                                                  \
    X(FSTRING)    /* parts*: STR and FIELD */                                                      \
    X(FIELD)      /* expr spec?; op: 0 or the conversion 'r' 's' 'a'; spec is STR or FSTRING;      \
                     text: for {x=} the source up to the expression's end with '=' and blanks      \
                     ("x = "), which stands before the value, else NULL; {x=} without              \
                     conversion and spec has op 'r' */                                             \
    /* names and access */                                                                         \
    X(NAME)       /* name */                                                                       \
    X(ATTR)       /* object; name */                                                               \
    X(INDEX)      /* object index; index may be SLICE or TUPLE of such */                          \
    X(SLICE)      /* start? stop? step? */                                                         \
    /* displays */                                                                                 \
    X(TUPLE)      /* items*: may hold STAR */                                                      \
    X(LIST)       /* items* */                                                                     \
    X(SET)        /* items* */                                                                     \
    X(DICT)       /* items*: PAIR or DSTAR */                                                      \
    X(PAIR)       /* key value */                                                                  \
    X(STAR)       /* expr: *expr in calls, displays, targets */                                    \
    X(DSTAR)      /* expr: **expr in calls and dict displays */                                    \
    X(LISTCOMP)   /* element clauses* : FOR_CLAUSE, each followed by its IF_CLAUSEs */             \
    X(SETCOMP) X(GENEXP) /* the same */                                                            \
    X(DICTCOMP)   /* PAIR clauses* */                                                              \
    X(FOR_CLAUSE) /* target iterable; op: 1 for async */                                           \
    X(IF_CLAUSE)  /* condition */                                                                  \
    /* operators */                                                                                \
    X(BINARY)     /* left right; op: an operator */                                                \
    X(UNARY)      /* operand; op: OP_NEG OP_POS OP_INVERT OP_NOT */                                \
    X(AND) X(OR)  /* operands* (two or more) */                                                    \
    X(COMPARE)    /* left right; op: a comparison. a < b < c is CHAIN */                           \
    X(CHAIN)      /* COMPAREs*: each one's left is the right of the one before (same node) */      \
    X(IFEXP)      /* condition then otherwise */                                                   \
    X(LAMBDA)     /* params body */                                                                \
    X(CALL)       /* callee args*: expressions, STAR, KEYWORD, DSTAR in source order */            \
    X(KEYWORD)    /* value; name */                                                                \
    X(WALRUS)     /* NAME value */                                                                 \
    X(YIELD)      /* value? */                                                                     \
    X(YIELD_FROM) /* iterable */                                                                   \
    X(AWAIT)      /* expr */                                                                       \
    /* functions */                                                                                \
    X(PARAMS)     /* PARAM* in order */                                                            \
    X(PARAM)      /* default? annotation?; name; op: a param_kind */                               \
    X(DEF)        /* params body returns? decorators*; name; op: 1 for async */                    \
    X(CLASS)      /* body, bases* and KEYWORDs*, decorators* (count in .num, at the end); name */  \
    /* statements */                                                                               \
    X(BLOCK)      /* statements* */                                                                \
    X(EXPR)       /* expr */                                                                       \
    X(ASSIGN)     /* value targets* : NAME ATTR INDEX TUPLE LIST STAR */                           \
    X(AUGASSIGN)  /* target value; op */                                                           \
    X(ANNASSIGN)  /* target annotation value? */                                                   \
    X(IF)         /* condition then else? : else is BLOCK or IF */                                 \
    X(WHILE)      /* condition body else? */                                                       \
    X(FOR)        /* target iterable body else?; op: 1 for async */                                \
    X(BREAK) X(CONTINUE) X(PASS)                                                                   \
    X(RETURN)     /* value? */                                                                     \
    X(RAISE)      /* exception? cause? */                                                          \
    X(TRY)        /* body else? finally? EXCEPT* */                                                \
    X(EXCEPT)     /* class? body; name or 0; op: 1 for except* */                                  \
    X(WITH)       /* body WITH_ITEM*; op: 1 for async */                                           \
    X(WITH_ITEM)  /* context target? */                                                            \
    X(ASSERT)     /* condition message? */                                                         \
    X(GLOBAL) X(NONLOCAL) /* NAME* */                                                              \
    X(DEL)        /* targets* */                                                                   \
    X(IMPORT)     /* ALIAS* */                                                                     \
    X(IMPORT_FROM) /* ALIAS*; name: the module (dots of a relative import in .num); ALIAS '*'      \
                     for all */                                                                    \
    X(ALIAS)      /* name: dotted name; text: the `as` name or NULL */                             \
    X(MATCH)      /* subject CASE* */                                                              \
    X(CASE)       /* pattern guard? body */                                                        \
    X(PAT_VALUE)  /* expr: compared with == (constants None True False with is) */                 \
    X(PAT_CAPTURE) /* name; 0: the wildcard _ */                                                   \
    X(PAT_SEQUENCE) /* patterns*: may hold one PAT_STAR */                                         \
    X(PAT_STAR)   /* name or 0 */                                                                  \
    X(PAT_MAPPING) /* PAIR(expr, pattern)*, last may be PAT_STAR for **rest */                     \
    X(PAT_CLASS)  /* class patterns* and KEYWORD(pattern)* */                                      \
    X(PAT_OR)     /* patterns* */                                                                  \
    X(PAT_AS)     /* pattern; name */                                                              \
    /* Snakemake */                                                                                \
    X(RULE)       /* items*: DIRECTIVE, in source order; name or 0; op: 1 for checkpoint; text:    \
                     docstring or NULL; span: `rule NAME` (of MODULE and USE_RULE the header       \
                     too) */                                                                       \
    X(DIRECTIVE)  /* name; value directives: args* as of a CALL; run: one BLOCK. span: from the    \
                     keyword to the end of its value */                                            \
    X(KEYWORD_STMT) /* include, configfile, workdir, envvars, localrules, ruleorder, ...: a        \
                     top-level keyword with args* as of a CALL; name; text: the tag of             \
                     `storage TAG:`, else NULL. localrules and ruleorder hold NAMEs */             \
    X(HOOK)       /* body; name: onstart onsuccess onerror */                                      \
    X(MODULE)     /* items*: DIRECTIVE; name */                                                    \
    X(USE_RULE)   /* items*: DIRECTIVE of the with block; .use tells the rest */

enum node_kind {
#define X(kind) NODE_##kind,
    NODE_KINDS(X)
#undef X
        NODE_KIND_COUNT
};

/* Operators: name, Python's spelling. */
#define OPERATORS(X)                                                                               \
    X(ADD, "+") X(SUB, "-") X(MUL, "*") X(DIV, "/") X(FLOORDIV, "//") X(MOD, "%") X(POW, "**")     \
    X(MATMUL, "@") X(LSHIFT, "<<") X(RSHIFT, ">>") X(BITAND, "&") X(BITOR, "|") X(BITXOR, "^")     \
    X(EQ, "==") X(NE, "!=") X(LT, "<") X(LE, "<=") X(GT, ">") X(GE, ">=")                          \
    X(IS, "is") X(IS_NOT, "is not") X(IN, "in") X(NOT_IN, "not in")                                \
    X(NEG, "-") X(POS, "+") X(INVERT, "~") X(NOT, "not")
/* clang-format on */

enum node_op {
#define X(op, text) OP_##op,
    OPERATORS(X)
#undef X
};

enum param_kind { PARAM_POSITIONAL_ONLY, PARAM_PLAIN, PARAM_STAR, PARAM_KEYWORD_ONLY, PARAM_DSTAR };

/* use rule a, b from m exclude c as p_* with: */
struct use_rule {
    sym_t *rules;   /* 0-terminated; one '*' means all */
    sym_t from;     /* module, or 0: inherit within the workflow */
    sym_t *exclude; /* 0-terminated or NULL */
    sym_t alias;    /* with at most one '*' in its text, or 0 */
    bool with;
    const char *docstring; /* of the with block, or NULL */
};

struct node {
    uint8_t kind, op;
    uint16_t depth; /* nesting depth of the tree below, at most AST_MAX_DEPTH */
    uint32_t n;     /* kids */
    struct span span;
    struct node **kid; /* in the session arena; optional kids are NULL */
    sym_t name;
    uint32_t len; /* bytes of text */
    union {
        const char *text; /* NUL-terminated; see the table */
        double real;
        const struct use_rule *use;
    };
    int64_t num; /* see the table */
};

/* Deeper nesting is a diagnostic: parser, compiler and printer may recurse over a tree. */
#define AST_MAX_DEPTH 1000

/* The name of a kind ("CALL") and the spelling of an operator ("not in"). */
const char *node_kind_name(enum node_kind kind);
const char *op_text(enum node_op op);

struct buf;
/* An S-expression of the tree, for tests and --print-compilation. */
void ast_print(const struct node *node, const struct intern *names, struct buf *out);
