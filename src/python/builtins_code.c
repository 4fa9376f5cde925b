// SPDX-License-Identifier: MIT
/* Builtins about code and namespaces: eval, exec, globals, locals, vars, dir, exit, __import__. */
#include <string.h>

#include "python/builtins.h"
#include "python/bytes.h"
#include "python/call.h"
#include "python/class.h"
#include "python/compile.h"
#include "python/foreign.h"
#include "python/vm_state.h"

/* ---- namespaces ---- */

static value globals_of(struct vm *vm, const struct frame *frame)
{
    return frame->globals ? from_object(frame->globals) : dict_new(vm);
}

static value builtin_globals(struct vm *vm, const struct args *args)
{
    return globals_of(vm, vm->frame);
}

static value local_value(value v)
{
    if (v && is_exact(v, &type_cell))
        v = as_cell(v)->v;
    str_share(v);
    return v == VALUE_UNBOUND ? NO_VALUE : v;
}

value frame_locals(struct vm *vm, const struct frame *frame)
{
    if (frame->names)
        return frame->names;
    if (!frame->function)
        return globals_of(vm, frame);
    value dict = dict_new(vm);
    for (uint32_t i = 0; i < frame->code->nlocals; i++) {
        value v = frame->code->local_names[i] ? local_value(frame->locals[i]) : NO_VALUE;
        if (v)
            dict_set_sym(vm, as_dict(dict), frame->code->local_names[i], v);
    }
    return dict;
}

static value locals_here(struct vm *vm)
{
    return frame_locals(vm, vm->frame);
}

static value builtin_locals(struct vm *vm, const struct args *args)
{
    return locals_here(vm);
}

static value builtin_vars(struct vm *vm, const struct args *args)
{
    if (!arg_given(args, 0))
        return locals_here(vm);
    value dict = value_attr_find(vm, args->at[0], vm->sym.__dict__);
    if (dict || vm->error)
        return dict;
    return vm_raise(vm, "TypeError", "vars() argument must have __dict__ attribute");
}

static void add_names(struct vm *vm, value set, value dict)
{
    size_t pos = 0;
    value key, item;
    while (is_dict(dict) && dict_next(dict, &pos, &key, &item))
        set_add(vm, set, key);
}

/* Those of an object that only its type's get_attr knows. */
static void add_known_names(struct vm *vm, value set, value v)
{
    value (*attr_names)(struct vm *, value) = type_slot(type_of(v), attr_names);
    value names = attr_names ? attr_names(vm, v) : NO_VALUE;
    size_t n = 0;
    const value *known = names ? sequence_items(names, &n) : NULL;
    for (size_t i = 0; i < n; i++)
        set_add(vm, set, known[i]);
}

static void add_type_names(struct vm *vm, value set, const struct type *type)
{
    for (uint32_t i = 0; type->info && i < type->info->nmro; i++)
        add_names(vm, set, from_object(type_dict_of(vm, type->info->mro[i])));
    for (const struct type *t = type->info ? NULL : type; t; t = t->base)
        add_names(vm, set, from_object(type_dict_of(vm, t)));
    add_names(vm, set, from_object(type_dict_of(vm, &type_object)));
}

static value builtin_dir(struct vm *vm, const struct args *args)
{
    value set = set_new(vm);
    if (!arg_given(args, 0)) {
        add_names(vm, set, locals_here(vm));
    } else if (is_foreign(args->at[0])) {
        return foreign_dir(vm, args->at[0]);
    } else if (is_exact(args->at[0], &type_module)) {
        add_names(vm, set, module_globals(args->at[0]));
    } else if (is_type(args->at[0])) {
        add_type_names(vm, set, as_type(args->at[0]));
    } else {
        value *attrs = attrs_of(args->at[0]);
        if (attrs && *attrs)
            add_names(vm, set, *attrs);
        add_known_names(vm, set, args->at[0]);
        add_type_names(vm, set, type_of(args->at[0]));
    }
    value list = list_from(vm, set);
    return list && list_sort(vm, list, VALUE_NONE, false) ? list : NO_VALUE;
}

/* ---- code from text ---- */

/* NULL: raised SyntaxError. */
static struct node *parse_text(struct vm *vm, const char *text, size_t len, const char *name,
                               bool expression)
{
    int mark = diag_mark(vm->diags);
    struct node *tree = parse_python(vm, name, text, len, expression);
    if (!tree) {
        vm_raise(vm, "SyntaxError", "%s (%s, line 1)", diag_last(vm->diags), name);
        diag_drop(vm->diags, mark);
    }
    return tree;
}

/* What decoding has raised, as CPython says it of code; text: what was decoded, freed. NULL. */
static const char *raise_not_utf8(struct vm *vm, struct buf *text)
{
    value why = value_str(vm, vm_take_error(vm));
    buf_free(text);
    if (why)
        vm_raise(vm, "SyntaxError", "(unicode error) %s", str_text(why));
    return NULL;
}

/* Argument 0 as text: of a str or of bytes; NULL: raised. what: else it may be. */
static const char *code_text(struct vm *vm, const struct args *args, const char *what, size_t *len)
{
    value source = args->at[0];
    const char *text = is_str(source) ? arg_text(vm, args, 0, len) : bytes_get(source, len);
    struct buf decoded = {0};
    if (text && memchr(text, '\0', *len)) {
        vm_raise(vm, "SyntaxError", "source code string cannot contain null bytes");
        return NULL;
    }
    if (!text && !vm->error)
        vm_raise(vm, "TypeError", "%s() arg 1 must be a string, bytes or %s object",
                 args->def->name, what);
    if (text && !is_str(source) && !decode_bytes(vm, text, *len, ENCODING_UTF8, NULL, &decoded))
        return raise_not_utf8(vm, &decoded);
    buf_free(&decoded);
    return text;
}

static value namespace_arg(struct vm *vm, const struct args *args, int i, value otherwise)
{
    value v = args->at[i];
    if (!v || v == VALUE_NONE)
        return otherwise;
    if (!is_dict(v))
        return vm_raise(vm, "TypeError", "%s() globals must be a dict, not %s", args->def->name,
                        type_name(v));
    if (i == 1 && !dict_get_sym(vm, as_dict(v), vm->sym.__builtins__))
        dict_set_sym(vm, as_dict(v), vm->sym.__builtins__, vm_builtins(vm));
    return v;
}

static value run_text(struct vm *vm, const struct args *args, bool expression)
{
    size_t len;
    bool own = arg_given(args, 1) && args->at[1] != VALUE_NONE;
    value globals = namespace_arg(vm, args, 1, builtin_globals(vm, NULL));
    bool inside = vm->frame->function || vm->frame->names;
    value here = !own && inside ? locals_here(vm) : NO_VALUE;
    value locals = globals ? namespace_arg(vm, args, 2, here) : NO_VALUE;
    if (vm->error)
        return NO_VALUE;
    value source = args->at[0];
    if (is_exact(source, &type_code)) {
        const struct code *code = (const struct code *)as_object(source);
        if (code->nfree)
            return vm_raise(vm, "TypeError", "code object requires a closure of exactly length %u",
                            code->nfree);
        return enter_code(vm, code, as_dict(globals), locals ? locals : globals, NULL)
                   ? vm_execute(vm)
                   : NO_VALUE;
    }
    const char *text = code_text(vm, args, "code", &len);
    if (!text)
        return NO_VALUE;
    while (expression && len && (*text == ' ' || *text == '\t')) {
        text++;
        len--;
    }
    struct node *tree = parse_text(vm, text, len, "<string>", expression);
    if (!tree)
        return NO_VALUE;
    if (expression)
        return vm_eval(vm, tree, globals, locals);
    if (locals) {
        struct code *code = compile_tree(vm, tree, false, true);
        if (!code)
            return raise_complaint(vm);
        return enter_code(vm, code, as_dict(globals), locals, NULL) ? vm_execute(vm) : NO_VALUE;
    }
    return vm_run(vm, tree, globals) ? VALUE_NONE : NO_VALUE;
}

static value builtin_eval(struct vm *vm, const struct args *args)
{
    return run_text(vm, args, true);
}

static value builtin_exec(struct vm *vm, const struct args *args)
{
    return run_text(vm, args, false) ? VALUE_NONE : NO_VALUE;
}

static value builtin_compile(struct vm *vm, const struct args *args)
{
    size_t len;
    const char *text = code_text(vm, args, "AST", &len);
    const char *name = text ? arg_text(vm, args, 1, NULL) : NULL;
    const char *mode = name ? arg_text(vm, args, 2, NULL) : NULL;
    if (!mode)
        return NO_VALUE;
    bool expression = !strcmp(mode, "eval");
    if (!expression && strcmp(mode, "exec") && strcmp(mode, "single"))
        return vm_raise(vm, "ValueError", "compile() mode must be 'exec', 'eval' or 'single'");
    struct node *tree = parse_text(vm, text, len, name, expression);
    struct code *code = tree ? compile_tree(vm, tree, expression, true) : NULL;
    if (tree && !code)
        return raise_complaint(vm);
    return from_object(code);
}

static value builtin_import(struct vm *vm, const struct args *args)
{
    const char *name = arg_text(vm, args, 0, NULL);
    if (!name)
        return NO_VALUE;
    value module = module_import(vm, name), first;
    bool truth = false;
    if (module && arg_given(args, 3) && !value_truth(vm, args->at[3], &truth))
        return NO_VALUE;
    const char *dot = strchr(name, '.');
    if (!module || truth || !dot)
        return module;
    first = str_new(vm, name, (size_t)(dot - name));
    return module_import(vm, str_text(first));
}

static value builtin_exit(struct vm *vm, const struct args *args)
{
    value sys = module_import(vm, "sys"), code = arg_or(args, 0, VALUE_NONE);
    return sys ? vm_call_method(vm, sys, "exit", &code, 1) : NO_VALUE;
}

const struct native_def builtins_code[] = {
    {"globals", builtin_globals, "", "The namespace of the module."},
    {"locals", builtin_locals, "", "The namespace here."},
    {"vars", builtin_vars, "object= /", "The attributes of an object."},
    {"dir", builtin_dir, "object= /", "The names in a namespace or of an object."},
    {"eval", builtin_eval, "source globals=None locals=None /",
     "The value of an expression in text."},
    {"exec", builtin_exec, "source globals=None locals=None /", "Runs statements in text."},
    {"compile", builtin_compile, "source filename mode flags=0 dont_inherit=False optimize=-1",
     "Code of a text."},
    {"__import__", builtin_import, "name globals=None locals=None fromlist=() level=0",
     "Imports a module."},
    {"exit", builtin_exit, "code=None /", "Raises SystemExit."},
    {"quit", builtin_exit, "code=None /", "Raises SystemExit."},
    {0}};
