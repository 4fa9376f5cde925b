// SPDX-License-Identifier: MIT
/* Files that open() gives: text or binary, over stdio. In text mode line ends are translated as
 * they are read (newline=None): what stdio delivered and has not been handed out yet stands in
 * `pending`. */
#include "python/file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fs.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "python/builtins.h"
#include "python/str.h"
#include "python/types.h"
#include "python/vm_state.h"

enum newline { NEWLINE_ANY, NEWLINE_KEEP, NEWLINE_LF, NEWLINE_CR, NEWLINE_CRLF };

struct file {
    struct object object;
    FILE *stream;       /* owned; NULL: closed, or standard output */
    value name, mode;   /* str */
    value encoded;      /* str: the encoding as open() was told it */
    value buffer;       /* of a standard stream: the same for bytes, once it was asked for */
    char *errors;       /* owned, or NULL: strict */
    struct buf pending; /* translated text */
    uint8_t encoding, newline;
    uint8_t standard; /* 1 stdout, 2 stderr: by way of the vm */
    bool binary, readable, writable, closed;
    bool mark; /* the encoding has a byte order mark, and nothing was read or written yet */
    value attrs;
};

static struct file *as_file(value v)
{
    return (struct file *)as_object(v);
}

/* Of an open file against the heap's budget: one that is dropped without close() is closed by a
 * sweep, which must come before the process has too many. */
enum { FILE_WEIGHT = 64 << 10 };

static bool check_open(struct vm *vm, const struct file *file)
{
    return !file->closed || vm_raise(vm, "ValueError", "I/O operation on closed file.");
}

static bool check_readable(struct vm *vm, const struct file *file)
{
    if (!check_open(vm, file))
        return false;
    return file->readable || vm_raise(vm, "OSError", "not readable");
}

static bool check_writable(struct vm *vm, const struct file *file)
{
    if (!check_open(vm, file))
        return false;
    return file->writable || vm_raise(vm, "OSError", "not writable");
}

/* ---- opening ---- */

struct mode {
    char what; /* r w a x */
    bool plus, binary, text;
};

static bool parse_mode(struct vm *vm, const char *text, struct mode *mode)
{
    int whats = 0;
    *mode = (struct mode){0};
    for (const char *p = text; *p; p++) {
        if (strchr("rwax", *p)) {
            mode->what = *p;
            whats++;
        } else if (*p == '+' && !mode->plus) {
            mode->plus = true;
        } else if (*p == 'b' && !mode->binary) {
            mode->binary = true;
        } else if (*p == 't' && !mode->text) {
            mode->text = true;
        } else {
            return vm_raise(vm, "ValueError", "invalid mode: '%s'", text);
        }
    }
    if (mode->text && mode->binary)
        return vm_raise(vm, "ValueError", "can't have text and binary mode at once");
    if (whats != 1)
        return vm_raise(vm, "ValueError",
                        whats || mode->plus
                            ? "must have exactly one of create/read/write/append mode"
                            : "Must have exactly one of create/read/write/append mode and at "
                              "most one plus");
    return true;
}

static FILE *open_stream(const char *path, const struct mode *mode)
{
    char how[6] = {mode->what == 'x' ? 'w' : mode->what}, *p = how + 1;
    struct stat st;
    if (mode->plus)
        *p++ = '+';
    if (mode->what == 'x')
        *p++ = 'x';
    *p = 'e';
    FILE *stream = fopen(path, how);
    if (stream && !fstat(fileno(stream), &st) && S_ISDIR(st.st_mode)) {
        fclose(stream);
        errno = EISDIR;
        return NULL;
    }
    return stream;
}

static value wrap(struct vm *vm, FILE *stream, value name, const struct mode *mode,
                  const char *text)
{
    struct file *file = object_new(vm, &type_file);
    file->stream = stream;
    file->name = name;
    file->mode = str_from(vm, text);
    file->binary = mode->binary;
    file->readable = mode->what == 'r' || mode->plus;
    file->writable = mode->what != 'r' || mode->plus;
    file->encoding = ENCODING_UTF8;
    file->encoded = str_from(vm, "UTF-8");
    heap_owns(vm, FILE_WEIGHT);
    return from_object(file);
}

static bool check_text_options(struct vm *vm, const struct mode *mode, const char *encoding,
                               const char *errors, const char *newline)
{
    const char *what = encoding  ? "an encoding"
                       : errors  ? "an errors"
                       : newline ? "a newline"
                                 : NULL;
    if (mode->binary && what)
        return vm_raise(vm, "ValueError", "binary mode doesn't take %s argument", what);
    if (newline && *newline && strcmp(newline, "\n") && strcmp(newline, "\r") &&
        strcmp(newline, "\r\n"))
        return vm_raise(vm, "ValueError", "illegal newline value: %s", newline);
    return true;
}

/* That of what comes next. */
static enum encoding encoding_now(struct file *file)
{
    bool mark = file->mark;
    file->mark = false;
    return mark ? (enum encoding)file->encoding
                : encoding_without_mark((enum encoding)file->encoding);
}

/* A text whose characters are neither bytes nor UTF-8 is read as a whole and then stands in memory
 * as UTF-8. */
static bool convert_stream(struct vm *vm, struct file *file)
{
    struct buf bytes = {0}, text = {0};
    bool fine = fs_read_all(fileno(file->stream), &bytes) || vm_raise_errno(vm, errno, NULL);
    fine = fine && decode_bytes(vm, bytes.at, bytes.len, encoding_now(file), file->errors, &text);
    FILE *memory = fine ? fmemopen(NULL, text.len + 1, "w+") : NULL;
    if (fine &&
        (!memory || fwrite(buf_text(&text), 1, text.len, memory) != text.len || fflush(memory)))
        fine = vm_raise_errno(vm, errno, NULL);
    if (memory) {
        rewind(memory);
        fclose(file->stream);
        file->stream = memory;
        file->encoding = ENCODING_UTF8;
    }
    buf_free(&bytes);
    buf_free(&text);
    return fine;
}

static enum newline newline_of(const char *newline)
{
    if (!newline || !*newline)
        return newline ? NEWLINE_KEEP : NEWLINE_ANY;
    return *newline == '\n' ? NEWLINE_LF : newline[1] ? NEWLINE_CRLF : NEWLINE_CR;
}

static bool set_encoding(struct vm *vm, struct file *file, enum encoding encoding)
{
    bool wide = encoding_width(encoding) == WIDTH_OTHER;
    file->encoding = (uint8_t)encoding;
    file->mark = encoding_has_mark(encoding) &&
                 !(file->writable && !fseeko(file->stream, 0, SEEK_END) &&
                   ftello(file->stream) > 0);
    if (wide && file->readable && file->writable)
        return vm_raise(vm, "OSError", "a file in %s can be read or written, not both",
                        encoding_name(encoding));
    return !wide || !file->readable || convert_stream(vm, file);
}

/* open(path, mode, encoding="utf-8"): as the builtin; NO_VALUE: raised. */
static value file_open(struct vm *vm, value path, const char *mode_text, const char *encoding,
                       const char *errors, const char *newline)
{
    struct mode mode;
    enum encoding how = ENCODING_UTF8;
    struct args one = {&path, 1, &builtins_file[0], NULL};
    if (!parse_mode(vm, mode_text, &mode) ||
        !check_text_options(vm, &mode, encoding, errors, newline))
        return NO_VALUE;
    if (encoding && !(how = encoding_find(vm, encoding)))
        return NO_VALUE;
    int64_t fd = -1;
    const char *name = is_small(path) ? NULL : arg_path(vm, &one, 0);
    if (name ? is_str(path) && !str_whole(vm, path) : !int_get(path, &fd))
        return NO_VALUE;
    fflush(stdout); /* what the file's other readers see comes after what was printed */
    char how_open[] = {mode.what == 'x' ? 'w' : mode.what, mode.plus ? '+' : 0, 0};
    FILE *stream = name ? open_stream(name, &mode) : fdopen((int)fd, how_open);
    if (!stream)
        return vm_raise_errno(vm, errno, name ? name : "");
    if (mode.what == 'a') /* glibc is there by itself */
        fseeko(stream, 0, SEEK_END);
    value v = wrap(vm, stream, name ? str_from(vm, name) : path, &mode, mode_text);
    struct file *file = as_file(v);
    file->errors = errors ? memory_text(errors) : NULL;
    file->newline = newline_of(newline);
    if (encoding)
        file->encoded = str_from(vm, encoding);
    return set_encoding(vm, file, how) ? v : NO_VALUE;
}

static const char *optional_text(struct vm *vm, const struct args *args, int i)
{
    return arg_given(args, i) && args->at[i] != VALUE_NONE ? arg_text(vm, args, i, NULL) : NULL;
}

static value builtin_open(struct vm *vm, const struct args *args)
{
    const char *mode = optional_text(vm, args, 1), *encoding = optional_text(vm, args, 3);
    const char *errors = optional_text(vm, args, 4), *newline = optional_text(vm, args, 5);
    if (vm->error)
        return NO_VALUE;
    return file_open(vm, args->at[0], mode ? mode : "r", encoding, errors, newline);
}

static value builtin_input(struct vm *vm, const struct args *args)
{
    char *line = NULL;
    size_t cap = 0;
    if (arg_given(args, 0)) {
        value text = value_str(vm, args->at[0]);
        if (!text)
            return NO_VALUE;
        fputs(str_text(text), stdout);
        fflush(stdout);
    }
    ssize_t len = getline(&line, &cap, stdin);
    value v = len < 0 ? vm_raise(vm, "EOFError", "EOF when reading a line")
                      : str_new(vm, line, (size_t)len - (len && line[len - 1] == '\n'));
    free(line);
    return v;
}

const struct native_def builtins_file[] = {
    {"open", builtin_open,
     "file mode='r' buffering=-1 encoding=None errors=None newline=None closefd=True opener=None",
     "Opens a file."},
    {"input", builtin_input, "prompt= /", "A line from standard input."},
    {0}};

static value standard(struct vm *vm, int number, bool binary)
{
    static const char *const names[] = {"<stdin>", "<stdout>", "<stderr>"};
    struct mode mode = {.what = number ? 'w' : 'r', .binary = binary};
    value v = wrap(vm, number ? NULL : stdin, str_from(vm, names[number]), &mode,
                   number ? "w" : "r");
    as_file(v)->standard = (uint8_t)number;
    return v;
}

value file_standard(struct vm *vm, int number)
{
    return standard(vm, number, false);
}

/* ---- reading ---- */

static value give(struct vm *vm, struct file *file, const char *bytes, size_t len)
{
    struct buf out = {0};
    if (file->binary)
        return bytes_new(vm, bytes, len);
    if (file->encoding == ENCODING_UTF8 && text_is_ascii(bytes, len))
        return str_sized(vm, bytes, len, len);
    if (!decode_bytes(vm, bytes, len, encoding_now(file), file->errors, &out)) {
        buf_free(&out);
        return NO_VALUE;
    }
    return str_take(vm, &out);
}

/* \r\n and \r become \n in place; the new length. */
static size_t translate(char *at, size_t len)
{
    char *to = memchr(at, '\r', len);
    if (!to)
        return len;
    for (const char *p = to, *end = at + len; p < end; p++) {
        if (*p == '\r' && p + 1 < end && p[1] == '\n')
            continue;
        *to++ = *p == '\r' ? '\n' : *p;
    }
    return (size_t)(to - at);
}

/* Moves one stdio line into pending; false at the end of the file. */
static bool fill_line(struct file *file)
{
    char *line = NULL;
    size_t cap = 0;
    ssize_t len = file->stream ? getline(&line, &cap, file->stream) : -1;
    if (len > 0) {
        size_t n = file->binary || file->newline != NEWLINE_ANY ? (size_t)len
                                                                : translate(line, (size_t)len);
        buf_add(&file->pending, line, n);
    }
    free(line);
    return len > 0;
}

static void drop_pending(struct file *file, size_t n)
{
    memmove(file->pending.at, file->pending.at + n, file->pending.len - n);
    file->pending.len -= n;
}

static value read_line(struct vm *vm, struct file *file)
{
    if (!file->pending.len && !fill_line(file))
        return give(vm, file, "", 0);
    const char *end = memchr(file->pending.at, '\n', file->pending.len);
    size_t n = end ? (size_t)(end - file->pending.at) + 1 : file->pending.len;
    value v = give(vm, file, file->pending.at, n);
    drop_pending(file, n);
    return v;
}

static value read_all(struct vm *vm, struct file *file)
{
    struct buf all = {0};
    buf_add(&all, buf_text(&file->pending), file->pending.len);
    file->pending.len = 0;
    size_t start = all.len, n;
    do {
        char *to = buf_room(&all, 1 << 16);
        n = file->stream ? fread(to, 1, 1 << 16, file->stream) : 0;
        all.len += n;
    } while (n);
    if (!file->binary && file->newline == NEWLINE_ANY)
        all.len = start + translate(all.at + start, all.len - start);
    value v = give(vm, file, all.at, all.len);
    buf_free(&all);
    return v;
}

/* The byte order mark is not one of the characters that read(n) counts. */
static void skip_mark(struct file *file)
{
    if (!file->mark || (!file->pending.len && !fill_line(file)))
        return;
    drop_pending(file, utf8_mark_len(file->pending.at, file->pending.len));
    file->mark = false;
}

static value read_some(struct vm *vm, struct file *file, size_t want)
{
    size_t n = 0;
    bool bytewise = file->binary || encoding_width((enum encoding)file->encoding) == WIDTH_BYTE;
    skip_mark(file);
    for (;;) {
        size_t have = bytewise ? file->pending.len
                               : utf8_count(buf_text(&file->pending), file->pending.len);
        if (have >= want || !fill_line(file))
            break;
    }
    n = bytewise ? (want < file->pending.len ? want : file->pending.len)
                 : utf8_offset(buf_text(&file->pending), file->pending.len, want);
    value v = give(vm, file, buf_text(&file->pending), n);
    if (n)
        drop_pending(file, n);
    return v;
}

static value file_read(struct vm *vm, const struct args *args)
{
    struct file *file = as_file(args->at[0]);
    int64_t want = -1;
    if (!check_readable(vm, file))
        return NO_VALUE;
    if (arg_given(args, 1) && args->at[1] != VALUE_NONE && !arg_int(vm, args, 1, -1, &want))
        return NO_VALUE;
    return want < 0 ? read_all(vm, file) : read_some(vm, file, (size_t)want);
}

// file.readinto(buffer)
static value file_readinto(struct vm *vm, const struct args *args)
{
    struct file *file = as_file(args->at[0]);
    size_t room, len = 0;
    if (!file->binary)
        return raise_no_attribute(vm, args->at[0], intern_str(vm->names, "readinto"));
    if (!check_readable(vm, file) || !bytes_writable(vm, args->at[1], &room))
        return NO_VALUE;
    value bytes = read_some(vm, file, room);
    const char *from = bytes ? bytes_get(bytes, &len) : NULL;
    if (from)
        memcpy(bytes_writable(vm, args->at[1], &room), from, len);
    return from ? small((int64_t)len) : NO_VALUE;
}

static value file_readline(struct vm *vm, const struct args *args)
{
    struct file *file = as_file(args->at[0]);
    return check_readable(vm, file) ? read_line(vm, file) : NO_VALUE;
}

static value file_next(struct vm *vm, value self)
{
    struct file *file = as_file(self);
    size_t len;
    value line = check_readable(vm, file) ? read_line(vm, file) : NO_VALUE;
    return line && value_len(vm, line, &len) && len ? line : NO_VALUE;
}

static value file_iter(struct vm *vm, value self)
{
    return check_open(vm, as_file(self)) ? self : NO_VALUE;
}

static value file_readlines(struct vm *vm, const struct args *args)
{
    value list = list_new(vm, NULL, 0);
    for (value line; (line = file_next(vm, args->at[0]));)
        list_push(vm, list, line);
    return vm->error ? NO_VALUE : list;
}

/* ---- writing ---- */

static bool put(struct vm *vm, struct file *file, const char *bytes, size_t len)
{
    if (file->standard) {
        if (file->standard == 2 && !vm->options.write)
            fflush(stdout); /* what was printed before stands before it, also in a file */
        if (vm->options.write)
            vm->options.write(vm->options.user, file->standard == 2, bytes, len);
        else
            fwrite(bytes, 1, len, file->standard == 2 ? stderr : stdout);
        return true;
    }
    vm->unsettled = true;
    if (fwrite(bytes, 1, len, file->stream) == len)
        return true;
    return vm_raise_errno(vm, errno, is_str(file->name) ? str_text(file->name) : "");
}

static bool write_value(struct vm *vm, struct file *file, value v)
{
    size_t len;
    if (file->binary) {
        const char *bytes = bytes_get(v, &len);
        return bytes ? put(vm, file, bytes, len) : (bool)raise_no_bytes(vm, v);
    }
    if (!is_str(v))
        return vm_raise(vm, "TypeError", "write() argument must be str, not %s", type_name(v));
    if ((file->newline == NEWLINE_CR || file->newline == NEWLINE_CRLF) &&
        memchr(str_text(v), '\n', as_str(v)->len)) {
        value ends[] = {str_from(vm, "\n"),
                        str_from(vm, file->newline == NEWLINE_CR ? "\r" : "\r\n")};
        if (!(v = vm_call_method(vm, v, "replace", ends, 2)))
            return false;
    }
    if (file->encoding == ENCODING_UTF8 &&
        (str_is_ascii(v) || utf8_valid(str_text(v), as_str(v)->len)))
        return put(vm, file, str_text(v), as_str(v)->len);
    struct buf out = {0};
    bool fine = encode_text(vm, str_text(v), as_str(v)->len, encoding_now(file),
                            file->standard ? "surrogateescape" : file->errors, &out) &&
                put(vm, file, buf_text(&out), out.len);
    buf_free(&out);
    return fine;
}

static value file_write(struct vm *vm, const struct args *args)
{
    struct file *file = as_file(args->at[0]);
    size_t len;
    if (!check_writable(vm, file) || !write_value(vm, file, args->at[1]) ||
        !value_len(vm, args->at[1], &len))
        return NO_VALUE;
    return small((int64_t)len);
}

static value file_writelines(struct vm *vm, const struct args *args)
{
    struct iter it;
    struct file *file = as_file(args->at[0]);
    if (!check_writable(vm, file) || !iter_open(vm, args->at[1], &it))
        return NO_VALUE;
    for (value line; (line = iter_next(vm, &it));)
        if (!write_value(vm, file, line))
            return NO_VALUE;
    return vm->error ? NO_VALUE : VALUE_NONE;
}

void file_settle(struct vm *vm)
{
    if (vm->unsettled)
        fflush(NULL);
    vm->unsettled = false;
}

/* ---- the rest ---- */

/* False with errno. */
static bool close_file(struct vm *vm, struct file *file)
{
    bool closed = !file->stream || file->stream == stdin || !fclose(file->stream);
    int error = errno;
    if (file->stream)
        heap_owns(vm, -FILE_WEIGHT);
    file->stream = NULL;
    file->closed = true;
    buf_free(&file->pending);
    free(file->errors);
    file->errors = NULL;
    errno = error;
    return closed;
}

static value file_close(struct vm *vm, const struct args *args)
{
    struct file *file = as_file(args->at[0]);
    if (file->closed || close_file(vm, file))
        return VALUE_NONE;
    return vm_raise_errno(vm, errno, is_str(file->name) ? str_text(file->name) : "");
}

static value file_flush(struct vm *vm, const struct args *args)
{
    struct file *file = as_file(args->at[0]);
    if (!check_open(vm, file))
        return NO_VALUE;
    if (file->stream && file->writable && fflush(file->stream))
        return vm_raise_errno(vm, errno, is_str(file->name) ? str_text(file->name) : "");
    if (file->standard && !vm->options.write)
        fflush(file->standard == 2 ? stderr : stdout);
    return VALUE_NONE;
}

static value file_enter(struct vm *vm, const struct args *args)
{
    return check_open(vm, as_file(args->at[0])) ? args->at[0] : NO_VALUE;
}

static value file_seek(struct vm *vm, const struct args *args)
{
    struct file *file = as_file(args->at[0]);
    int64_t offset, whence;
    if (!check_open(vm, file) || !arg_int(vm, args, 1, 0, &offset) ||
        !arg_int(vm, args, 2, 0, &whence))
        return NO_VALUE;
    if (!file->stream)
        return vm_raise(vm, "OSError", "underlying stream is not seekable");
    if (whence == 1)
        offset -= (int64_t)file->pending.len;
    file->pending.len = 0;
    if (fseeko(file->stream, offset, (int)whence))
        return vm_raise_errno(vm, errno, NULL);
    off_t now = ftello(file->stream);
    file->mark = !now && encoding_has_mark((enum encoding)file->encoding);
    return int_from(vm, now);
}

static value file_tell(struct vm *vm, const struct args *args)
{
    struct file *file = as_file(args->at[0]);
    if (!check_open(vm, file))
        return NO_VALUE;
    return int_from(vm, file->stream ? ftello(file->stream) - (int64_t)file->pending.len : 0);
}

static value file_truncate(struct vm *vm, const struct args *args)
{
    struct file *file = as_file(args->at[0]);
    int64_t size;
    if (!check_writable(vm, file) ||
        !arg_int(vm, args, 1, file->stream ? ftello(file->stream) : 0, &size))
        return NO_VALUE;
    if (!file->stream || fflush(file->stream) || ftruncate(fileno(file->stream), size))
        return vm_raise_errno(vm, errno, NULL);
    return int_from(vm, size);
}

static value file_fileno(struct vm *vm, const struct args *args)
{
    struct file *file = as_file(args->at[0]);
    return check_open(vm, file) ? small(file->stream ? fileno(file->stream) : file->standard)
                                : NO_VALUE;
}

static value file_isatty(struct vm *vm, const struct args *args)
{
    struct file *file = as_file(args->at[0]);
    return value_bool(isatty(file->stream ? fileno(file->stream) : file->standard));
}

static value file_readable(struct vm *vm, const struct args *args)
{
    return value_bool(as_file(args->at[0])->readable);
}

static value file_writable(struct vm *vm, const struct args *args)
{
    return value_bool(as_file(args->at[0])->writable);
}

static value file_seekable(struct vm *vm, const struct args *args)
{
    struct file *file = as_file(args->at[0]);
    return value_bool(file->stream && ftello(file->stream) >= 0);
}

static value file_name(struct vm *vm, const struct args *args)
{
    return as_file(args->at[0])->name;
}

static value file_mode(struct vm *vm, const struct args *args)
{
    return as_file(args->at[0])->mode;
}

static value file_closed(struct vm *vm, const struct args *args)
{
    return value_bool(as_file(args->at[0])->closed);
}

static value file_encoding(struct vm *vm, const struct args *args)
{
    return as_file(args->at[0])->encoded;
}

static bool check_standard(struct vm *vm, const struct file *file, const char *attribute)
{
    if (!file->binary && (file->standard || file->stream == stdin))
        return true;
    return vm_raise(vm, "AttributeError", "'%s' object has no attribute '%s'", type_file.name,
                    attribute);
}

// sys.stdout.buffer
static value file_buffer(struct vm *vm, const struct args *args)
{
    struct file *file = as_file(args->at[0]);
    if (!check_standard(vm, file, "buffer"))
        return NO_VALUE;
    if (!file->buffer)
        file->buffer = standard(vm, file->standard, true);
    return file->buffer;
}

// sys.stdout.reconfigure(...): it is UTF-8 anyway, and flushed in time
static value file_reconfigure(struct vm *vm, const struct args *args)
{
    return check_standard(vm, as_file(args->at[0]), "reconfigure") ? VALUE_NONE : NO_VALUE;
}

static value file_repr(struct vm *vm, value self)
{
    const struct file *file = as_file(self);
    value name = value_repr(vm, file->name);
    if (!name)
        return NO_VALUE;
    if (file->binary)
        return str_printf(vm, "<_io.Buffered%s name=%s>", file->writable ? "Writer" : "Reader",
                          str_text(name));
    return str_printf(vm, "<_io.TextIOWrapper name=%s mode='%s' encoding='%s'>", str_text(name),
                      str_text(file->mode), str_text(file->encoded));
}

static void file_mark(struct vm *vm, struct object *self)
{
    heap_mark(vm, ((struct file *)self)->name);
    heap_mark(vm, ((struct file *)self)->mode);
    heap_mark(vm, ((struct file *)self)->encoded);
    heap_mark(vm, ((struct file *)self)->buffer);
}

static void file_finish(struct vm *vm, struct object *self)
{
    close_file(vm, (struct file *)self);
}

static const struct native_def file_methods[] = {
    {"read", file_read, "self size=-1 /", "The rest, or so much of it."},
    {"readinto", file_readinto, "self buffer /", "Fills bytes; how many."},
    {"readline", file_readline, "self size=-1 /", "The next line."},
    {"readlines", file_readlines, "self hint=-1 /", "The remaining lines."},
    {"write", file_write, "self text /", "Writes."},
    {"writelines", file_writelines, "self lines /", "Writes one after the other."},
    {"close", file_close, "self", "Closes."},
    {"flush", file_flush, "self", "Hands to the system what was written."},
    {"seek", file_seek, "self offset whence=0 /", "Goes to a position."},
    {"tell", file_tell, "self", "The position."},
    {"truncate", file_truncate, "self size= /", "Cuts off."},
    {"fileno", file_fileno, "self", "The number of the open file."},
    {"isatty", file_isatty, "self", "Whether it is a terminal."},
    {"reconfigure", file_reconfigure, "self **options", "Of a standard stream: without effect."},
    {"readable", file_readable, "self", "Whether it was opened for reading."},
    {"writable", file_writable, "self", "Whether it was opened for writing."},
    {"seekable", file_seekable, "self", "Whether it has positions."},
    {"__enter__", file_enter, "self", "The file itself."},
    {"__exit__", file_close, "self *exc", "Closes."},
    {0}};

static const struct native_def file_properties[] = {
    {"name", file_name, "self", "As it was opened."},
    {"mode", file_mode, "self", "As it was opened."},
    {"closed", file_closed, "self", "Whether it was closed."},
    {"encoding", file_encoding, "self", "Of its text."},
    {"buffer", file_buffer, "self", "Of a standard stream: the same for bytes."},
    {0}};

const struct type type_file = {
    .object = {.type = &type_type},
    .name = "_io.TextIOWrapper",
    .base = &type_object,
    .size = sizeof(struct file),
    .attrs = offsetof(struct file, attrs),
    .methods = file_methods,
    .properties = file_properties,
    .mark = file_mark,
    .finish = file_finish,
    .repr = file_repr,
    .iter = file_iter,
    .next = file_next,
};
