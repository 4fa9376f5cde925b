// SPDX-License-Identifier: MIT
/* Modules: native ones from a table, Python files found on sys.path, packages. Whatever is imported
 * stands in vm->modules under its dotted name; `import a.b` makes a, then a.b, and sets b in a. */
#include <stdio.h>
#include <string.h>

#include "base/fs.h"
#include "python/call.h"
#include "python/compile.h"
#include "python/file.h"
#include "python/foreign.h"
#include "python/library.h"
#include "python/numbers.h"
#include "python/types.h"
#include "python/vm_ops.h"
#include "python/vm_state.h"

struct module {
    struct object object;
    value dict, name;
    value lookup; /* asked for what dict has not; NO_VALUE: a __getattr__ in dict, if any */
};

static struct module *as_module(value v)
{
    return (struct module *)as_object(v);
}

const char *module_name(value module)
{
    return str_text(as_module(module)->name);
}

/* ---- making ---- */

static value module_new(struct vm *vm, const char *name)
{
    struct module *module = object_new(vm, &type_module);
    module->name = str_from(vm, name);
    module->dict = vm_globals_new(vm, name);
    return from_object(module);
}

bool module_set(struct vm *vm, value module, const char *name, value item)
{
    return dict_set_str(vm, as_module(module)->dict, name, item);
}

void module_share(struct vm *vm, value module, value globals)
{
    struct module *shared = as_module(module);
    shared->lookup = dict_get_sym(vm, as_dict(shared->dict), vm->sym.__getattr__);
    shared->dict = globals;
}

value module_get(struct vm *vm, value module, const char *name)
{
    return dict_get_str(vm, as_module(module)->dict, name);
}

value module_globals(value module)
{
    return as_module(module)->dict;
}

void module_add(struct vm *vm, const struct native_module *module)
{
    vec_push(&vm->natives_known, module);
}

static const struct native_module *find_native(struct vm *vm, const char *name)
{
    for (uint32_t i = vm->natives_known.len; i-- > 0;)
        if (!strcmp(vm->natives_known.at[i]->name, name))
            return vm->natives_known.at[i];
    return NULL;
}

/* A module that is a file of lib/; NO_VALUE and nothing raised: there is none. */
static value make_library(struct vm *vm, const char *name)
{
    if (!library_find(name))
        return NO_VALUE;
    value module = module_new(vm, name);
    dict_set_str(vm, from_object(vm->modules), name, module);
    if (library_run(vm, module, name))
        return module;
    dict_delete(vm, from_object(vm->modules), str_from(vm, name));
    return NO_VALUE;
}

static value make_native(struct vm *vm, const struct native_module *native)
{
    value module = module_new(vm, native->name);
    dict_set_str(vm, from_object(vm->modules), native->name, module);
    for (const struct native_def *def = native->functions; def && def->name; def++)
        module_set(vm, module, def->name, native_new(vm, def, NULL));
    return !native->fill || native->fill(vm, module) ? module : NO_VALUE;
}

/* ---- Python files ---- */

/* Code that the evaluator does not run: a module with async functions. */
static bool has_async(const struct code *code)
{
    for (uint32_t i = 0; i < code->nconsts; i++)
        if (is_exact(code->consts[i], &type_code)) {
            const struct code *inner = (const struct code *)as_object(code->consts[i]);
            if (inner->flags & CODE_ASYNC || has_async(inner))
                return true;
        }
    return false;
}

/* A file that the evaluator cannot run is a module of python3, unless that finds the same mistake
 * in it. what was complained of since the mark is forgotten then; error: what was raised, or
 * NO_VALUE. */
static value run_elsewhere(struct vm *vm, const char *name, int mark, value error)
{
    value module = foreign_import(vm, name);
    bool complained = diag_mark(vm->diags) != mark,
         same = vm_failed_with(vm, "SyntaxError") || !vm->foreign;
    if (module || !same || !(complained || error)) {
        diag_drop(vm->diags, mark);
        return module;
    }
    vm_take_error(vm);
    return error ? vm_raise_value(vm, error) : raise_complaint(vm);
}

static value new_file_module(struct vm *vm, const char *name, const char *path, bool package)
{
    value module = module_new(vm, name), dict = as_module(module)->dict;
    dict_set_sym(vm, as_dict(dict), vm->sym.__file__, str_from(vm, path));
    if (package) {
        value directory = str_new(vm, path, strlen(path) - strlen("/__init__.py"));
        dict_set_sym(vm, as_dict(dict), vm->sym.__path__, list_new(vm, &directory, 1));
    }
    return module;
}

/* The code of a file; NULL: complained, or it is not for the evaluator. */
static struct code *compile_file(struct vm *vm, const char *path, const char *text, size_t len)
{
    struct node *tree = parse_python(vm, path, text, len, false);
    struct code *code = tree ? compile_tree(vm, tree, false, false) : NULL;
    return code && !has_async(code) ? code : NULL;
}

static value run_file(struct vm *vm, const char *name, const char *path, bool package)
{
    size_t len;
    struct arena scratch = {0};
    int mark = diag_mark(vm->diags);
    char *text = fs_read(&scratch, path, &len);
    if (!text) {
        arena_free(&scratch);
        return vm_raise(vm, "ImportError", "cannot read %s", path);
    }
    struct code *code = compile_file(vm, path, text, len);
    arena_free(&scratch);
    if (!code)
        return run_elsewhere(vm, name, mark, NO_VALUE);
    value module = new_file_module(vm, name, path, package);
    dict_set_str(vm, from_object(vm->modules), name, module);
    if (enter_code(vm, code, as_dict(as_module(module)->dict), NO_VALUE, NULL) && vm_execute(vm))
        return module;
    dict_delete(vm, from_object(vm->modules), str_from(vm, name));
    return raise_is_unsupported(vm) ? run_elsewhere(vm, name, mark, vm_take_error(vm)) : NO_VALUE;
}

/* Whether a directory has Python files, not too deep: else it is no package, whatever its name. */
struct search {
    int left; /* entries to look at */
    bool found;
};

static bool is_python_file(void *user, const char *path, bool is_dir)
{
    struct search *search = user;
    const char *dot = strrchr(path, '.');
    search->found |= !is_dir && dot && !strcmp(dot, ".py");
    return !search->found && --search->left > 0 && !strchr(path, '/');
}

static bool holds_python(const char *directory)
{
    struct search search = {.left = 1000};
    fs_walk(directory, true, is_python_file, &search, NULL);
    return search.found || search.left <= 0;
}

static value find_in(struct vm *vm, const char *directory, const char *name, const char *last)
{
    struct buf path = {0};
    const char *prefix = *directory ? directory : ".";
    value module = NO_VALUE;
    buf_printf(&path, "%s/%s/__init__.py", prefix, last);
    bool package = fs_exists(buf_text(&path));
    if (!package) {
        buf_reset(&path);
        buf_printf(&path, "%s/%s.py", prefix, last);
    }
    if (fs_exists(buf_text(&path))) {
        module = run_file(vm, name, buf_text(&path), package);
    } else {
        buf_reset(&path);
        buf_printf(&path, "%s/%s", prefix, last);
        if (fs_is_dir(buf_text(&path)) && holds_python(buf_text(&path))) { /* a namespace package */
            value item = str_from(vm, buf_text(&path));
            module = module_new(vm, name);
            dict_set_sym(vm, as_dict(as_module(module)->dict), vm->sym.__path__,
                         list_new(vm, &item, 1));
            dict_set_str(vm, from_object(vm->modules), name, module);
        }
    }
    buf_free(&path);
    return module;
}

static value find_file(struct vm *vm, const char *name, value parent)
{
    const char *dot = strrchr(name, '.');
    if (parent && !is_exact(parent, &type_module)) /* a part of a foreign package */
        return NO_VALUE;
    file_settle(vm); /* it may have been written just now */
    value path = parent ? dict_get_sym(vm, as_dict(as_module(parent)->dict), vm->sym.__path__)
                        : vm->search_path;
    size_t n = 0;
    for (size_t i = 0; path && is_list(path) && (sequence_items(path, &n), i < n); i++) {
        value directory = sequence_items(path, &n)[i];
        value module = is_str(directory)
                           ? find_in(vm, str_text(directory), name, dot ? dot + 1 : name)
                           : NO_VALUE;
        if (module || vm->error)
            return module;
    }
    return NO_VALUE;
}

value module_search_path(struct vm *vm)
{
    if (!vm->search_path)
        vm->search_path = list_new(vm, NULL, 0);
    return vm->search_path;
}

/* ---- importing ---- */

/* The module whose namespace is the dict of builtins. */
static value make_builtins(struct vm *vm)
{
    value module = module_new(vm, "builtins");
    as_module(module)->dict = vm_builtins(vm);
    dict_set_str(vm, from_object(vm->modules), "builtins", module);
    return module;
}

static value import_one(struct vm *vm, const char *name, value parent)
{
    value known = dict_get_str(vm, from_object(vm->modules), name);
    if (known)
        return known;
    if (!strcmp(name, "builtins"))
        return make_builtins(vm);
    const struct native_module *native = find_native(vm, name);
    value module = native ? make_native(vm, native) : make_library(vm, name);
    if (!module && !vm->error)
        module = find_file(vm, name, parent);
    if (!module && !vm->error && (module = foreign_import(vm, name)))
        dict_set_str(vm, from_object(vm->modules), name, module);
    const char *dot = strrchr(name, '.');
    if (module && parent && is_exact(parent, &type_module))
        module_set(vm, parent, dot ? dot + 1 : name, module);
    return module;
}

static value import_dotted(struct vm *vm, const char *name, value *first)
{
    char part[256];
    value module = NO_VALUE;
    if (strlen(name) >= sizeof part)
        return vm_raise(vm, "ModuleNotFoundError", "No module named '%s'", name);
    for (const char *end = name; end; end = *end ? end + 1 : NULL) {
        end += strcspn(end, ".");
        memcpy(part, name, (size_t)(end - name));
        part[end - name] = 0;
        module = import_one(vm, part, module);
        if (!module)
            return NO_VALUE;
        if (first && !*first)
            *first = module;
    }
    return module;
}

value module_import(struct vm *vm, const char *name)
{
    return import_dotted(vm, name, NULL);
}

static value relative_name(struct vm *vm, struct frame *frame, value name, int level)
{
    value own = dict_get_sym(vm, frame->globals, vm->sym.__name__);
    bool package = dict_get_sym(vm, frame->globals, vm->sym.__path__);
    struct buf full = {0};
    buf_str(&full, own && is_str(own) ? str_text(own) : "");
    for (int up = package ? 1 : 0; up < level; up++) {
        const char *dot = full.at ? strrchr(full.at, '.') : NULL;
        full.len = dot ? (size_t)(dot - full.at) : 0;
        if (full.at)
            full.at[full.len] = 0;
    }
    value text = NO_VALUE;
    if (!full.len)
        vm_raise(vm, "ImportError", "attempted relative import with no known parent package");
    else {
        if (as_str(name)->len)
            buf_printf(&full, ".%s", str_text(name));
        text = str_from(vm, buf_text(&full));
    }
    buf_free(&full);
    return text;
}

value import_module(struct vm *vm, struct frame *frame, value name, bool top, int level)
{
    if (level)
        name = relative_name(vm, frame, name, level);
    if (!name || vm_too_deep(vm))
        return NO_VALUE;
    value first = NO_VALUE;
    value module = import_dotted(vm, str_text(name), &first);
    return module && top ? first : module;
}

/* Is what was raised about this module, or a package that it is in? Otherwise the module is there,
 * and one that it imports is not. */
static bool is_not_there(struct vm *vm, const char *name)
{
    static const char words[] = "ModuleNotFoundError: No module named '";
    if (!vm_failed_with(vm, "ModuleNotFoundError"))
        return false;
    const char *text = exception_text(vm, vm->error);
    if (strncmp(text, words, sizeof words - 1))
        return false;
    const char *missing = text + sizeof words - 1;
    size_t n = strcspn(missing, "'");
    return !strncmp(name, missing, n) && (!name[n] || name[n] == '.');
}

/* from package import part: a module that was not imported yet, perhaps. */
static value import_foreign_part(struct vm *vm, value module, value name)
{
    value package = value_attr_find(vm, module, vm->sym.__name__);
    if (!package || !is_str(package))
        return vm->error ? NO_VALUE
                         : vm_raise(vm, "ImportError", "cannot import name '%s'", str_text(name));
    value full = str_printf(vm, "%s.%s", str_text(package), str_text(name));
    value item = foreign_import(vm, str_text(full));
    if (item || !is_not_there(vm, str_text(full)))
        return item;
    vm_take_error(vm);
    return vm_raise(vm, "ImportError", "cannot import name '%s' from '%s'", str_text(name),
                    str_text(package));
}

value import_from(struct vm *vm, value module, value name)
{
    value item = value_attr_find(vm, module, str_sym(vm, name));
    if (item || vm->error)
        return item;
    if (!is_exact(module, &type_module))
        return import_foreign_part(vm, module, name);
    value full = str_printf(vm, "%s.%s", module_name(module), str_text(name));
    item = import_one(vm, str_text(full), module);
    if (item || !is_not_there(vm, str_text(full)))
        return item;
    vm_take_error(vm);
    return raise_no_import(vm, module, name);
}

/* A name that a module gives away is none: an item of its __all__, or else a key of its
 * namespace. */
static bool refuse_name(struct vm *vm, value module, bool item, value name)
{
    value own = value_attr_find(vm, module, vm->sym.__name__);
    return !vm->error && vm_raise(vm, "TypeError", "%s in %s.%s must be str, not %s",
                                  item ? "Item" : "Key", own && is_str(own) ? str_text(own) : "?",
                                  item ? "__all__" : "__dict__", type_name(name));
}

/* Binds these names of a module; all: also those with an underscore in front. */
static bool bind_names(struct vm *vm, struct frame *frame, value module, value names, bool all)
{
    struct iter it;
    if (!iter_open(vm, names, &it))
        return false;
    for (value name, item; (name = iter_next(vm, &it));) {
        if (!is_str(name))
            return refuse_name(vm, module, true, name);
        if (!all && *str_text(name) == '_')
            continue;
        if (!(item = import_from(vm, module, name)))
            return false;
        dict_set(vm, from_object(frame->globals), name, item);
    }
    return !vm->error;
}

/* What a module of python3 names itself, or all without an underscore. */
static bool foreign_star(struct vm *vm, struct frame *frame, value module)
{
    value all = value_attr_find(vm, module, vm->sym.__all__);
    value names = all || vm->error ? all : foreign_dir(vm, module);
    return names && bind_names(vm, frame, module, names, all);
}

bool import_star(struct vm *vm, struct frame *frame, value module)
{
    if (!is_exact(module, &type_module))
        return foreign_star(vm, frame, module);
    value dict = as_module(module)->dict, key, item;
    value all = dict_get_sym(vm, as_dict(dict), vm->sym.__all__);
    if (all)
        return bind_names(vm, frame, module, all, true);
    for (size_t pos = 0; dict_next(dict, &pos, &key, &item);) {
        if (!is_str(key))
            return refuse_name(vm, module, false, key);
        if (*str_text(key) != '_')
            dict_set(vm, from_object(frame->globals), key, item);
    }
    return true;
}

/* ---- the type ---- */

static void module_mark(struct vm *vm, struct object *self)
{
    heap_mark(vm, ((struct module *)self)->dict);
    heap_mark(vm, ((struct module *)self)->name);
    heap_mark(vm, ((struct module *)self)->lookup);
}

static value module_repr(struct vm *vm, value self)
{
    value file = dict_get_sym(vm, as_dict(as_module(self)->dict), vm->sym.__file__);
    if (file && is_str(file))
        return str_printf(vm, "<module '%s' from '%s'>", module_name(self), str_text(file));
    bool made = dict_get_str(vm, as_module(self)->dict, "__loader__") == VALUE_NONE;
    return str_printf(vm, "<module '%s'%s>", module_name(self), made ? "" : " (built-in)");
}

static value module_get_attr(struct vm *vm, value self, sym_t name)
{
    value dict = as_module(self)->dict;
    value item = dict_get_sym(vm, as_dict(dict), name);
    if (item)
        return item;
    if (name == vm->sym.__dict__)
        return dict;
    value hook = as_module(self)->lookup;
    hook = hook ? hook : dict_get_sym(vm, as_dict(dict), vm->sym.__getattr__);
    return hook ? vm_call1(vm, hook, str_from_sym(vm, name)) : NO_VALUE;
}

static bool module_set_attr(struct vm *vm, value self, sym_t name, value item)
{
    value dict = as_module(self)->dict;
    if (item)
        return dict_set_sym(vm, as_dict(dict), name, item);
    if (dict_delete(vm, dict, str_from_sym(vm, name)))
        return true;
    raise_no_attribute(vm, self, name);
    return false;
}

/* types.ModuleType(name, doc=None) */
static value module_make(struct vm *vm, const struct type *type, value args, value kwargs)
{
    static const char *const names[] = {"name", "doc", NULL};
    static const char *const unknown[] = {"__loader__", "__package__", "__spec__"};
    value slot[2];
    if (!make_args(vm, "module", names, 1, args, kwargs, slot))
        return NO_VALUE;
    if (!is_str(slot[0]))
        return vm_raise(vm, "TypeError", "module() argument 'name' must be str, not %s",
                        type_name(slot[0]));
    value module = module_new(vm, str_text(slot[0]));
    module_set(vm, module, "__doc__", slot[1] ? slot[1] : VALUE_NONE);
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        module_set(vm, module, unknown[i], VALUE_NONE);
    return module;
}

const struct type type_module = {
    .object = {.type = &type_type},
    .name = "module",
    .size = sizeof(struct module),
    .mark = module_mark,
    .make = module_make,
    .repr = module_repr,
    .get_attr = module_get_attr,
    .set_attr = module_set_attr,
};
