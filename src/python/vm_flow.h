// SPDX-License-Identifier: MIT
/* Instructions that jump, loop, call, return and make functions and classes: a part of vm_execute,
 * which includes it, see vm.c. */
/* clang-format off */

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
                    !vm_raise(vm, "TypeError", "__init__() should return None, not '%s'",
                              type_name(result)));
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
