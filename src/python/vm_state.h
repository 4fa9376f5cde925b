// SPDX-License-Identifier: MIT
/* vm_state.h: what the evaluator consists of; only files of this layer look inside. Its life is
 * vm_life.c, its loop vm_loop.c.
 *
 * One contiguous stack of values carries all frames. A call finds its arguments where the caller
 * pushed them; they are the first locals of the callee:
 *
 *     | ... caller's temporaries | callee | arg 0 | arg 1 | other locals | temporaries ...
 *                                  ^base    ^locals
 *
 * On return the result replaces what stands at base. A generator's locals and temporaries are
 * copied out when it yields and back when it is resumed. */
#pragma once

#include "base/buf.h"
#include "base/map.h"
#include "python/code.h"
#include "python/dict.h"
#include "python/heap.h"
#include "python/vm.h"

enum frame_kind {
    FRAME_CALL,  /* result goes to the caller's stack */
    FRAME_ENTRY, /* called from C: the result ends vm_execute */
    FRAME_INIT,  /* __init__ of a class called from Python: the result is the instance at base */
    FRAME_NEXT,  /* a generator asked by a for statement */
};

struct frame {
    const struct code *code;
    const uint32_t *ip; /* next instruction; kept up to date whenever something may raise */
    value *base;        /* where the result goes */
    value *locals;
    struct dict *globals;
    struct function *function; /* NULL: module code */
    /* class body or eval with locals: the dict that is searched first */
    value names;
    value handled;               /* exception whose except clause is running */
    struct generator *generator; /* whose frame this is, or NULL */
    value instance;              /* FRAME_INIT */
    uint8_t kind;
};

/* (type, name) -> attribute of the class, as found along the mro; NO_VALUE is remembered too. */
struct attr_slot {
    const struct type *type;
    sym_t name;
    value found;
};
enum { ATTR_SLOTS = 2048 };

/* What is known of where code points stand in a long str; str_place.c. */
struct str_place {
    const struct str *str; /* NULL: none */
    size_t offset, index;  /* of the last one asked for, in bytes and in code points */
    uint32_t *marks;       /* owned, or NULL: the offsets of some */
    uint32_t jumped;       /* how often the next one was far away, before there were marks */
};
enum { STR_PLACES = 4 };

struct vm {
    struct heap heap;     /* first: vm_heap relies on it */
    struct intern *names; /* borrowed */
    struct diags *diags;  /* borrowed */
    struct vm_options options;

    value *stack, *stack_end;         /* owned: mapped once, never moves */
    value *sp;                        /* first free value */
    struct frame *frames;             /* owned: max_depth + 1 */
    struct frame *frame, *frames_end; /* the running one; frames itself is never run */
    int entries;                      /* vm_execute activations on the C stack */
    int natives;                      /* calls from C code, which may hold values, on the C stack */
    int64_t ticks;                    /* left of options.budget */
    char *c_limit;                    /* deepest address the C stack may reach */

    value error; /* exception in flight */
    /* owned; the main one first, none as long as there is only that */
    VEC(struct thread *) threads;
    struct thread *thread; /* the running one */
    struct dict *builtins;
    struct dict *modules; /* name -> module: sys.modules */
    value search_path;    /* list: sys.path, or NO_VALUE until sys is imported */
    VEC(const struct native_module *) natives_known;
    bool unsettled; /* open files may hold back what was written: file_settle */
    /* owned: the python3 child, or NULL while nothing needed it; foreign.h */
    struct foreign *foreign;
    struct map exceptions; /* sym -> index in exception_types */
    VEC(struct type *) exception_types;
    struct map type_dicts;                  /* native type address -> index in type_values */
    VEC(value) type_values;                 /* dict of attributes of a native type */
    struct map signatures;                  /* native_def address -> index in signature_list */
    VEC(struct signature *) signature_list; /* owned */
    /* strs of symbols that were asked for of late; owned; type_str.c */
    struct sym_string *sym_strings;
    struct str_place places[STR_PLACES]; /* in the long strs that were asked last */
    uint32_t next_place;                 /* which of them the next str takes */
    uint64_t dict_version;               /* last one given out */
    struct attr_slot *attrs;             /* owned: ATTR_SLOTS */
    struct arena *code_arena;            /* owned: names and tables of compiled code */
    struct buf text;                     /* exception_text */
    VEC(const void *) showing;           /* containers whose repr is being made: [...] */
    struct symbols {
/* clang-format off */
#define VM_SYMBOLS(X)                                                                              \
    X(__init__) X(__new__) X(__call__) X(__repr__) X(__str__) X(__len__) X(__bool__) X(__hash__)   \
    X(__eq__) X(__ne__) X(__lt__) X(__le__) X(__gt__) X(__ge__) X(__getitem__) X(__setitem__)      \
    X(__delitem__) X(__contains__) X(__iter__) X(__next__) X(__getattr__) X(__getattribute__)      \
    X(__setattr__) X(__delattr__) X(__format__) X(__enter__) X(__exit__) X(__get__) X(__set__)     \
    X(__delete__)                                                                                  \
    X(__class__) X(__dict__) X(__name__) X(__qualname__) X(__module__) X(__doc__) X(__base__)      \
    X(__bases__)                                                                                   \
    X(__mro__) X(__annotations__) X(__defaults__) X(__code__) X(__globals__) X(__closure__)        \
    X(__wrapped__) X(__self__) X(__all__) X(__file__) X(__path__) X(__builtins__)                  \
    X(__init_subclass__) X(__set_name__) X(__match_args__) X(__slots__) X(__class_getitem__)       \
    X(__cause__) X(__context__) X(__traceback__) X(__suppress_context__) X(__notes__) X(__neg__)   \
    X(__pos__) X(__invert__) X(__float__) X(__index__) X(__fspath__)                               \
    X(__reversed__) X(__missing__) X(__instancecheck__) X(__kwdefaults__)              \
    X(__subclasscheck__) X(__subclasshook__) X(__prepare__) X(__classcell__)                       \
    X(__abstractmethods__) X(metaclass)                                                            \
    X(args) X(self) X(value) X(strerror) X(filename) X(filename2) X(name) X(path) X(keys) X(throw) \
    X(close) X(code) X(fget) X(fset) X(fdel) X(start) X(stop) X(step)
/* clang-format on */
#define X(name) sym_t name;
        VM_SYMBOLS(X)
#undef X
        sym_t func_, errno_;          /* __func__ and errno, which C gives a meaning of their own */
        sym_t inplace[OP_BITXOR + 1]; /* __iadd__ ... */
    } sym;
};

/* Runs from the frame on top until it returns: its result, or NO_VALUE if it raised. */
value vm_execute(struct vm *vm);
/* RecursionError; always NO_VALUE. */
value raise_too_deep(struct vm *vm);
/* TypeError about an __init__() that returned something; always NO_VALUE. */
value raise_init_result(struct vm *vm, value result);
/* A turn or call is begun; false: raised, the budget is used up. */
bool vm_tick(struct vm *vm);
/* The exception whose except clause is running, here or in a caller; NO_VALUE: none is. */
value vm_handled(const struct vm *vm);
/* Marks the values and frames of one stack. */
void vm_mark_stack(struct vm *vm, const value *stack, const value *sp, const struct frame *frames,
                   const struct frame *top);
/* The name of a module object. */
const char *module_name(value module);

/* Fills the dict of builtins: builtins.c. */
bool builtins_fill(struct vm *vm, value builtins);
