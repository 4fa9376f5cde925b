// SPDX-License-Identifier: MIT
/* opcode.h: the instructions, each with its effect on the number of temporaries (a: its
 * argument). */
#pragma once

#define OPCODES(X)                                                                                 \
    X(NOP, 0)                                                                                      \
    X(TICK, 0) /* only where the evaluator has a budget */                                         \
    X(LOAD_CONST, 1)                                                                               \
    X(LOAD_LOCAL, 1)   /* surely bound */                                                          \
    X(LOAD_CHECKED, 1) /* a local that may be unbound */                                           \
    X(LOAD_GROWN, 1)   /* the same, of GROW; its text is no longer the local's alone */            \
    X(LOAD_LOCAL2, 2)  /* two bound locals: a & 4095, a >> 12 */                                   \
    X(STORE_LOCAL, -1)                                                                             \
    X(DEL_LOCAL, 0)                                                                                \
    X(LOAD_CELL, 1)                                                                                \
    X(STORE_CELL, -1)                                                                              \
    X(DEL_CELL, 0)                                                                                 \
    X(NEW_CELL, 0)      /* local a becomes a fresh, empty cell */                                  \
    X(UNBIND, 0)        /* local a loses its value, bound or not */                                \
    X(LOAD_GLOBAL, 1)   /* a: cache */                                                             \
    X(STORE_GLOBAL, -1) /* a: const, the name; so for the next four */                             \
    X(DEL_GLOBAL, 0)                                                                               \
    X(LOAD_NAME, 1) /* class bodies: the frame's names, globals, builtins */                       \
    X(STORE_NAME, -1)                                                                              \
    X(DEL_NAME, 0)                                                                                 \
    X(LOAD_CLASS_CELL, 1) /* names, then the cell of that local */                                 \
    X(ANNOTATE, -1)       /* a: const, the name */                                                 \
    X(LOAD_ATTR, 0)       /* a: names */                                                           \
    X(STORE_ATTR, -2)     /* value object */                                                       \
    X(DEL_ATTR, -1)                                                                                \
    X(LOAD_METHOD, 1) /* object -> function self, or NO_VALUE bound */                             \
    X(GET_INDEX, -1)                                                                               \
    X(SET_INDEX, -3) /* value object key */                                                        \
    X(DEL_INDEX, -2)                                                                               \
    X(POP, -1)                                                                                     \
    X(COPY, 1) /* of the a-th from the top, 1 is the top */                                        \
    X(SWAP, 0) /* the top with the a-th */                                                         \
    X(BUILD_TUPLE, 1 - (int)a)                                                                     \
    X(BUILD_LIST, 1 - (int)a)                                                                      \
    X(BUILD_SET, 1 - (int)a)                                                                       \
    X(BUILD_DICT, 1 - 2 * (int)a)                                                                  \
    X(BUILD_STRING, 1 - (int)a)                                                                    \
    X(BUILD_SLICE, -2)                                                                             \
    X(LIST_APPEND, -1) /* to the a-th from the top, after popping; so for the next six */          \
    X(SET_ADD, -1)                                                                                 \
    X(DICT_ADD, -2)                                                                                \
    X(LIST_EXTEND, -1)                                                                             \
    X(SET_UPDATE, -1)                                                                              \
    X(DICT_UPDATE, -1)                                                                             \
    X(DICT_MERGE, -1) /* keywords of a call: no duplicates */                                      \
    X(LIST_TUPLE, 0)                                                                               \
    X(UNPACK, (int)a - 1)                                                                          \
    X(UNPACK_STAR, (int)((a & 255) + (a >> 8))) /* a & 255 before, a >> 8 after */                 \
    X(ADD, -1)                                                                                     \
    X(SUB, -1)                                                                                     \
    X(MUL, -1)                                                                                     \
    X(BINARY, -1) /* a: enum node_op; so for INPLACE, UNARY, COMPARE */                            \
    X(INPLACE, -1)                                                                                 \
    X(GROW, -1) /* a: 1 in place; what is added to came from the local it goes to */               \
    X(UNARY, 0)                                                                                    \
    X(COMPARE, -1)                                                                                 \
    X(NOT, 0)                                                                                      \
    X(IS, -1) /* a: 1 is not; so for IN */                                                         \
    X(IN, -1)                                                                                      \
    X(JUMP, 0)                                                                                     \
    X(LOOP, 0) /* backwards; a sweep may happen here */                                            \
    X(JUMP_FALSE, -1)                                                                              \
    X(JUMP_TRUE, -1)                                                                               \
    X(JUMP_FALSE_KEEP, -1) /* keeps the value when it jumps */                                     \
    X(JUMP_TRUE_KEEP, -1)                                                                          \
    X(GET_ITER, 0)                                                                                 \
    X(FOR_ITER, 1) /* at the end pops the iterator and jumps */                                    \
    X(CALL, -(int)a)                                                                               \
    X(CALL_METHOD, -(int)a - 1)                                                                    \
    X(CALL_KW, -(int)a - 1) /* callee, a arguments, tuple of the last ones' names */               \
    X(CALL_METHOD_KW, -(int)a - 2)                                                                 \
    X(CALL_EX, -2) /* callee list dict */                                                          \
    X(RETURN, -1)                                                                                  \
    X(YIELD, 0)          /* 1: of a yield from, behind its SEND */                                 \
    X(GET_YIELD_ITER, 0) /* a: of await */                                                         \
    X(SEND, 0)           /* iterator value -> iterator yielded; at its end -> result, and jumps */ \
    X(FORMAT, -(int)(a >> 8)) /* a & 255: conversion; a >> 8: a spec is on top */                  \
    X(MAKE_FUNCTION, -(int)__builtin_popcount(a)) /* enum function_part, in that order; code */    \
    X(LOAD_CLOSURE, 1)                                                                             \
    X(BUILD_CLASS, -2) /* body function, list of bases, dict of keywords */                        \
    X(RAISE, -(int)a)                                                                              \
    X(PUSH_EXC, 1) /* exc -> handled before, exc */                                                \
    X(POP_EXC, -1)                                                                                 \
    X(RERAISE, -1)                                                                                 \
    X(RERAISE_POP, -2)                                                                             \
    X(MATCH_EXC, 0) /* exc class -> exc bool */                                                    \
    X(WITH_ENTER, 1)                                                                               \
    X(WITH_EXIT, -1)                                                                               \
    X(WITH_FAILED, 1)     /* exit handled exc -> ..., whether swallowed */                         \
    X(IMPORT, 1)          /* a: const, the dotted name -> that module */                           \
    X(IMPORT_TOP, 1)      /* -> the first of its names */                                          \
    X(IMPORT_RELATIVE, 1) /* a: const; level on top is replaced */                                 \
    X(IMPORT_FROM, 1)                                                                              \
    X(IMPORT_STAR, -1)                                                                             \
    X(ASSERT_FAILED, -(int)a)                                                                      \
    X(MATCH_SEQUENCE, 1)  /* a: items | 1 << 16 with a star */                                     \
    X(MATCH_KEYS, 0)      /* subject keys -> subject values or None */                             \
    X(MATCH_REST, -1)     /* subject keys -> dict of the others */                                 \
    X(MATCH_CLASS, -1)    /* subject class names: a positional -> subject, values or None */       \
    X(STATEMENT_BEGIN, 1) /* a: nodes */                                                           \
    X(DIRECTIVE, 0)       /* builder values body -> builder; compile_rule.c sets the depth */      \
    X(STATEMENT_END, -1)                                                                           \
    X(KEYWORD, 0)                                                                                  \
    X(HOOK, -1)

/* What MAKE_FUNCTION takes beside the code. */
enum function_part {
    FUNCTION_DEFAULTS = 1,
    FUNCTION_KWDEFAULTS = 2,
    FUNCTION_ANNOTATIONS = 4,
    FUNCTION_CLOSURE = 8,
};

enum opcode {
#define X(name, effect) OPC_##name,
    OPCODES(X)
#undef X
};
