// SPDX-License-Identifier: MIT
#include "cli/profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/path.h"
#include "cli/yamlfile.h"
#include "flow/config.h"
#include "modules/modules.h"
#include "python/numbers.h"

struct profile {
    struct session *s;
    struct vm *vm;
    const char *path, *dir;  /* of the profile, and its folder */
    VEC(const char *) words; /* of one key */
};

/* ---- one value to words ---- */

static const char *scalar_text(struct profile *p, value v)
{
    value text = value_str(p->vm, v);
    return text ? arena_copy(&p->s->arena, str_text(text), as_str(text)->len) : "";
}

/* A text with one of the functions of os.path applied. */
static value of_path(struct profile *p, const char *function, value text)
{
    value path = text ? module_import(p->vm, "os.path") : NO_VALUE;
    return path ? vm_call_method(p->vm, path, function, &text, 1) : NO_VALUE;
}

/* $NAME and ~ mean what they mean to a shell; what is in the profile's folder becomes its path. A
 * folder only where one is wanted: `executor: slurm` means no folder of that name. */
static const char *scalar_word(struct profile *p, const char *option, value v)
{
    if (!is_str(v))
        return scalar_text(p, v);
    value expanded = of_path(p, "expanduser", of_path(p, "expandvars", v));
    const char *text = expanded ? scalar_text(p, expanded) : "";
    const char *inside = path_join(&p->s->arena, p->dir, text);
    bool meant = *text && fs_exists(inside) && (!fs_is_dir(inside) || option_wants_folder(option));
    return meant ? inside : text;
}

/* A text that looks like a number keeps its quotes, or it would be read as one. */
static bool is_quoted(value v)
{
    double number;
    return is_str(v) && float_parse(str_text(v), as_str(v)->len, &number);
}

/* NAME=VALUE of each item; a mapping as a value is written as Python shows it, which YAML reads.
 * Two levels: NAME:NAME=VALUE. */
static void mapping_words(struct profile *p, const char *prefix, value dict, int levels)
{
    size_t pos = 0;
    for (value key, item; dict_next(dict, &pos, &key, &item);) {
        const char *name = scalar_text(p, key);
        if (is_dict(item) && levels > 1) {
            mapping_words(p, arena_printf(&p->s->arena, "%s%s:", prefix, name), item, levels - 1);
            continue;
        }
        value shown = is_quoted(item) ? value_repr(p->vm, item) : item;
        vec_push(&p->words, arena_printf(&p->s->arena, "%s%s=%s", prefix, name,
                                         shown ? scalar_text(p, shown) : ""));
    }
}

/* The items of a list are taken as they are. */
static void list_words(struct profile *p, const value *items, size_t n, int levels)
{
    for (size_t i = 0; i < n; i++) {
        size_t inner;
        const value *list = sequence_items(items[i], &inner);
        if (is_dict(items[i]))
            mapping_words(p, "", items[i], levels);
        else if (list)
            list_words(p, list, inner, levels);
        else if (items[i] != VALUE_TRUE)
            vec_push(&p->words, scalar_text(p, items[i]));
    }
}

static void value_words(struct profile *p, const char *option, value v)
{
    int levels = strcmp(option, "set-resources") ? 1 : 2;
    size_t n;
    const value *items = sequence_items(v, &n);
    if (is_dict(v))
        mapping_words(p, "", v, levels);
    else if (items)
        list_words(p, items, n, levels);
    else if (v != VALUE_TRUE)
        vec_push(&p->words, scalar_word(p, option, v));
}

static bool apply_mapping(struct profile *p, value mapping)
{
    size_t pos = 0;
    bool good = true;
    for (value key, item; dict_next(mapping, &pos, &key, &item);) {
        const char *name = scalar_text(p, key);
        if (item == VALUE_FALSE)
            option_decline(&p->s->options, name);
        if (item == VALUE_NONE || item == VALUE_FALSE)
            continue;
        p->words.len = 0;
        value_words(p, name, item);
        good &= option_set(&p->s->options, p->s->diags, p->path, name, p->words.at,
                           (int)p->words.len);
    }
    return good;
}

/* ---- files ---- */

/* The mapping; NO_VALUE after a message if there is no end to what is in it. */
static value check_depth(struct profile *p, value mapping)
{
    if (!mapping || config_has_end(p->vm, mapping))
        return mapping;
    complain(p->s->diags, (struct span){0},
             "the profile %s is nested too deeply, or an alias in it stands inside of what it "
             "means",
             p->path);
    return NO_VALUE;
}

static value load_yaml(struct profile *p, const char *path)
{
    size_t len;
    const char *text = fs_read(&p->s->arena, path, &len);
    if (!text)
        complain(p->s->diags, (struct span){0}, "cannot read '%s': %s", path, strerror(errno));
    value mapping = text ? yaml_value(p->vm, p->s->diags, path, text, len) : NO_VALUE;
    value all = config_fill_template(p->vm, mapping, text ? str_new(p->vm, text, len) : NO_VALUE);
    return check_depth(p, all);
}

static bool apply_file(struct session *s, const char *path)
{
    struct profile p = {.s = s, .path = path, .dir = path_dirname(&s->arena, path)};
    p.vm = vm_new(
        &(struct vm_options){.names = s->names, .diags = s->diags, .modules = native_modules});
    value mapping = load_yaml(&p, path);
    struct root held; /* showing a date runs code, which may sweep */
    heap_root(p.vm, &held, mapping);
    bool good = mapping && is_dict(mapping) && apply_mapping(&p, mapping);
    if (!good && vm_failed(p.vm))
        vm_report(p.vm);
    else if (!good && mapping && !is_dict(mapping))
        complain(s->diags, (struct span){0},
                 "the profile %s is not a mapping of option names to values", path);
    vec_free(&p.words);
    vm_free(p.vm);
    return good;
}

/* profile.yaml, profile.vN+.yaml (the highest N up to 9) or config.yaml in a folder; NULL if there
 * is none. */
static const char *file_in(struct session *s, const char *dir)
{
    for (int version = 9; version > 0; version--) {
        const char *path = arena_printf(&s->arena, "%s/profile.v%d+.yaml", dir, version);
        const char *old = arena_printf(&s->arena, "%s/config.v%d+.yaml", dir, version);
        if (fs_exists(path))
            return path;
        if (fs_exists(old))
            return old;
    }
    const char *path = arena_printf(&s->arena, "%s/profile.yaml", dir);
    if (fs_exists(path))
        return path;
    path = arena_printf(&s->arena, "%s/config.yaml", dir);
    return fs_exists(path) ? path : NULL;
}

static const char *find_profile(struct session *s, const char *name)
{
    const char *places[] = {
        name, arena_printf(&s->arena, "%s/snakemake/%s", fs_user_config(&s->arena), name),
        arena_printf(&s->arena, "/etc/xdg/snakemake/%s", name)};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (fs_exists(places[i]) && !fs_is_dir(places[i]))
            return path_absolute(&s->arena, s->started_in, places[i]);
        const char *file = fs_is_dir(places[i]) ? file_in(s, places[i]) : NULL;
        if (file)
            return path_absolute(&s->arena, s->started_in, file);
    }
    return NULL;
}

static bool apply_named(struct session *s, const char *what, const char *name, bool say)
{
    const char *path = strcmp(name, "none") ? find_profile(s, name) : NULL;
    if (!strcmp(name, "none"))
        return true;
    if (!path)
        return complain(s->diags, (struct span){0},
                        "%s '%s' not found: no such file, and no profile.yaml or config.yaml "
                        "in a folder of that name",
                        what, name);
    if (say)
        fprintf(stderr, "Using %s %s for setting default command line arguments.\n", what, name);
    return apply_file(s, path);
}

static bool is_profile(struct session *s, const char *path)
{
    return fs_is_dir(path) ? file_in(s, path) != NULL : fs_exists(path);
}

/* The workflow's profile of that name: in profiles/ here, or beside the Snakefile; or NULL. */
static const char *workflow_profile(struct session *s, const char *name)
{
    const char *here = path_join(&s->arena, "profiles", name);
    const char *snakefile = session_snakefile(s);
    const char *dir = snakefile ? path_dirname(&s->arena, snakefile) : "workflow";
    const char *beside = path_join(&s->arena, path_join(&s->arena, dir, "profiles"), name);
    if (is_profile(s, here))
        return here;
    return is_profile(s, beside) ? beside : NULL;
}

/* --workflow-profile NAME or PATH, else profiles/default. */
static const char *workflow_profile_of(struct session *s)
{
    const char *named = option_word(&s->options, OPT_WORKFLOW_PROFILE, NULL);
    if (!named)
        return workflow_profile(s, "default");
    const char *known = !strcmp(named, "none") || find_profile(s, named)
                            ? NULL
                            : workflow_profile(s, named);
    return known ? known : named;
}

bool profiles_apply(struct session *s, bool say)
{
    const char *workflow = workflow_profile_of(s), *env = getenv("SNAKEMAKE_PROFILE");
    bool good = !workflow || apply_named(s, "workflow specific profile", workflow, say);
    for (uint32_t i = s->options.words[OPT_PROFILE].len;
         good && i--;) /* the last one first: it goes before */
        good = apply_named(s, "profile", s->options.words[OPT_PROFILE].at[i], say);
    if (good && !s->options.given[OPT_PROFILE] && env && *env)
        good = apply_named(s, "profile", env, say);
    return good;
}
