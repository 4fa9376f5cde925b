// SPDX-License-Identifier: MIT
#include "graph/checksum.h"

#include "base/buf.h"
#include "base/fs.h"

char *content_checksum(struct arena *in, const char *path)
{
    uint8_t digest[32];
    struct buf coded = {0};
    if (!fs_digest(path, DIGEST_SHA256, digest))
        return NULL;
    buf_base64(&coded, digest, sizeof digest, true);
    /* 32 bytes end with one sign of padding */
    char *text = arena_copy(in, coded.at, coded.len - 1);
    buf_free(&coded);
    return text;
}

const char *checksum_of(struct checksums *known, sym_t name, const char *path,
                        const struct stat *st)
{
    uint32_t *at = map_at(&known->of, name);
    if (!*at) {
        vec_push(&known->all, ((struct checksum){.mtime = -1}));
        *at = known->all.len;
    }
    struct checksum *sum = &known->all.at[*at - 1];
    if (sum->mtime != fs_mtime(st) || sum->size != st->st_size) {
        sum->mtime = fs_mtime(st);
        sum->size = st->st_size;
        sum->text = content_checksum(&known->texts, path);
    }
    return sum->text;
}

void checksums_free(struct checksums *known)
{
    map_free(&known->of);
    vec_free(&known->all);
    arena_free(&known->texts);
}
