// SPDX-License-Identifier: MIT
/* complex: what arithmetic needs, no more. */
#include <complex.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "python/format.h"
#include "python/heap.h"
#include "python/numbers.h"
#include "python/str.h"
#include "python/vm.h"
#include "syntax/ast.h"

value complex_new(struct vm *vm, double real, double imag)
{
    struct complex_object *object = object_alloc(vm, &type_complex, sizeof *object);
    object->real = real;
    object->imag = imag;
    return from_object(object);
}

bool complex_get(value v, double *real, double *imag)
{
    *imag = 0;
    if (is_object(v) && is_instance(v, &type_complex)) {
        const struct complex_object *object = (struct complex_object *)as_object(v);
        *real = object->real;
        *imag = object->imag;
        return true;
    }
    return float_get(v, real);
}

/* Parses "1+2j", "3", "-j", with one pair of parentheses around it. */
static bool complex_parse(const char *text, double *real, double *imag)
{
    char plain[128];
    size_t n = 0;
    while (isspace((unsigned char)*text))
        text++;
    bool bracket = *text == '(';
    text += bracket;
    for (; *text && n < sizeof plain - 1; text++)
        plain[n++] = *text;
    while (n && isspace((unsigned char)plain[n - 1]))
        n--;
    if (bracket && (!n || plain[--n] != ')'))
        return false;
    plain[n] = 0;
    *real = *imag = 0;
    if (!n || (plain[n - 1] | 0x20) != 'j')
        return float_parse(plain, n, real);
    plain[--n] = 0;
    size_t cut = n;
    while (cut > 0 && !((plain[cut - 1] == '+' || plain[cut - 1] == '-') &&
                        (cut == 1 || (plain[cut - 2] | 0x20) != 'e')))
        cut--;
    cut -= cut > 0;
    if (cut && !float_parse(plain, cut, real))
        return false;
    const char *rest = plain + cut;
    if (!*rest || !strcmp(rest, "+") || !strcmp(rest, "-")) {
        *imag = *rest == '-' ? -1 : 1;
        return true;
    }
    return float_parse(rest, strlen(rest), imag);
}

static value complex_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    static const char *const names[] = {"real", "imag", NULL};
    value slot[2];
    double real = 0, imag = 0, more = 0, more_imag = 0;
    if (!make_args(vm, "complex", names, 0, args, kwargs, slot))
        return NO_VALUE;
    if (slot[0] && is_str(slot[0])) {
        if (slot[1])
            return vm_raise(vm, "TypeError",
                            "complex() can't take second arg if first is a string");
        if (!complex_parse(str_text(slot[0]), &real, &imag))
            return vm_raise(vm, "ValueError", "complex() arg is a malformed string");
    } else if (slot[0] && !complex_get(slot[0], &real, &imag)) {
        return vm_raise(vm, "TypeError",
                        "complex() first argument must be a string or a number, not '%s'",
                        type_name(slot[0]));
    }
    if (slot[1] && !complex_get(slot[1], &more, &more_imag))
        return vm_raise(vm, "TypeError", "complex() second argument must be a number, not '%s'",
                        type_name(slot[1]));
    if (slot[1]) /* 0.0 + -0.0 would lose the sign */
        imag = slot[0] && is_instance(slot[0], &type_complex) ? imag + more : more;
    return complex_new(vm, real - more_imag, imag);
}

/* CMPLX, which glibc has for GCC alone; re + im * I would lose infinities and signs. */
static double complex of_parts(double re, double im)
{
    double parts[2] = {re, im};
    double complex z;
    memcpy(&z, parts, sizeof z);
    return z;
}

static value complex_binary(struct vm *vm, int op, value left, value right)
{
    double ar, ai, br, bi;
    if (!complex_get(left, &ar, &ai) || !complex_get(right, &br, &bi))
        return VALUE_NOT_IMPLEMENTED;
    double complex a = of_parts(ar, ai), b = of_parts(br, bi), c;
    switch (op) {
    case OP_ADD: c = a + b; break;
    case OP_SUB: c = a - b; break;
    case OP_MUL: c = a * b; break;
    case OP_DIV:
        if (b == 0)
            return vm_raise(vm, "ZeroDivisionError", "complex division by zero");
        c = a / b;
        break;
    case OP_POW:
        if (a == 0 && (bi != 0 || br < 0))
            return vm_raise(vm, "ZeroDivisionError", "0.0 to a negative or complex power");
        if (bi == 0 && br == floor(br) && fabs(br) <= 100) {
            c = 1;
            for (int i = 0; i < (int)fabs(br); i++)
                c *= a;
            c = br < 0 ? 1 / c : c;
        } else {
            c = cpow(a, b);
        }
        break;
    default: return VALUE_NOT_IMPLEMENTED;
    }
    return complex_new(vm, creal(c), cimag(c));
}

static value complex_unary(struct vm *vm, int op, value self)
{
    double real, imag;
    complex_get(self, &real, &imag);
    if (op == OP_NEG)
        return complex_new(vm, -real, -imag);
    return op == OP_POS ? self : VALUE_NOT_IMPLEMENTED;
}

static value complex_compare(struct vm *vm, int op, value left, value right)
{
    double ar, ai, br, bi;
    if ((op != OP_EQ && op != OP_NE) || !complex_get(left, &ar, &ai) ||
        !complex_get(right, &br, &bi))
        return VALUE_NOT_IMPLEMENTED;
    return value_bool((ar == br && ai == bi) == (op == OP_EQ));
}

static bool complex_truth(struct vm *vm, value self, bool *out)
{
    double real, imag;
    complex_get(self, &real, &imag);
    *out = real != 0 || imag != 0;
    return true;
}

static bool complex_hash(struct vm *vm, value self, uint64_t *out)
{
    double real, imag;
    complex_get(self, &real, &imag);
    *out = double_hash(real) + 1000003 * double_hash(imag);
    *out = *out == UINT64_MAX ? (uint64_t)-2 : *out;
    return true;
}

static value complex_repr(struct vm *vm, value self)
{
    struct buf out = {0};
    double real, imag;
    complex_get(self, &real, &imag);
    double part[] = {real, imag};
    bool bare = real == 0 && !signbit(real);
    buf_str(&out, bare ? "" : "(");
    for (int i = bare; i < 2; i++) {
        if (i && !bare && !signbit(imag))
            buf_char(&out, '+');
        format_double(part[i], &out);
        if (out.len > 2 && !strcmp(out.at + out.len - 2, ".0"))
            out.at[out.len -= 2] = 0;
    }
    buf_str(&out, bare ? "j" : "j)");
    return str_take(vm, &out);
}

static value complex_real(struct vm *vm, const struct args *args)
{
    double real, imag;
    complex_get(args->at[0], &real, &imag);
    return float_new(vm, real);
}

static value complex_imag(struct vm *vm, const struct args *args)
{
    double real, imag;
    complex_get(args->at[0], &real, &imag);
    return float_new(vm, imag);
}

static value complex_conjugate(struct vm *vm, const struct args *args)
{
    double real, imag;
    complex_get(args->at[0], &real, &imag);
    return complex_new(vm, real, -imag);
}

static const struct native_def complex_methods[] = {
    {"conjugate", complex_conjugate, "self /", "With the imaginary part turned round."}, {0}};

static const struct native_def complex_properties[] = {
    {"real", complex_real, "self", "The real part."},
    {"imag", complex_imag, "self", "The imaginary part."},
    {0}};

const struct type type_complex = {
    .object = {.type = &type_type},
    .name = "complex",
    .base = &type_object,
    .size = sizeof(struct complex_object),
    .methods = complex_methods,
    .properties = complex_properties,
    .make = complex_make,
    .repr = complex_repr,
    .truth = complex_truth,
    .hash = complex_hash,
    .compare = complex_compare,
    .binary = complex_binary,
    .unary = complex_unary,
    .format = format_slot,
};
