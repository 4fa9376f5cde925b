// SPDX-License-Identifier: MIT
/* Methods of bytes that ask what bytes look like or bring them into another shape: classes and case
 * of ASCII letters, padding, cutting, translating. */
#include "python/bytes_shape.h"

#include <ctype.h>
#include <string.h>

#include "python/bytes.h"
#include "python/vm.h"

static value part(struct vm *vm, struct text text, size_t from, size_t to)
{
    return bytes_new(vm, text.at + from, to - from);
}

/* ---- what they look like ---- */

static bool ascii(char c)
{
    return !(c & 0x80);
}

static value all_of(const struct args *args, int (*is)(int))
{
    struct text self = bytes_text(args->at[0]);
    for (size_t i = 0; i < self.len; i++)
        if (!ascii(self.at[i]) || !is(self.at[i]))
            return VALUE_FALSE;
    return value_bool(self.len);
}

static value bytes_isalpha(struct vm *vm, const struct args *args)
{
    return all_of(args, isalpha);
}

static value bytes_isalnum(struct vm *vm, const struct args *args)
{
    return all_of(args, isalnum);
}

static value bytes_isdigit(struct vm *vm, const struct args *args)
{
    return all_of(args, isdigit);
}

static value bytes_isspace(struct vm *vm, const struct args *args)
{
    return all_of(args, isspace);
}

static value bytes_isascii(struct vm *vm, const struct args *args)
{
    struct text self = bytes_text(args->at[0]);
    for (size_t i = 0; i < self.len; i++)
        if (!ascii(self.at[i]))
            return VALUE_FALSE;
    return VALUE_TRUE;
}

/* Whether there are letters and all of them are so. */
static value all_letters(const struct args *args, int (*is)(int))
{
    struct text self = bytes_text(args->at[0]);
    bool any = false;
    for (size_t i = 0; i < self.len; i++) {
        if (!ascii(self.at[i]) || !isalpha(self.at[i]))
            continue;
        if (!is(self.at[i]))
            return VALUE_FALSE;
        any = true;
    }
    return value_bool(any);
}

static value bytes_isupper(struct vm *vm, const struct args *args)
{
    return all_letters(args, isupper);
}

static value bytes_islower(struct vm *vm, const struct args *args)
{
    return all_letters(args, islower);
}

static value bytes_istitle(struct vm *vm, const struct args *args)
{
    struct text self = bytes_text(args->at[0]);
    bool any = false, inside = false;
    for (size_t i = 0; i < self.len; i++) {
        bool letter = ascii(self.at[i]) && isalpha(self.at[i]);
        if (letter && inside == (bool)isupper(self.at[i]))
            return VALUE_FALSE;
        any = any || letter;
        inside = letter;
    }
    return value_bool(any);
}

/* ---- case ---- */

enum recase { LOWER, UPPER, SWAP, TITLE, CAPITAL };

static value recased(struct vm *vm, const struct args *args, enum recase how)
{
    struct text self = bytes_text(args->at[0]);
    struct buf out = {0};
    bool inside = false; /* behind a letter, or for CAPITAL behind the first byte */
    for (size_t i = 0; i < self.len; i++) {
        char c = self.at[i];
        bool letter = ascii(c) && isalpha(c);
        bool up = how == UPPER || (how == SWAP && letter && islower(c)) ||
                  (how >= TITLE && !inside);
        buf_char(&out, !letter ? c : (char)(up ? toupper(c) : tolower(c)));
        inside = how == CAPITAL || letter;
    }
    return bytes_take(vm, &out);
}

static value bytes_lower(struct vm *vm, const struct args *args)
{
    return recased(vm, args, LOWER);
}

static value bytes_upper(struct vm *vm, const struct args *args)
{
    return recased(vm, args, UPPER);
}

static value bytes_swapcase(struct vm *vm, const struct args *args)
{
    return recased(vm, args, SWAP);
}

static value bytes_title(struct vm *vm, const struct args *args)
{
    return recased(vm, args, TITLE);
}

static value bytes_capitalize(struct vm *vm, const struct args *args)
{
    return recased(vm, args, CAPITAL);
}

/* ---- padding ---- */

static value padded(struct vm *vm, struct text self, int64_t left, int64_t right, char fill)
{
    struct buf out = {0};
    left = left < 0 ? 0 : left;
    right = right < 0 ? 0 : right;
    if (left + right > UINT32_MAX)
        return vm_raise(vm, "MemoryError", "the bytes are too long");
    buf_repeat(&out, &fill, 1, (size_t)left);
    buf_add(&out, self.at, self.len);
    buf_repeat(&out, &fill, 1, (size_t)right);
    return bytes_take(vm, &out);
}

/* width and fillbyte. */
static bool pad_args(struct vm *vm, const struct args *args, int64_t *missing, char *fill)
{
    struct text piece = {" ", 1};
    int64_t width;
    if (!arg_int(vm, args, 1, 0, &width))
        return false;
    if (arg_given(args, 2) && (!(piece.at = bytes_get(args->at[2], &piece.len)) || piece.len != 1))
        return vm_raise(vm, "TypeError",
                        "%s() argument 2 must be a byte string of length 1, not %s",
                        args->def->name, type_name(args->at[2]));
    *fill = *piece.at;
    *missing = width - (int64_t)bytes_text(args->at[0]).len;
    return true;
}

static value bytes_ljust(struct vm *vm, const struct args *args)
{
    int64_t missing;
    char fill;
    return pad_args(vm, args, &missing, &fill)
               ? padded(vm, bytes_text(args->at[0]), 0, missing, fill)
               : NO_VALUE;
}

static value bytes_rjust(struct vm *vm, const struct args *args)
{
    int64_t missing;
    char fill;
    return pad_args(vm, args, &missing, &fill)
               ? padded(vm, bytes_text(args->at[0]), missing, 0, fill)
               : NO_VALUE;
}

static value bytes_center(struct vm *vm, const struct args *args)
{
    int64_t missing;
    char fill;
    if (!pad_args(vm, args, &missing, &fill))
        return NO_VALUE;
    int64_t width = missing + (int64_t)bytes_text(args->at[0]).len;
    int64_t left = missing > 0 ? missing / 2 + (missing & width & 1) : 0;
    return padded(vm, bytes_text(args->at[0]), left, missing - left, fill);
}

static value bytes_zfill(struct vm *vm, const struct args *args)
{
    struct text self = bytes_text(args->at[0]);
    int64_t width;
    if (!arg_int(vm, args, 1, 0, &width))
        return NO_VALUE;
    size_t sign = self.len && (*self.at == '+' || *self.at == '-');
    value v = padded(vm, self, width - (int64_t)self.len, 0, '0');
    size_t len;
    char *at = v ? (char *)bytes_get(v, &len) : NULL; /* nobody else has seen it yet */
    if (at && sign && len > self.len) {
        at[len - self.len] = '0';
        *at = *self.at;
    }
    return v;
}

static value bytes_expandtabs(struct vm *vm, const struct args *args)
{
    struct text self = bytes_text(args->at[0]);
    struct buf out = {0};
    int64_t size, column = 0;
    if (!arg_int(vm, args, 1, 8, &size))
        return NO_VALUE;
    if (size > INT32_MAX)
        return vm_raise(vm, "OverflowError", "Python int too large to convert to C int");
    for (size_t i = 0; i < self.len; i++) {
        char c = self.at[i];
        if (c != '\t') {
            buf_char(&out, c);
            column = c == '\n' || c == '\r' ? 0 : column + 1;
            continue;
        }
        for (int64_t n = size > 0 ? size - column % size : 0; n > 0; n--, column++)
            buf_char(&out, ' ');
    }
    return bytes_take(vm, &out);
}

/* ---- cutting ---- */

static value bytes_removeprefix(struct vm *vm, const struct args *args)
{
    struct text self = bytes_text(args->at[0]), piece;
    if (!bytes_arg(vm, args, 1, &piece))
        return NO_VALUE;
    bool has = piece.len <= self.len && !memcmp(self.at, piece.at, piece.len);
    return part(vm, self, has ? piece.len : 0, self.len);
}

static value bytes_removesuffix(struct vm *vm, const struct args *args)
{
    struct text self = bytes_text(args->at[0]), piece;
    if (!bytes_arg(vm, args, 1, &piece))
        return NO_VALUE;
    bool has = piece.len <= self.len &&
               !memcmp(self.at + self.len - piece.len, piece.at, piece.len);
    return part(vm, self, 0, has ? self.len - piece.len : self.len);
}

static value cut(struct vm *vm, const struct args *args, bool last)
{
    struct text self = bytes_text(args->at[0]), sep;
    if (!bytes_arg(vm, args, 1, &sep))
        return NO_VALUE;
    if (!sep.len)
        return vm_raise(vm, "ValueError", "empty separator");
    size_t at = last ? text_find_last(self, sep) : text_find(self, sep, 0);
    value none = bytes_new(vm, NULL, 0), whole = part(vm, self, 0, self.len);
    if (at == SIZE_MAX)
        return tuple_new(vm, last ? (value[]){none, none, whole} : (value[]){whole, none, none}, 3);
    value parts[] = {part(vm, self, 0, at), part(vm, self, at, at + sep.len),
                     part(vm, self, at + sep.len, self.len)};
    return tuple_new(vm, parts, 3);
}

static value bytes_partition(struct vm *vm, const struct args *args)
{
    return cut(vm, args, false);
}

static value bytes_rpartition(struct vm *vm, const struct args *args)
{
    return cut(vm, args, true);
}

static bool space(char c)
{
    return ascii(c) && isspace(c);
}

/* From the right, at white space; the pieces in reverse. */
static void words_back(struct vm *vm, struct text self, int64_t most, value list)
{
    size_t end = self.len;
    for (;; most--) {
        while (end && space(self.at[end - 1]))
            end--;
        if (!end)
            return;
        size_t from = end;
        while (from && (most == 0 || !space(self.at[from - 1])))
            from--;
        list_push(vm, list, part(vm, self, from, end));
        if (most == 0)
            return;
        end = from;
    }
}

static value bytes_rsplit(struct vm *vm, const struct args *args)
{
    struct text self = bytes_text(args->at[0]), sep = {0};
    int64_t most;
    bool at_space = !arg_given(args, 1) || args->at[1] == VALUE_NONE;
    if ((!at_space && !bytes_arg(vm, args, 1, &sep)) || !arg_int(vm, args, 2, -1, &most))
        return NO_VALUE;
    if (!at_space && !sep.len)
        return vm_raise(vm, "ValueError", "empty separator");
    value list = list_new(vm, NULL, 0);
    if (at_space) {
        words_back(vm, self, most, list);
    } else {
        size_t at;
        for (; most != 0 && (at = text_find_last(self, sep)) != SIZE_MAX; self.len = at, most--)
            list_push(vm, list, part(vm, self, at + sep.len, self.len));
        list_push(vm, list, part(vm, self, 0, self.len));
    }
    vm_call_method(vm, list, "reverse", NULL, 0);
    return list;
}

/* ---- translating ---- */

static value bytes_translate(struct vm *vm, const struct args *args)
{
    struct text self = bytes_text(args->at[0]), table = {0}, drop = {0};
    struct buf out = {0};
    if (args->at[1] != VALUE_NONE && !bytes_arg(vm, args, 1, &table))
        return NO_VALUE;
    if (table.at && table.len != 256)
        return vm_raise(vm, "ValueError", "translation table must be 256 characters long");
    if (arg_given(args, 2) && !bytes_arg(vm, args, 2, &drop))
        return NO_VALUE;
    for (size_t i = 0; i < self.len; i++)
        if (!drop.len || !memchr(drop.at, self.at[i], drop.len))
            buf_char(&out, table.at ? table.at[(unsigned char)self.at[i]] : self.at[i]);
    return bytes_take(vm, &out);
}

static value bytes_maketrans(struct vm *vm, const struct args *args)
{
    struct text from, to;
    char table[256];
    if (!bytes_arg(vm, args, 1, &from) || !bytes_arg(vm, args, 2, &to))
        return NO_VALUE;
    if (from.len != to.len)
        return vm_raise(vm, "ValueError", "maketrans arguments must have same length");
    for (int i = 0; i < 256; i++)
        table[i] = (char)i;
    for (size_t i = 0; i < from.len; i++)
        table[(unsigned char)from.at[i]] = to.at[i];
    return bytes_new(vm, table, sizeof table);
}

const struct native_def bytes_shape_methods[] = {
    {"isalpha", bytes_isalpha, "self /", "Whether all are ASCII letters."},
    {"isalnum", bytes_isalnum, "self /", "Whether all are ASCII letters or digits."},
    {"isdigit", bytes_isdigit, "self /", "Whether all are ASCII digits."},
    {"isspace", bytes_isspace, "self /", "Whether all are white space."},
    {"isascii", bytes_isascii, "self /", "Whether all are ASCII."},
    {"isupper", bytes_isupper, "self /", "Whether there are capitals and no small letters."},
    {"islower", bytes_islower, "self /", "Whether there are small letters and no capitals."},
    {"istitle", bytes_istitle, "self /",
     "Whether words begin with a capital and go on in lower case."},
    {"lower", bytes_lower, "self /", "ASCII letters in lower case."},
    {"upper", bytes_upper, "self /", "ASCII letters in upper case."},
    {"swapcase", bytes_swapcase, "self /", "Upper to lower case and back."},
    {"title", bytes_title, "self /", "Every word with a capital letter."},
    {"capitalize", bytes_capitalize, "self /",
     "The first letter as a capital, the rest in lower case."},
    {"ljust", bytes_ljust, "self width fillchar= /", "Filled up at the right."},
    {"rjust", bytes_rjust, "self width fillchar= /", "Filled up at the left."},
    {"center", bytes_center, "self width fillchar= /", "Filled up at both sides."},
    {"zfill", bytes_zfill, "self width /", "Filled up with zeros behind the sign."},
    {"expandtabs", bytes_expandtabs, "self tabsize=8", "Tabs as spaces."},
    {"removeprefix", bytes_removeprefix, "self prefix /", "Without prefix at the beginning."},
    {"removesuffix", bytes_removesuffix, "self suffix /", "Without suffix at the end."},
    {"partition", bytes_partition, "self sep /", "What is before, the first sep, what is behind."},
    {"rpartition", bytes_rpartition, "self sep /", "What is before, the last sep, what is behind."},
    {"rsplit", bytes_rsplit, "self sep=None maxsplit=-1",
     "The pieces between separators, counted from the right."},
    {"translate", bytes_translate,
     "self table / delete=", "By a table of 256 bytes, without those of delete."},
    {"maketrans", bytes_maketrans, "cls from to /",
     "A table that translates bytes of from to those of to."},
    {0}};
