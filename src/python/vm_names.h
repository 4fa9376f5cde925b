// SPDX-License-Identifier: MIT
/* Instructions about names, attributes and items. This is a part of vm_execute, which includes it:
 * see vm.c. */
/* clang-format off */

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
    OP(LOAD_GROWN)
    {
        value v = locals[a];
        if (__builtin_expect(v == VALUE_UNBOUND, 0)) {
            SYNC();
            raise_unbound(vm, frame->code, a, false);
            goto failed;
        }
        str_share(v);
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
    FAIL_IF(((struct cell *)as_object(locals[a]))->v == VALUE_UNBOUND &&
            !raise_unbound(vm, frame->code, a, true));
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
    FAIL_IF(!dict_delete(vm, from_object(frame->globals), consts[a]) &&
            !raise_name_error(vm, consts[a]));
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
    FAIL_IF(!dict_delete(vm, frame->names ? frame->names : from_object(frame->globals),
                         consts[a]) &&
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
