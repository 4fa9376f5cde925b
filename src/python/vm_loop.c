// SPDX-License-Identifier: MIT
/* The loop that runs bytecode. Python calls do not use the C stack: a call puts a frame on top and
 * goes on, a return takes it off. `sp`, `ip` and `frame` live in registers; SYNC writes them back
 * before anything that may raise, call or sweep. The instructions themselves stand in vm_names.inc,
 * vm_data.inc, vm_flow.inc and vm_statements.inc, which are parts of the one function. */
#include "python/vm.h"

#include "python/call.h"
#include "python/class.h"
#include "python/types.h"
#include "python/vm_ops.h"
#include "python/vm_state.h"

#define SYNC() (frame->ip = ip, vm->sp = sp)
#define TOP()  (sp[-1])
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
#define OP(name)        op_##name:
#define JUMP_TO(target) (ip = frame->code->ops + (target))
#define LOAD_FRAME()    (ip = frame->ip, locals = frame->locals, consts = frame->code->consts)
#define ENTER_FRAME()   (frame = vm->frame, sp = vm->sp, LOAD_FRAME())
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

/* The sum of two small ints, if it is one too. */
static inline bool small_sum(value left, value right, value *sum)
{
    int64_t tagged; /* one tag of two is too many */
    bool fits = both_small(left, right) &&
                !__builtin_add_overflow((int64_t)left - 1, (int64_t)right, &tagged);
    if (fits)
        *sum = (value)tagged;
    return fits;
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
    *frame = (struct frame){.code = code,
                            .ip = code->ops,
                            .base = base,
                            .locals = locals,
                            .globals = function->globals,
                            .function = function,
                            .kind = FRAME_CALL};
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

#include "python/vm_names.inc"
#include "python/vm_data.inc"
#include "python/vm_flow.inc"
#include "python/vm_statements.inc"

failed:
    vm->frame = frame;
    exception_add_trace(vm, vm->error, frame->code,
                        frame->code->spans[frame->ip - frame->code->ops - 1]);
reraised:
    if (!vm_unwind(vm)) {
        vm->entries--;
        return NO_VALUE;
    }
    ENTER_FRAME();
    NEXT();
}
