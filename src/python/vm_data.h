// SPDX-License-Identifier: MIT
/* Instructions about temporaries, containers and operators: a part of vm_execute, which includes
 * it, see vm.c. */
/* clang-format off */

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
    FAIL_IF(!extend_starred(vm, sp[-(int)a - 1], TOP()));
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
        value sum;
        if (small_sum(left, right, &sum)) {
            sp--;
            TOP() = sum;
            NEXT();
        }
        REPLACE2(value_binary(vm, OP_ADD, left, right));
    }
    OP(SUB)
    {
        value left = sp[-2], right = sp[-1];
        int64_t difference;
        if (both_small(left, right) &&
            !__builtin_sub_overflow((int64_t)left, (int64_t)right - 1, &difference)) {
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
        if (both_small(left, right) &&
            !__builtin_mul_overflow((int64_t)left - 1, small_int(right), &product)) {
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
        value sum;
        if (a == OP_ADD && small_sum(left, right, &sum)) {
            sp--;
            TOP() = sum;
            NEXT();
        }
        REPLACE2(value_inplace(vm, (int)a, left, right));
    }
    OP(GROW)
    {
        value left = sp[-2], right = sp[-1];
        value sum;
        if (small_sum(left, right, &sum)) {
            sp--;
            TOP() = sum;
            NEXT();
        }
        REPLACE2(grow(vm, left, right, a));
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
