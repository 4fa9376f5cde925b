// SPDX-License-Identifier: MIT
#include "python/signature.h"

#include <string.h>

#include "base/memory.h"
#include "python/vm_state.h"

static void parse_word(struct vm *vm, struct signature *s, const char *word, size_t len,
                       uint8_t *kind)
{
    const char *equals = memchr(word, '=', len);
    size_t name_len = equals ? (size_t)(equals - word) : len;
    struct param_info *param = &s->param[s->n];
    if (len == 1 && *word == '/') {
        s->nposonly = s->n;
        return;
    }
    if (len == 1 && *word == '*') {
        *kind = PARAM_KEYWORD_ONLY;
        return;
    }
    param->kind = *kind;
    param->has_default = equals;
    if (name_len > 2 && !memcmp(word, "**", 2)) {
        param->kind = PARAM_DSTAR;
        s->dstar = (int16_t)s->n;
        word += 2;
        name_len -= 2;
    } else if (*word == '*') {
        param->kind = PARAM_STAR;
        s->star = (int16_t)s->n;
        *kind = PARAM_KEYWORD_ONLY;
        word++;
        name_len--;
    }
    param->name = intern(vm->names, word, name_len);
    if (param->kind == PARAM_PLAIN) {
        s->npositional++;
        s->nrequired += !equals;
    }
    s->n++;
}

const struct signature *signature_of(struct vm *vm, const struct native_def *def)
{
    uint32_t *known = map_at(&vm->signatures, (uintptr_t)def);
    if (*known)
        return vm->signature_list.at[*known - 1];
    const char *at = def->signature ? def->signature : "";
    struct signature *s = memory_zeroed(1, sizeof *s + (strlen(at) / 2 + 2) * sizeof *s->param);
    s->star = s->dstar = -1;
    uint8_t kind = PARAM_PLAIN;
    while (*at) {
        size_t len = strcspn(at, " ");
        if (len)
            parse_word(vm, s, at, len, &kind);
        at += len + (at[len] == ' ');
    }
    s->optional_end = s->star < 0 && s->dstar < 0;
    for (uint32_t i = s->npositional; i < s->n; i++)
        s->optional_end &= s->param[i].has_default;
    vec_push(&vm->signature_list, s);
    *map_at(&vm->signatures, (uintptr_t)def) = vm->signature_list.len;
    return s;
}
