// SPDX-License-Identifier: MIT
/* The loop that runs bytecode. Python calls do not use the C stack: a call puts a frame on top and goes on, a
 * return takes it off. `sp`, `ip` and `frame` live in registers; SYNC writes them back before anything that may
 * raise, call or sweep. */
#include "python/vm.h"

#include <string.h>

#include "python/call.h"
#include "python/class.h"
#include "python/types.h"
#include "python/vm_ops.h"
#include "python/vm_state.h"

#define SYNC() (frame->ip = ip, vm->sp = sp)
#define TOP() (sp[-1])
#define FAIL_IF(cond)                                                                              \
    do {                                                                                           \
        if (__builtin_expect(!!(cond), 0))                                                         \
            goto failed;                                                                           \
    } while (0)
#define NEXT()                                                                                     \
    do {                                                                                           \
        uint32_t op_ = *ip++;                                                                      \
        a = op_ >> 8;                                                                              \
        goto *labels[op_ & 255];                                                                   \
    } while (0)
#define OP(name) op_##name:
#define JUMP_TO(target) (ip = frame->code->ops + (target))
#define ENTER_FRAME()                                                                              \
    do {                                                                                           \
        frame = vm->frame;                                                                         \
        ip = frame->ip;                                                                            \
        sp = vm->sp;                                                                               \
        locals = frame->locals;                                                                    \
        consts = frame->code->consts;                                                              \
    } while (0)
/* After a call was begun: go on in the new frame or with the result. */
#define CALLED(how)                                                                                \
    do {                                                                                           \
        enum called called_ = (how);                                                               \
        FAIL_IF(called_ == CALLED_RAISED);                                                         \
        if (called_ == CALLED_FRAME)                                                               \
            ENTER_FRAME();                                                                         \
        else                                                                                       \
            sp = vm->sp;                                                                           \
        NEXT();                                                                                    \
    } while (0)
/* The two values on top give way to one that may have raised. */
#define REPLACE2(expr)                                                                             \
    do {                                                                                           \
        SYNC();                                                                                    \
        value result_ = (expr);                                                                    \
        FAIL_IF(!result_);                                                                         \
        *--sp = NO_VALUE;                                                                          \
        TOP() = result_;                                                                           \
        NEXT();                                                                                    \
    } while (0)

static inline bool both_small(value left, value right)
{
    return left & right & 1;
}

/* A condition, mostly a bool. */
static inline int truth_of(struct vm *vm, value v)
{
    if (v == VALUE_TRUE)
        return 1;
    if (v == VALUE_FALSE || v == VALUE_NONE)
        return 0;
    bool truth;
    return value_truth(vm, v, &truth) ? truth : -1;
}

/* Where everything that lives is on the stack or in a frame: no native is running below. */
static inline void sweep_if_due(struct vm *vm)
{
    if (__builtin_expect(vm->heap.budget < 0, 0) && vm->entries == 1)
        heap_sweep(vm);
}

/* A plain function called with exactly its parameters: the whole call. */
static inline bool enter_simple(struct vm *vm, value *base, uint32_t n)
{
    struct function *function = as_function(*base);
    const struct code *code = function->code;
    if (code->flags != CODE_SIMPLE || code->nparams != n || vm->frame + 1 >= vm->frames_end)
        return false;
    value *locals = base + 1, *sp = locals + code->nlocals;
    if (sp + code->depth >= vm->stack_end)
        return false;
    for (value *local = locals + n; local < sp; local++)
        *local = VALUE_UNBOUND;
    struct frame *frame = ++vm->frame;
    *frame = (struct frame){.code = code, .ip = code->ops, .base = base, .locals = locals, .globals = function->globals,
                            .function = function, .kind = FRAME_CALL};
    if (code->ncells | code->nfree)
        frame_cells(vm, frame);
    vm->sp = sp;
    return true;
}

value vm_execute(struct vm *vm)
{
    static const void *const labels[] = {
#define X(name, effect) &&op_##name,
        OPCODES(X)
#undef X
    };
    struct frame *frame;
    const uint32_t *ip;
    value *sp, *locals;
    const value *consts;
    uint32_t a;
    vm->entries++;
    ENTER_FRAME();
    NEXT();

    OP(NOP)
    NEXT();
    OP(TICK)
    SYNC();
    FAIL_IF(!vm_tick(vm));
    NEXT();
    OP(LOAD_CONST)
    *sp++ = consts[a];
    NEXT();
    OP(LOAD_LOCAL)
    *sp++ = locals[a];
    NEXT();
    OP(LOAD_LOCAL2)
    *sp++ = locals[a & 4095];
    *sp++ = locals[a >> 12];
    NEXT();
    OP(LOAD_CHECKED)
    {
        value v = locals[a];
        if (__builtin_expect(v == VALUE_UNBOUND, 0)) {
            SYNC();
            raise_unbound(vm, frame->code, a, false);
            goto failed;
        }
        *sp++ = v;
        NEXT();
    }
    OP(STORE_LOCAL)
    locals[a] = *--sp;
    NEXT();
    OP(DEL_LOCAL)
    SYNC();
    FAIL_IF(locals[a] == VALUE_UNBOUND && !raise_unbound(vm, frame->code, a, false));
    locals[a] = VALUE_UNBOUND;
    NEXT();
    OP(UNBIND)
    locals[a] = VALUE_UNBOUND;
    NEXT();
    OP(NEW_CELL)
    SYNC();
    locals[a] = cell_new(vm, VALUE_UNBOUND);
    NEXT();
    OP(LOAD_CLOSURE)
    *sp++ = locals[a];
    NEXT();
    OP(LOAD_CELL)
    {
        value v = ((struct cell *)as_object(locals[a]))->v;
        if (__builtin_expect(v == VALUE_UNBOUND, 0)) {
            SYNC();
            raise_unbound(vm, frame->code, a, true);
            goto failed;
        }
        *sp++ = v;
        NEXT();
    }
    OP(STORE_CELL)
    ((struct cell *)as_object(locals[a]))->v = *--sp;
    NEXT();
    OP(DEL_CELL)
    SYNC();
    FAIL_IF(((struct cell *)as_object(locals[a]))->v == VALUE_UNBOUND && !raise_unbound(vm, frame->code, a, true));
    ((struct cell *)as_object(locals[a]))->v = VALUE_UNBOUND;
    NEXT();
    OP(LOAD_GLOBAL)
    {
        struct global_cache *cache = &frame->code->globals[a];
        if (__builtin_expect(cache->globals == frame->globals->version && cache->globals, 1)) {
            if (!cache->builtins) {
                *sp++ = frame->globals->at[cache->at].item;
                NEXT();
            }
            if (__builtin_expect(cache->builtins == vm->builtins->version, 1)) {
                *sp++ = vm->builtins->at[cache->at].item;
                NEXT();
            }
        }
        SYNC();
        value v = load_global(vm, frame, cache);
        FAIL_IF(!v);
        *sp++ = v;
        NEXT();
    }
    OP(STORE_GLOBAL)
    SYNC();
    FAIL_IF(!dict_set(vm, from_object(frame->globals), consts[a], TOP()));
    sp--;
    NEXT();
    OP(DEL_GLOBAL)
    SYNC();
    FAIL_IF(!dict_delete(vm, from_object(frame->globals), consts[a]) && !raise_name_error(vm, consts[a]));
    NEXT();
    OP(LOAD_NAME)
    OP(LOAD_CLASS_CELL)
    {
        SYNC();
        bool cell = (ip[-1] & 255) == OPC_LOAD_CLASS_CELL;
        value v = cell ? load_class_cell(vm, frame, a) : load_name_in(vm, frame, consts[a]);
        FAIL_IF(!v);
        *sp++ = v;
        NEXT();
    }
    OP(STORE_NAME)
    SYNC();
    FAIL_IF(!store_name_in(vm, frame, consts[a], TOP()));
    sp--;
    NEXT();
    OP(DEL_NAME)
    SYNC();
    FAIL_IF(!dict_delete(vm, frame->names ? frame->names : from_object(frame->globals), consts[a]) &&
            !raise_name_error(vm, consts[a]));
    NEXT();
    OP(ANNOTATE)
    SYNC();
    FAIL_IF(!annotate(vm, frame, consts[a], TOP()));
    sp--;
    NEXT();

    OP(LOAD_ATTR)
    {
        SYNC();
        value v = value_attr(vm, TOP(), frame->code->names[a]);
        FAIL_IF(!v);
        TOP() = v;
        NEXT();
    }
    OP(STORE_ATTR)
    SYNC();
    FAIL_IF(!value_set_attr(vm, sp[-1], frame->code->names[a], sp[-2]));
    sp -= 2;
    NEXT();
    OP(DEL_ATTR)
    SYNC();
    FAIL_IF(!value_set_attr(vm, sp[-1], frame->code->names[a], NO_VALUE));
    sp--;
    NEXT();
    OP(LOAD_METHOD)
    SYNC();
    FAIL_IF(!load_method(vm, sp - 1, frame->code->names[a]));
    sp++;
    NEXT();
    OP(GET_INDEX)
    {
        value object = sp[-2], key = sp[-1];
        if (is_exact(object, &type_list) && is_small(key)) {
            const struct list *list = (const struct list *)as_object(object);
            uint64_t i = (uint64_t)small_int(key);
            if (i < list->len) {
                sp--;
                TOP() = list->at[i];
                NEXT();
            }
        } else if (is_exact(object, &type_dict) && is_exact(key, &type_str)) {
            struct dict_entry *entry = dict_find_str(as_dict(object), key);
            if (entry) {
                sp--;
                TOP() = entry->item;
                NEXT();
            }
        }
        REPLACE2(value_index(vm, object, key));
    }
    OP(SET_INDEX)
    SYNC();
    FAIL_IF(!value_set_index(vm, sp[-2], sp[-1], sp[-3]));
    sp -= 3;
    NEXT();
    OP(DEL_INDEX)
    SYNC();
    FAIL_IF(!value_set_index(vm, sp[-2], sp[-1], NO_VALUE));
    sp -= 2;
    NEXT();

    OP(POP)
    sp--;
    NEXT();
    OP(COPY)
    *sp = sp[-(int)a];
    sp++;
    NEXT();
    OP(SWAP)
    {
        value v = sp[-(int)a];
        sp[-(int)a] = TOP();
        TOP() = v;
        NEXT();
    }
    OP(BUILD_TUPLE)
    {
        SYNC();
        value v = tuple_new(vm, sp - a, a);
        sp -= a;
        *sp++ = v;
        NEXT();
    }
    OP(BUILD_LIST)
    {
        SYNC();
        value v = list_new(vm, sp - a, a);
        sp -= a;
        *sp++ = v;
        NEXT();
    }
    OP(BUILD_SET)
    OP(BUILD_DICT)
    {
        SYNC();
        bool dict = (ip[-1] & 255) == OPC_BUILD_DICT;
        value v = dict ? build_dict(vm, sp - 2 * a, a) : build_set(vm, sp - a, a);
        FAIL_IF(!v);
        sp -= dict ? 2 * a : a;
        *sp++ = v;
        NEXT();
    }
    OP(BUILD_STRING)
    {
        SYNC();
        value v = build_string(vm, sp - a, a);
        sp -= a;
        *sp++ = v;
        NEXT();
    }
    OP(BUILD_SLICE)
    {
        SYNC();
        value v = build_slice(vm, sp - 3);
        sp -= 3;
        *sp++ = v;
        NEXT();
    }
    OP(LIST_APPEND)
    sp--;
    list_push(vm, sp[-(int)a], *sp);
    NEXT();
    OP(SET_ADD)
    SYNC();
    FAIL_IF(!set_add(vm, sp[-(int)a - 1], TOP()));
    sp--;
    NEXT();
    OP(DICT_ADD)
    SYNC();
    FAIL_IF(!dict_set(vm, sp[-(int)a - 2], sp[-2], sp[-1]));
    sp -= 2;
    NEXT();
    OP(LIST_EXTEND)
    SYNC();
    FAIL_IF(!list_extend(vm, sp[-(int)a - 1], TOP()));
    sp--;
    NEXT();
    OP(SET_UPDATE)
    SYNC();
    FAIL_IF(!set_update(vm, sp[-(int)a - 1], TOP()));
    sp--;
    NEXT();
    OP(DICT_UPDATE)
    OP(DICT_MERGE)
    SYNC();
    FAIL_IF(!dict_merge(vm, sp[-(int)a - 1], TOP(), (ip[-1] & 255) == OPC_DICT_MERGE));
    sp--;
    NEXT();
    OP(LIST_TUPLE)
    {
        SYNC();
        size_t n;
        const value *items = sequence_items(TOP(), &n);
        TOP() = tuple_new(vm, items, n);
        NEXT();
    }
    OP(UNPACK)
    {
        value source = TOP();
        if (is_exact(source, &type_tuple) && ((const struct tuple *)as_object(source))->len == a) {
            const struct tuple *tuple = (const struct tuple *)as_object(source);
            sp--;
            for (uint32_t i = a; i-- > 0;)
                *sp++ = tuple->at[i];
            NEXT();
        }
        SYNC();
        FAIL_IF(!unpack(vm, source, sp - 1, a));
        sp += (int)a - 1;
        NEXT();
    }
    OP(UNPACK_STAR)
    SYNC();
    FAIL_IF(!unpack_star(vm, TOP(), sp - 1, a & 4095, a >> 12));
    sp += (a & 4095) + (a >> 12);
    NEXT();

    OP(ADD)
    {
        value left = sp[-2], right = sp[-1];
        int64_t sum;
        if (both_small(left, right) && !__builtin_add_overflow((int64_t)left - 1, (int64_t)right, &sum)) {
            sp--;
            TOP() = (value)sum;
            NEXT();
        }
        REPLACE2(value_binary(vm, OP_ADD, left, right));
    }
    OP(SUB)
    {
        value left = sp[-2], right = sp[-1];
        int64_t difference;
        if (both_small(left, right) && !__builtin_sub_overflow((int64_t)left, (int64_t)right - 1, &difference)) {
            sp--;
            TOP() = (value)difference;
            NEXT();
        }
        REPLACE2(value_binary(vm, OP_SUB, left, right));
    }
    OP(MUL)
    {
        value left = sp[-2], right = sp[-1];
        int64_t product;
        if (both_small(left, right) && !__builtin_mul_overflow((int64_t)left - 1, small_int(right), &product)) {
            sp--;
            TOP() = (value)product + 1;
            NEXT();
        }
        REPLACE2(value_binary(vm, OP_MUL, left, right));
    }
    OP(BINARY)
    REPLACE2(value_binary(vm, (int)a, sp[-2], sp[-1]));
    OP(INPLACE)
    {
        value left = sp[-2], right = sp[-1];
        int64_t sum;
        if (a == OP_ADD && both_small(left, right) &&
            !__builtin_add_overflow((int64_t)left - 1, (int64_t)right, &sum)) {
            sp--;
            TOP() = (value)sum;
            NEXT();
        }
        REPLACE2(value_inplace(vm, (int)a, left, right));
    }
    OP(UNARY)
    {
        SYNC();
        value v = value_unary(vm, (int)a, TOP());
        FAIL_IF(!v);
        TOP() = v;
        NEXT();
    }
    OP(COMPARE)
    {
        value left = sp[-2], right = sp[-1];
        if (both_small(left, right)) {
            bool holds = order_holds(a, (int64_t)left, (int64_t)right);
            sp -= 2;
            uint32_t next = *ip;
            if ((next & 255) == OPC_JUMP_FALSE) { /* the usual successor, at once */
                ip++;
                if (!holds)
                    JUMP_TO(next >> 8);
            } else {
                *sp++ = value_bool(holds);
            }
            NEXT();
        }
        REPLACE2(value_compare(vm, (int)a, left, right));
    }
    OP(NOT)
    {
        SYNC();
        int truth = truth_of(vm, TOP());
        FAIL_IF(truth < 0);
        TOP() = value_bool(!truth);
        NEXT();
    }
    OP(IS)
    sp--;
    TOP() = value_bool((TOP() == *sp) != a);
    NEXT();
    OP(IN)
    {
        SYNC();
        bool in;
        FAIL_IF(!value_contains(vm, sp[-1], sp[-2], &in));
        sp--;
        TOP() = value_bool(in != a);
        NEXT();
    }

    OP(JUMP)
    JUMP_TO(a);
    NEXT();
    OP(LOOP)
    JUMP_TO(a);
    SYNC();
    sweep_if_due(vm);
    NEXT();
    OP(JUMP_FALSE)
    {
        SYNC();
        int truth = truth_of(vm, *--sp);
        FAIL_IF(truth < 0);
        if (!truth)
            JUMP_TO(a);
        NEXT();
    }
    OP(JUMP_TRUE)
    {
        SYNC();
        int truth = truth_of(vm, *--sp);
        FAIL_IF(truth < 0);
        if (truth)
            JUMP_TO(a);
        NEXT();
    }
    OP(JUMP_FALSE_KEEP)
    {
        SYNC();
        int truth = truth_of(vm, TOP());
        FAIL_IF(truth < 0);
        if (!truth)
            JUMP_TO(a);
        else
            sp--;
        NEXT();
    }
    OP(JUMP_TRUE_KEEP)
    {
        SYNC();
        int truth = truth_of(vm, TOP());
        FAIL_IF(truth < 0);
        if (truth)
            JUMP_TO(a);
        else
            sp--;
        NEXT();
    }
    OP(GET_ITER)
    {
        SYNC();
        value v = value_iter(vm, TOP());
        FAIL_IF(!v);
        TOP() = v;
        NEXT();
    }
    OP(FOR_ITER)
    {
        value source = TOP(), item;
        if (is_exact(source, &type_iterator)) {
            struct iterator *it = as_iterator(source);
            if (it->kind == ITER_LIST) {
                const struct list *list = (const struct list *)as_object(it->source);
                if (it->pos < list->len) {
                    *sp++ = list->at[it->pos++];
                    NEXT();
                }
            } else if (it->kind == ITER_RANGE && it->left > 0) {
                it->left--;
                *sp++ = small(it->pos);
                it->pos += it->step;
                NEXT();
            }
            SYNC();
            item = iterator_next(vm, it);
        } else if (is_exact(source, &type_generator)) {
            SYNC();
            if (as_generator(source)->state == GENERATOR_DONE) {
                item = NO_VALUE;
            } else {
                FAIL_IF(!generator_enter(vm, as_generator(source), NO_VALUE, FRAME_NEXT));
                ENTER_FRAME();
                NEXT();
            }
        } else {
            SYNC();
            item = value_next(vm, source);
        }
        if (item) {
            *sp++ = item;
            NEXT();
        }
        FAIL_IF(vm->error);
        sp--;
        JUMP_TO(a);
        NEXT();
    }

    OP(CALL)
    {
        value *base = sp - a - 1;
        SYNC();
        sweep_if_due(vm);
        if (is_exact(*base, &type_function) && enter_simple(vm, base, a)) {
            ENTER_FRAME();
            NEXT();
        }
        CALLED(call_begin(vm, base, a, NO_VALUE));
    }
    OP(CALL_METHOD)
    {
        value *base = sp - a - 2;
        SYNC();
        sweep_if_due(vm);
        uint32_t n = a + 1;
        if (!*base) { /* bound already: the callee is where self would be */
            for (uint32_t i = 0; i < n; i++)
                base[i] = base[i + 1];
            vm->sp = --sp;
            n = a;
        }
        if (is_exact(*base, &type_function) && enter_simple(vm, base, n)) {
            ENTER_FRAME();
            NEXT();
        }
        CALLED(call_begin(vm, base, n, NO_VALUE));
    }
    OP(CALL_KW)
    {
        value names = *--sp;
        SYNC();
        CALLED(call_begin(vm, sp - a - 1, a, names));
    }
    OP(CALL_METHOD_KW)
    {
        value names = *--sp;
        value *base = sp - a - 2;
        uint32_t n = a + 1;
        if (!*base) {
            for (uint32_t i = 0; i < n; i++)
                base[i] = base[i + 1];
            sp--;
            n = a;
        }
        SYNC();
        CALLED(call_begin(vm, base, n, names));
    }
    OP(CALL_EX)
    SYNC();
    CALLED(call_spread(vm, sp - 3));
    OP(RETURN)
    {
        value result = TOP();
        sp = frame->base;
        if (frame->kind == FRAME_CALL) { /* a generator's frame never has this kind */
            *sp++ = result;
            frame = --vm->frame;
            ip = frame->ip;
            locals = frame->locals;
            consts = frame->code->consts;
            NEXT();
        }
        if (frame->generator) {
            frame->generator->state = GENERATOR_DONE;
            frame->generator->result = result;
        }
        int kind = frame->kind;
        if (kind == FRAME_INIT) {
            frame->ip = ip;
            FAIL_IF(result != VALUE_NONE &&
                    !vm_raise(vm, "TypeError", "__init__() should return None, not '%s'", type_name(result)));
            result = frame->instance;
        }
        frame = --vm->frame;
        if (kind == FRAME_ENTRY) {
            vm->sp = sp;
            vm->entries--;
            return result;
        }
        ip = frame->ip;
        locals = frame->locals;
        consts = frame->code->consts;
        if (kind == FRAME_INIT)
            *sp++ = result;
        else { /* FRAME_NEXT: the for statement ends */
            sp--;
            JUMP_TO(ip[-1] >> 8);
        }
        NEXT();
    }
    OP(YIELD)
    {
        value item = *--sp;
        int kind = frame->kind;
        frame->generator->ip = (uint32_t)(ip - frame->code->ops);
        frame->generator->handled = frame->handled;
        generator_save(vm, frame->generator, locals, sp);
        sp = frame->base;
        frame = --vm->frame;
        if (kind == FRAME_ENTRY) {
            vm->sp = sp;
            vm->entries--;
            return item;
        }
        ip = frame->ip;
        locals = frame->locals;
        consts = frame->code->consts;
        *sp++ = item;
        NEXT();
    }
    OP(GET_YIELD_ITER)
    {
        SYNC();
        value v = is_exact(TOP(), &type_generator) ? TOP() : value_iter(vm, TOP());
        FAIL_IF(!v);
        TOP() = v;
        NEXT();
    }
    OP(SEND)
    {
        SYNC();
        value result = NO_VALUE;
        value item = send_to(vm, sp[-2], sp[-1], &result);
        FAIL_IF(!item && vm->error);
        if (item) {
            TOP() = item;
        } else {
            *--sp = NO_VALUE;
            TOP() = result;
            JUMP_TO(a);
        }
        NEXT();
    }
    OP(FORMAT)
    {
        if (!a && is_exact(TOP(), &type_str) && !(as_object(TOP())->flags & OBJECT_FLAGGED))
            NEXT();
        SYNC();
        value spec = a >> 8 ? sp[-1] : NO_VALUE;
        value v = format_field(vm, sp[spec ? -2 : -1], (char)(a & 255), spec);
        FAIL_IF(!v);
        sp -= spec ? 1 : 0;
        TOP() = v;
        NEXT();
    }
    OP(MAKE_FUNCTION)
    {
        SYNC();
        sp = make_function(vm, frame, sp, a);
        NEXT();
    }
    OP(BUILD_CLASS)
    {
        SYNC();
        value v = class_build(vm, sp[-3], sp[-2], sp[-1]);
        FAIL_IF(!v);
        sp -= 2;
        TOP() = v;
        NEXT();
    }

    OP(RAISE)
    SYNC();
    raise_values(vm, frame, a > 0 ? sp[-(int)a] : NO_VALUE, a > 1 ? sp[-1] : NO_VALUE);
    if (!a)
        goto reraised;
    goto failed;
    OP(PUSH_EXC)
    {
        value exception = TOP();
        TOP() = frame->handled ? frame->handled : VALUE_NONE;
        frame->handled = exception;
        *sp++ = exception;
        NEXT();
    }
    OP(POP_EXC)
    sp--;
    frame->handled = *sp == VALUE_NONE ? NO_VALUE : *sp;
    NEXT();
    OP(RERAISE)
    vm->error = *--sp;
    SYNC();
    goto reraised;
    OP(RERAISE_POP)
    sp -= 2;
    frame->handled = *sp == VALUE_NONE ? NO_VALUE : *sp;
    vm->error = sp[1];
    SYNC();
    goto reraised;
    OP(MATCH_EXC)
    {
        SYNC();
        int matches = match_exception(vm, sp[-2], sp[-1]);
        FAIL_IF(matches < 0);
        TOP() = value_bool(matches);
        NEXT();
    }
    OP(WITH_ENTER)
    SYNC();
    FAIL_IF(!with_enter(vm, sp - 1));
    sp++;
    NEXT();
    OP(WITH_EXIT)
    SYNC();
    FAIL_IF(!with_exit(vm, TOP()));
    sp--;
    NEXT();
    OP(WITH_FAILED)
    {
        SYNC();
        int swallowed = with_failed(vm, sp[-3], sp[-1]);
        FAIL_IF(swallowed < 0);
        *sp++ = value_bool(swallowed);
        NEXT();
    }
    OP(IMPORT)
    OP(IMPORT_TOP)
    {
        SYNC();
        value v = import_module(vm, frame, consts[a], (ip[-1] & 255) == OPC_IMPORT_TOP, 0);
        FAIL_IF(!v);
        *sp++ = v;
        NEXT();
    }
    OP(IMPORT_RELATIVE)
    {
        SYNC();
        value v = import_module(vm, frame, consts[a], false, (int)small_int(TOP()));
        FAIL_IF(!v);
        TOP() = v;
        NEXT();
    }
    OP(IMPORT_FROM)
    {
        SYNC();
        value v = import_from(vm, TOP(), consts[a]);
        FAIL_IF(!v);
        *sp++ = v;
        NEXT();
    }
    OP(IMPORT_STAR)
    SYNC();
    FAIL_IF(!import_star(vm, frame, TOP()));
    sp--;
    NEXT();
    OP(ASSERT_FAILED)
    SYNC();
    raise_assertion(vm, a ? TOP() : NO_VALUE);
    goto failed;

    OP(MATCH_SEQUENCE)
    {
        SYNC();
        int matches = match_sequence(vm, TOP(), a & 65535, a >> 16);
        FAIL_IF(matches < 0);
        *sp++ = value_bool(matches);
        NEXT();
    }
    OP(MATCH_MAPPING)
    NEXT();
    OP(MATCH_KEYS)
    {
        SYNC();
        value v = match_keys(vm, sp[-2], sp[-1]);
        FAIL_IF(!v);
        TOP() = v;
        NEXT();
    }
    OP(MATCH_REST)
    REPLACE2(match_rest(vm, sp[-2], sp[-1]));
    OP(MATCH_CLASS)
    {
        SYNC();
        value v = match_class(vm, sp[-3], sp[-2], sp[-1], a);
        FAIL_IF(!v);
        sp--;
        TOP() = v;
        NEXT();
    }

    OP(STATEMENT_BEGIN)
    {
        SYNC();
        value v = workflow_begin(vm, frame->code->nodes[a]);
        FAIL_IF(!v);
        *sp++ = v;
        NEXT();
    }
    OP(DIRECTIVE)
    {
        SYNC();
        uint32_t n = workflow_directive(vm, frame->code->nodes[a], sp);
        FAIL_IF(!n);
        sp -= n;
        NEXT();
    }
    OP(STATEMENT_END)
    SYNC();
    FAIL_IF(!workflow_end(vm, TOP()));
    sp--;
    NEXT();
    OP(KEYWORD)
    {
        SYNC();
        FAIL_IF(!workflow_keyword(vm, frame->code->nodes[a], sp));
        sp -= frame->code->nodes[a]->n;
        NEXT();
    }
    OP(HOOK)
    SYNC();
    FAIL_IF(!workflow_hook(vm, frame->code->nodes[a], TOP()));
    sp--;
    NEXT();

failed:
    vm->frame = frame;
    exception_add_trace(vm, vm->error, frame->code, frame->code->spans[frame->ip - frame->code->ops - 1]);
reraised:
    if (!vm_unwind(vm)) {
        vm->entries--;
        return NO_VALUE;
    }
    ENTER_FRAME();
    NEXT();
}
