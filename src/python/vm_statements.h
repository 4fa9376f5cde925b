// SPDX-License-Identifier: MIT
/* Instructions of statements: raise, try, with, import, assert, match, and those of Snakemake: a
 * part of vm_execute, which includes it, see vm.c. */
/* clang-format off */

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
