// SPDX-License-Identifier: MIT
/* zip.c: PKWARE's APPNOTE 6.3: per file a local header and its bytes, at the end the directory. */
#include "base/zip.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/memory.h"
#include "base/part.h"

struct zip {
    FILE *out;
    char *path, *temporary; /* owned */
    struct buf directory;   /* central headers */
    uint64_t at, nfiles;
    int error; /* errno of the first failure */
    uint16_t date, time;
};

static void put(struct buf *out, uint64_t number, int bytes)
{
    for (int i = 0; i < bytes; i++)
        buf_char(out, (char)(number >> (8 * i) & 0xff));
}

static uint32_t crc_table[256];

static uint32_t crc_add(uint32_t crc, const uint8_t *bytes, size_t len)
{
    if (!crc_table[1])
        for (uint32_t i = 0; i < 256; i++) {
            uint32_t c = i;
            for (int k = 0; k < 8; k++)
                c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
            crc_table[i] = c;
        }
    crc = ~crc;
    for (size_t i = 0; i < len; i++)
        crc = crc_table[(crc ^ bytes[i]) & 0xff] ^ crc >> 8;
    return ~crc;
}

static void note_error(struct zip *zip)
{
    if (!zip->error)
        zip->error = errno ? errno : EIO;
}

static void emit(struct zip *zip, const void *bytes, size_t len)
{
    if (len && fwrite(bytes, 1, len, zip->out) != len)
        note_error(zip);
    zip->at += len;
}

struct zip *zip_open(const char *path)
{
    struct zip *zip = memory_zeroed(1, sizeof *zip);
    struct tm tm;
    time_t now = time(NULL);
    struct arena scratch = {0};
    zip->path = memory_text(path);
    zip->temporary = memory_text(part_beside(&scratch, path));
    arena_free(&scratch);
    localtime_r(&now, &tm);
    zip->date = (uint16_t)((tm.tm_year - 80) << 9 | (tm.tm_mon + 1) << 5 | tm.tm_mday);
    zip->time = (uint16_t)(tm.tm_hour << 11 | tm.tm_min << 5 | tm.tm_sec / 2);
    zip->out = fopen(zip->temporary, "wbe");
    if (zip->out)
        return zip;
    int error = errno;
    free(zip->path);
    free(zip->temporary);
    free(zip);
    errno = error;
    return NULL;
}

/* What both kinds of header say of a file: version, UTF-8 names, stored, time, checksum, sizes. */
static void put_common(const struct zip *zip, struct buf *out, uint32_t crc, uint64_t len, bool big)
{
    put(out, 45, 2);
    put(out, 1 << 11, 2);
    put(out, 0, 2);
    put(out, zip->time, 2);
    put(out, zip->date, 2);
    put(out, crc, 4);
    put(out, big ? 0xffffffff : len, 4);
    put(out, big ? 0xffffffff : len, 4);
}

/* Notes a file in the directory and writes its local header. */
static void begin_file(struct zip *zip, const char *name, uint32_t crc, uint64_t len)
{
    struct buf head = {0};
    size_t name_len = strlen(name);
    bool big = len >= 0xffffffff || zip->at >= 0xffffffff;
    put(&head, 0x04034b50, 4);
    put_common(zip, &head, crc, len, big);
    put(&head, name_len, 2);
    put(&head, big ? 20 : 0, 2);
    buf_add(&head, name, name_len);
    put(&zip->directory, 0x02014b50, 4);
    put(&zip->directory, 3 << 8 | 45, 2);
    put_common(zip, &zip->directory, crc, len, big);
    put(&zip->directory, name_len, 2);
    put(&zip->directory, big ? 28 : 0, 2);
    put(&zip->directory, 0, 2); /* comment */
    put(&zip->directory, 0, 4); /* disk, internal attributes */
    put(&zip->directory, 0100644u << 16, 4);
    put(&zip->directory, big ? 0xffffffff : zip->at, 4);
    buf_add(&zip->directory, name, name_len);
    if (big) {
        put(&head, 1, 2), put(&head, 16, 2), put(&head, len, 8), put(&head, len, 8);
        put(&zip->directory, 1, 2), put(&zip->directory, 24, 2);
        put(&zip->directory, len, 8), put(&zip->directory, len, 8);
        put(&zip->directory, zip->at, 8);
    }
    emit(zip, head.at, head.len);
    zip->nfiles++;
    buf_free(&head);
}

void zip_add(struct zip *zip, const char *name, const void *bytes, size_t len)
{
    begin_file(zip, name, crc_add(0, bytes, len), len);
    emit(zip, bytes, len);
}

/* Reads a file to its end; the checksum of it, or its bytes into the archive. False with errno. */
static bool pass_file(struct zip *zip, FILE *in, uint32_t *crc, uint64_t *len, bool copy)
{
    static uint8_t block[1 << 16];
    uint64_t done = 0;
    for (size_t n; (n = fread(block, 1, sizeof block, in)) > 0; done += n) {
        if (copy)
            emit(zip, block, n);
        else
            *crc = crc_add(*crc, block, n);
    }
    bool same = !copy || done == *len;
    *len = done;
    if (same || ferror(in))
        return !ferror(in);
    errno = EAGAIN; /* it changed meanwhile */
    return false;
}

bool zip_add_file(struct zip *zip, const char *name, const char *path)
{
    uint32_t crc = 0;
    uint64_t len = 0;
    FILE *in = fopen(path, "rbe");
    if (!in)
        return false;
    bool good = pass_file(zip, in, &crc, &len, false);
    rewind(in);
    if (good) {
        begin_file(zip, name, crc, len);
        good = pass_file(zip, in, &crc, &len, true);
    }
    int error = errno;
    fclose(in);
    errno = error;
    if (!good)
        note_error(zip);
    return good;
}

static void end_directory(struct zip *zip)
{
    struct buf tail = {0};
    uint64_t start = zip->at, len = zip->directory.len;
    bool big = start >= 0xffffffff || len >= 0xffffffff || zip->nfiles >= 0xffff;
    emit(zip, buf_text(&zip->directory), len);
    if (big) {
        put(&tail, 0x06064b50, 4), put(&tail, 44, 8);
        put(&tail, 3 << 8 | 45, 2), put(&tail, 45, 2), put(&tail, 0, 8);
        put(&tail, zip->nfiles, 8), put(&tail, zip->nfiles, 8);
        put(&tail, len, 8), put(&tail, start, 8);
        put(&tail, 0x07064b50, 4), put(&tail, 0, 4), put(&tail, start + len, 8), put(&tail, 1, 4);
    }
    put(&tail, 0x06054b50, 4), put(&tail, 0, 4);
    put(&tail, big ? 0xffff : zip->nfiles, 2), put(&tail, big ? 0xffff : zip->nfiles, 2);
    put(&tail, big ? 0xffffffff : len, 4), put(&tail, big ? 0xffffffff : start, 4);
    put(&tail, 0, 2);
    emit(zip, tail.at, tail.len);
    buf_free(&tail);
}

static void free_zip(struct zip *zip)
{
    buf_free(&zip->directory);
    free(zip->path);
    free(zip->temporary);
    free(zip);
}

void zip_abandon(struct zip *zip)
{
    fclose(zip->out);
    unlink(zip->temporary);
    free_zip(zip);
}

bool zip_close(struct zip *zip)
{
    end_directory(zip);
    if (fclose(zip->out) != 0)
        note_error(zip);
    int error = zip->error;
    if (!error && rename(zip->temporary, zip->path) != 0)
        error = errno;
    if (error)
        unlink(zip->temporary);
    free_zip(zip);
    errno = error;
    return !error;
}
