// SPDX-License-Identifier: MIT
/* foreign.c: Snakemake's records and markers. */
#include "state/foreign.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fs.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/line.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/path.h"

enum { NAME_PART = 254, FORMAT_VERSION = 6, SPARES_MAX = 256 };

/* One of the two directories: the hashes of the names in it. */
struct folder {
    char *path; /* owned */
    bool listed;
    struct map names;
};

struct foreign {
    struct folder metadata, incomplete;
    char *spare_dir;      /* owned */
    uint32_t nspares;     /* files 0 ... nspares - 1 in it */
    bool has_spare_dir;   /* this process has made it */
    struct buf file;      /* the path last asked for */
    struct arena scratch; /* of one record */
};

static char *join(const char *dir, const char *name)
{
    struct arena scratch = {0};
    char *path = memory_text(path_join(&scratch, dir, name));
    arena_free(&scratch);
    return path;
}

struct foreign *foreign_new(const char *dir)
{
    struct foreign *foreign = memory_zeroed(1, sizeof *foreign);
    foreign->metadata.path = join(dir, ".snakemake/metadata");
    foreign->incomplete.path = join(dir, ".snakemake/incomplete");
    foreign->spare_dir = join(dir, ".snakemake/incomplete.spare");
    return foreign;
}

void foreign_free(struct foreign *foreign)
{
    if (!foreign)
        return;
    if (foreign->has_spare_dir)
        fs_remove_tree(foreign->spare_dir);
    free(foreign->spare_dir);
    free(foreign->metadata.path);
    free(foreign->incomplete.path);
    map_free(&foreign->metadata.names);
    map_free(&foreign->incomplete.names);
    buf_free(&foreign->file);
    arena_free(&foreign->scratch);
    free(foreign);
}

/* The name of an output's file below its directory, into out. */
static void name_of(struct buf *out, const char *output)
{
    struct buf code = {0};
    size_t at = 0;
    buf_base64(&code, output, strlen(output), true);
    for (; code.len - at > NAME_PART; at += NAME_PART) {
        buf_char(out, '@');
        buf_add(out, code.at + at, NAME_PART);
        buf_char(out, '/');
    }
    buf_str(out, buf_text(&code) + at);
    buf_free(&code);
}

static bool add_name(void *user, const char *path, bool is_dir)
{
    if (!is_dir)
        map_set(user, hash_key_of(path), 1);
    return true;
}

static bool is_empty(struct folder *folder)
{
    if (!folder->listed)
        fs_walk(folder->path, false, add_name, &folder->names, NULL);
    folder->listed = true;
    return !folder->names.len;
}

bool foreign_is_empty(struct foreign *foreign)
{
    return is_empty(&foreign->metadata) && is_empty(&foreign->incomplete);
}

/* The full path of an output's file in a folder (borrowed until the next call); *listed: it was
 * there when the folder was read. */
static const char *file_of(struct foreign *foreign, struct folder *folder, const char *output,
                           bool *listed)
{
    struct buf *file = &foreign->file;
    size_t start = strlen(folder->path) + 1;
    is_empty(folder);
    buf_reset(file);
    buf_str(file, folder->path);
    buf_char(file, '/');
    name_of(file, output);
    *listed = map_find(&folder->names, hash_key_of(buf_text(file) + start));
    return buf_text(file);
}

static const char *lines_of(const struct json *list, bool once, struct arena *in)
{
    struct buf lines = {0};
    const char *last = NULL;
    for (const struct json *item = json_first(list); item; item = item->next) {
        const char *text = json_text(item, "");
        if (!once || !last || strcmp(text, last))
            buf_printf(&lines, "%s%s", lines.len ? "\n" : "", text);
        last = text;
    }
    const char *text = arena_copy(in, buf_text(&lines), lines.len);
    buf_free(&lines);
    return text;
}

const char *foreign_lines(const struct json *list, struct arena *in)
{
    return lines_of(list, false, in);
}

const char *foreign_set(const struct json *list, struct arena *in)
{
    return lines_of(list, true, in);
}

/* A SHA-256 as Snakemake writes it, in our form; nothing for what is none. */
static void add_checksum(struct buf *out, const char *hex)
{
    uint8_t bytes[32] = {0};
    hex += strncmp(hex, "sha256:", 7) ? 0 : 7; /* older records lack the name of the method */
    for (int i = 0; i < 64; i++) {
        const char *digit = hex[i] ? strchr("0123456789abcdef", hex[i]) : NULL;
        if (!digit)
            return;
        bytes[i / 2] = (uint8_t)(bytes[i / 2] << 4 | (digit - "0123456789abcdef"));
    }
    buf_base64(out, bytes, sizeof bytes, true);
    out->len--; /* the padding */
}

/* {path: "sha256:..."}, a line each. */
const char *foreign_checksums(const struct json *dict, struct arena *in)
{
    struct buf lines = {0};
    for (const struct json *item = json_first(dict); item; item = item->next) {
        buf_printf(&lines, "%s%s\t", lines.len ? "\n" : "", item->key);
        add_checksum(&lines, json_text(item, ""));
    }
    const char *text = arena_copy(in, buf_text(&lines), lines.len);
    buf_free(&lines);
    return text;
}

/* -1: no sign of URL-safe base64. */
static int base64_value(char c)
{
    static const char signs[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const char *at = c ? strchr(signs, c) : NULL;
    return at ? (int)(at - signs) : -1;
}

const char *foreign_checksum_hex(struct arena *in, const char *checksum)
{
    enum { SIGNS = 43 }; /* of 32 bytes, without padding */
    struct buf hex = {0};
    uint32_t bits = 0;
    int nbits = 0;
    buf_str(&hex, "sha256:");
    for (int i = 0; i < SIGNS; i++) {
        int value = base64_value(checksum[i]);
        if (value < 0) {
            buf_free(&hex);
            return NULL;
        }
        bits = bits << 6 | (uint32_t)value;
        for (nbits += 6; nbits >= 8; nbits -= 8)
            buf_printf(&hex, "%02x", bits >> (nbits - 8) & 0xff);
    }
    const char *text = arena_copy(in, hex.at, hex.len);
    buf_free(&hex);
    return text;
}

const char *foreign_json_list(struct arena *in, const char *lines)
{
    struct buf out = {0};
    struct line line;
    buf_char(&out, '[');
    while (line_next(&lines, &line)) {
        buf_str(&out, out.len > 1 ? ", \"" : "\"");
        buf_json(&out, line.at, line.len);
        buf_char(&out, '"');
    }
    buf_char(&out, ']');
    const char *text = arena_copy(in, out.at, out.len);
    buf_free(&out);
    return text;
}

const char *foreign_json_checksums(struct arena *in, const char *lines)
{
    struct buf out = {0};
    struct line line;
    buf_char(&out, '{');
    while (line_next(&lines, &line)) {
        size_t path = strcspn(line.at, "\t");
        const char *hex = path < line.len ? foreign_checksum_hex(in, line.at + path + 1) : NULL;
        if (hex) {
            buf_str(&out, out.len > 1 ? ", \"" : "\"");
            buf_json(&out, line.at, path);
            buf_printf(&out, "\": \"%s\"", hex);
        }
    }
    buf_char(&out, '}');
    const char *text = arena_copy(in, out.at, out.len);
    buf_free(&out);
    return text;
}

static int64_t time_of(const struct json *seconds)
{
    double number = json_number(seconds, 0);
    if (!(number > 0 && number < 9e9))
        return 0;
    int64_t whole = (int64_t)number; /* apart, as a double has not the digits for both */
    return whole * 1000000000 + (int64_t)((number - (double)whole) * 1e9);
}

static const char *text_of(const struct json *top, const char *key, struct arena *in)
{
    return arena_str(in, json_text(json_get(top, key), ""));
}

bool foreign_read(struct foreign *foreign, const char *output, struct arena *in,
                  struct output_record *record)
{
    bool listed;
    size_t len;
    if (is_empty(&foreign->metadata))
        return false;
    const char *path = file_of(foreign, &foreign->metadata, output, &listed);
    if (!listed)
        return false;
    arena_reset(&foreign->scratch);
    const char *text = fs_read(&foreign->scratch, path, &len);
    /* One that is being written, or was cut off, counts as none, as it does for Snakemake. */
    const struct json *top = text ? json_parse(&foreign->scratch, text, len, NULL) : NULL;
    if (json_int(json_get(top, "record_format_version"), 0) < FORMAT_VERSION)
        return false;
    *record = (struct output_record){
        .path = record->path,
        .rule = text_of(top, "rule", in),
        .code = text_of(top, "code", in),
        .params = foreign_set(json_get(top, "params"), in),
        .inputs = foreign_lines(json_get(top, "input"), in),
        .software = text_of(top, "software_stack_hash", in),
        .shell = text_of(top, "shellcmd", in),
        .log = foreign_lines(json_get(top, "log"), in),
        .checksums = foreign_checksums(json_get(top, "input_checksums"), in),
        .start_ns = time_of(json_get(top, "starttime")),
        .end_ns = time_of(json_get(top, "endtime")),
        .foreign = true,
    };
    return true;
}

/* An empty text is one that is not known: Snakemake compares nothing then. */
static void add_text(struct buf *out, const char *key, const char *text)
{
    buf_printf(out, ", \"%s\": ", key);
    if (*text)
        buf_json_text(out, text);
    else
        buf_str(out, "null");
}

static void record_text(struct arena *in, const struct output_record *record, struct buf *out)
{
    buf_printf(out, "{\"record_format_version\": %d", FORMAT_VERSION);
    add_text(out, "rule", record->rule);
    add_text(out, "code", *record->shell ? record->code : ""); /* else it has a text of its own */
    add_text(out, "shellcmd", record->shell);
    add_text(out, "software_stack_hash", record->software);
    buf_printf(out, ", \"input\": %s, \"log\": %s, \"params\": %s, \"input_checksums\": %s",
               foreign_json_list(in, record->inputs), foreign_json_list(in, record->log),
               foreign_json_list(in, record->params),
               foreign_json_checksums(in, record->checksums));
    buf_printf(
        out,
        ", \"conda_env\": null, \"container_img_url\": null, \"job_hash\": 0, \"starttime\": "
        "%.6f, \"endtime\": %.6f, \"incomplete\": false, \"external_jobid\": null}",
        (double)record->start_ns * 1e-9, (double)record->end_ns * 1e-9);
}

void foreign_renew(struct foreign *foreign, const char *output, const struct output_record *record)
{
    bool listed;
    struct buf text = {0};
    const char *path = file_of(foreign, &foreign->metadata, output, &listed);
    if (!listed || unlink(path))
        return;
    arena_reset(&foreign->scratch);
    record_text(&foreign->scratch, record, &text);
    fs_write_new(path, buf_text(&text), text.len);
    buf_free(&text);
}

bool foreign_knows(struct foreign *foreign, const char *output)
{
    bool listed = false;
    if (!is_empty(&foreign->metadata))
        file_of(foreign, &foreign->metadata, output, &listed);
    return listed;
}

void foreign_forget(struct foreign *foreign, const char *output)
{
    bool listed;
    if (is_empty(&foreign->metadata))
        return;
    const char *path = file_of(foreign, &foreign->metadata, output, &listed);
    if (listed)
        unlink(path);
}

int64_t foreign_marked(struct foreign *foreign, const char *output)
{
    bool listed;
    struct stat st;
    if (is_empty(&foreign->incomplete))
        return 0;
    const char *path = file_of(foreign, &foreign->incomplete, output, &listed);
    return listed && !stat(path, &st) ? fs_mtime(&st) : 0;
}

static const char *spare_path(struct foreign *foreign, uint32_t number)
{
    arena_reset(&foreign->scratch);
    return arena_printf(&foreign->scratch, "%s/%u", foreign->spare_dir, number);
}

/* A marker that has done its work becomes this one, as if new. */
static bool use_spare(struct foreign *foreign, const char *path)
{
    if (!foreign->nspares)
        return false;
    const char *spare = spare_path(foreign, --foreign->nspares);
    return fs_touch(spare, 0, false) && !rename(spare, path);
}

/* Puts a marker among the spare ones; what a process that was killed has left there goes. */
static bool keep_spare(struct foreign *foreign, const char *path)
{
    if (foreign->nspares >= SPARES_MAX)
        return false;
    if (!foreign->has_spare_dir) {
        fs_remove_tree(foreign->spare_dir);
        foreign->has_spare_dir = !mkdir(foreign->spare_dir, 0777);
    }
    if (!foreign->has_spare_dir || rename(path, spare_path(foreign, foreign->nspares)))
        return false;
    foreign->nspares++;
    return true;
}

static bool make_marker(const char *path)
{
    static const char content[] = "{\"external_jobid\": null}";
    enum { FLAGS = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC };
    int fd = open(path, FLAGS, 0660);
    if (fd < 0 && errno == ENOENT && fs_make_parent(path))
        fd = open(path, FLAGS, 0660);
    if (fd < 0)
        return false;
    bool good = write(fd, content, sizeof content - 1) == (ssize_t)sizeof content - 1;
    return !close(fd) && good;
}

bool foreign_mark(struct foreign *foreign, const char *output)
{
    bool listed;
    const char *path = file_of(foreign, &foreign->incomplete, output, &listed);
    bool good = use_spare(foreign, path) || make_marker(path);
    map_set(&foreign->incomplete.names, hash_key_of(path + strlen(foreign->incomplete.path) + 1),
            1);
    return good;
}

void foreign_unmark(struct foreign *foreign, const char *output)
{
    bool listed;
    const char *path = file_of(foreign, &foreign->incomplete, output, &listed);
    bool nested = strchr(path + strlen(foreign->incomplete.path), '@');
    if (listed && ((!nested && keep_spare(foreign, path)) || !unlink(path)) && nested)
        rmdir(path_dirname(&foreign->scratch, path));
}
