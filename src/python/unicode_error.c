// SPDX-License-Identifier: MIT
/* UnicodeEncodeError(encoding, object, start, end, reason), UnicodeDecodeError of the same and
 * UnicodeTranslateError without an encoding: their arguments are attributes that may be set, and
 * their str is made of those. */
#include "python/unicode_error.h"

#include <string.h>

#include "base/utf8.h"
#include "python/bytes.h"
#include "python/str.h"
#include "python/types.h"
#include "python/vm_state.h"

static const char *const fields[] = {"encoding", "object", "start", "end", "reason"};

/* How many of the fields a class leaves out in front; -1: it has none, as UnicodeError itself. */
static int left_out(struct vm *vm, value exception)
{
    if (exception_is(vm, exception, "UnicodeTranslateError"))
        return 1;
    bool has = exception_is(vm, exception, "UnicodeEncodeError") ||
               exception_is(vm, exception, "UnicodeDecodeError");
    return has ? 0 : -1;
}

static bool check_field(struct vm *vm, value exception, int field, int place, value given)
{
    int64_t number;
    size_t len;
    if (field == 2 || field == 3) {
        if (int_get(given, &number))
            return true;
        return vm_raise(vm, "TypeError", "'%s' object cannot be interpreted as an integer",
                        type_name(given));
    }
    if (field == 1 && exception_is(vm, exception, "UnicodeDecodeError"))
        return bytes_get(given, &len) ||
               vm_raise(vm, "TypeError", "a bytes-like object is required, not '%s'",
                        type_name(given));
    return is_str(given) ||
           vm_raise(vm, "TypeError", "argument %d must be str, not %s", place, type_name(given));
}

bool unicode_error_fill(struct vm *vm, value exception)
{
    struct exception *e = as_exception(exception);
    int from = left_out(vm, exception);
    size_t n;
    const value *args = sequence_items(e->args, &n);
    if (from < 0)
        return true;
    if (n != (size_t)(5 - from))
        return vm_raise(vm, "TypeError", "function takes exactly %d arguments (%zu given)",
                        5 - from, n);
    for (int i = from; i < 5; i++) {
        if (!check_field(vm, exception, i, i - from + 1, args[i - from]))
            return false;
        value_set_attr(vm, exception, intern_str(vm->names, fields[i]), args[i - from]);
    }
    return true;
}

/* One field as a number; false: it is none, any more. */
static bool number_of(struct vm *vm, value attrs, const char *name, int64_t *out)
{
    value v = dict_get_str(vm, attrs, name);
    return v && int_get(v, out) && *out >= 0;
}

/* " byte 0xff", " character '\\xe9'": the one thing that is meant; false: there is none there. */
static bool describe_one(value object, int64_t at, char *out, size_t room)
{
    size_t len;
    const char *bytes = bytes_get(object, &len);
    if (bytes && (size_t)at < len)
        return snprintf(out, room, "byte 0x%02x", (unsigned char)bytes[at]);
    if (!is_str(object) || at >= as_str(object)->count)
        return false;
    const char *p = str_text(object), *end = p + as_str(object)->len;
    uint32_t cp = 0;
    for (int64_t i = 0; i <= at; i++)
        cp = utf8_next(&p, end);
    return snprintf(out, room,
                    cp < 0x100     ? "character '\\x%02x'"
                    : cp < 0x10000 ? "character '\\u%04x'"
                                   : "character '\\U%08x'",
                    cp);
}

value unicode_error_str(struct vm *vm, value exception)
{
    value attrs = as_exception(exception)->attrs;
    value object = attrs ? dict_get_str(vm, attrs, "object") : NO_VALUE;
    int from = left_out(vm, exception);
    int64_t start, end;
    char one[32];
    if (from < 0 || !object || !number_of(vm, attrs, "start", &start) ||
        !number_of(vm, attrs, "end", &end))
        return NO_VALUE;
    value reason = value_str(vm, dict_get_str(vm, attrs, "reason"));
    value codec = from ? NO_VALUE : value_str(vm, dict_get_str(vm, attrs, "encoding"));
    if (!reason || (!codec && !from))
        return NO_VALUE;
    bool decode = exception_is(vm, exception, "UnicodeDecodeError");
    struct buf text = {0};
    if (codec)
        buf_printf(&text, "'%s' codec ", str_text(codec));
    buf_printf(&text, "can't %s ", from ? "translate" : decode ? "decode" : "encode");
    if (end == start + 1 && describe_one(object, start, one, sizeof one))
        buf_printf(&text, "%s in position %lld: ", one, (long long)start);
    else
        buf_printf(&text, "%s in position %lld-%lld: ", decode ? "bytes" : "characters",
                   (long long)start, (long long)end - 1);
    buf_str(&text, str_text(reason));
    return str_take(vm, &text);
}

static value raise_error(struct vm *vm, const char *class_name, struct codec_fault fault,
                         value object, size_t start, size_t end)
{
    value class = dict_get_str(vm, from_object(vm->builtins), class_name);
    value args[] = {str_from(vm, fault.codec), object, small((int64_t)start), small((int64_t)end),
                    str_from(vm, fault.why)};
    value exception = vm_call(vm, class, args, 5, NO_VALUE);
    return exception ? vm_raise_value(vm, exception) : NO_VALUE;
}

value raise_encode_error(struct vm *vm, struct codec_fault fault, size_t start, size_t end)
{
    return raise_error(vm, "UnicodeEncodeError", fault, str_new(vm, fault.of, fault.len), start,
                       end);
}

value raise_decode_error(struct vm *vm, struct codec_fault fault, size_t start, size_t end)
{
    return raise_error(vm, "UnicodeDecodeError", fault, bytes_new(vm, fault.of, fault.len), start,
                       end);
}
