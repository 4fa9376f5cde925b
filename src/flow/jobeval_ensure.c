// SPDX-License-Identifier: MIT
/* jobeval_ensure.c: the checksum that ensure() demands of an output. */
#include <string.h>

#include "flow/evalvalues.h"

static const struct {
    const char *name;
    enum digest kind;
} checksums[] = {{"sha256", DIGEST_SHA256}, {"md5", DIGEST_MD5}, {"sha1", DIGEST_SHA1}};

enum eval_result eval_checksum(struct job_eval *eval, const struct job_file *file,
                               enum digest *kind, const char **hex)
{
    struct vm *vm = eval->workflow->vm;
    value flags = file->item ? file->item->flags_dict : NO_VALUE;
    value ensured = flags ? dict_get_str(vm, flags, "ensure") : NO_VALUE;
    *hex = NULL;
    for (size_t i = 0; ensured && i < sizeof checksums / sizeof *checksums; i++) {
        value wanted = dict_get_str(vm, ensured, checksums[i].name);
        if (!wanted || wanted == VALUE_NONE)
            continue;
        if (value_callable(wanted) && eval_call(eval, wanted, 0, &wanted) != EVAL_OK)
            return eval_failed(eval, "checksum of an output", file->item->span);
        value text = value_str(vm, wanted);
        if (!text)
            return eval_failed(eval, "checksum of an output", file->item->span);
        *kind = checksums[i].kind;
        *hex = arena_str(eval->scratch, str_text(text));
    }
    return EVAL_OK;
}
