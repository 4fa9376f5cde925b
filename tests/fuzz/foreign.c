// SPDX-License-Identifier: MIT
/* Fuzzes the reader of what the python3 child sends: any bytes are values, an exception, or no
 * message; what was read can be written again. */
#include <stdlib.h>

#include "base/ensure.h"
#include "modules/modules.h"
#include "python/foreign_link.h"

static struct foreign *dead_child(void)
{
    struct foreign *f = calloc(1, sizeof *f);
    f->fd = -1;
    f->dead = true;
    f->why = strdup("there is no child");
    vec_push(&f->lent, ((struct lent){0}));
    vec_push(&f->lent, ((struct lent){VALUE_NONE, 1}));
    vec_push(&f->leases, ((struct lease){0}));
    return f;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct sources *sources = sources_new();
    struct diags *dx = diags_new(sources);
    struct intern *names = intern_new();
    struct vm *vm = vm_new(
        &(struct vm_options){.names = names, .diags = dx, .modules = native_modules});
    vm->foreign = dead_child();
    vm->foreign->errors = dict_new(vm);
    struct reader r = {.vm = vm, .at = (const char *)bytes, .end = (const char *)bytes + len};
    value v = read_value(&r);
    ensure(v || r.bad || vm->error);
    struct writer w = {.vm = vm};
    if (v && !vm->error)
        ensure(write_value(&w, v) || vm->error);
    buf_free(&w.out);
    vm_take_error(vm);
    vm_free(vm);
    intern_free(names);
    diags_free(dx);
    sources_free(sources);
    return 0;
}
