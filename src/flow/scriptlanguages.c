// SPDX-License-Identifier: MIT
/* scriptlanguages.c: preambles in bash, R, Julia, Rust, xonsh and Hy. */
#include <string.h>
#include <strings.h>

#include "flow/namedlist.h"
#include "flow/scriptvalue.h"
#include "flow/scriptview.h"
#include "flow/state.h"
#include "flow/texts.h"

/* ---- bash ---- */

static bool bash_preamble(const struct script_view *view, struct buf *out)
{
    struct vm *vm = view->eval->workflow->vm;
    for (int i = 0; i < SCRIPT_PARTS; i++)
        if (!scriptvalue_bash(vm, script_part_names[i], view->part[i], out))
            return false;
    if (!scriptvalue_bash(vm, "config", view->config, out))
        return false;
    buf_printf(out, "declare -A snakemake=( [threads]=%d [rule]=", view->eval->threads);
    buf_shell_word(out, script_rule_name(view));
    buf_str(out, " [scriptdir]=");
    buf_shell_word(out, view->dir);
    if (view->eval->bench_iteration)
        buf_printf(out, " [bench_iteration]=%d )\n", view->eval->bench_iteration - 1);
    else
        buf_str(out, " [bench_iteration]=None )\n");
    return true;
}

bool script_bash(const struct script_view *view, const char *source, size_t len, struct buf *out)
{
    bool fine = bash_preamble(view, out);
    buf_add(out, source, len);
    return fine;
}

/* ---- R ---- */

static bool add_r_value(const struct script_view *view, const char *name, size_t len,
                        struct buf *out)
{
    struct vm *vm = view->eval->workflow->vm;
    for (int i = 0; i < SCRIPT_PARTS; i++)
        if (strlen(script_part_names[i]) == len && !memcmp(script_part_names[i], name, len))
            return scriptvalue_r(vm, view->part[i], out);
    if (!strncmp(name, "config@", 7))
        return scriptvalue_r(vm, view->config, out);
    if (!strncmp(name, "threads@", 8))
        buf_printf(out, "%d", view->eval->threads);
    else if (!strncmp(name, "rule@", 5))
        return scriptvalue_r(vm, str_from(vm, script_rule_name(view)), out);
    else if (!strncmp(name, "scriptdir@", 10))
        return scriptvalue_r(vm, str_from(vm, view->dir), out);
    else if (view->eval->bench_iteration)
        buf_printf(out, "%dL", view->eval->bench_iteration - 1);
    else
        buf_str(out, "as.numeric(NA)");
    return true;
}

/* "@name@" with a lower-case name is a hole; "snakemake@scriptdir" is R. */
static bool r_preamble(const struct script_view *view, struct buf *out)
{
    const char *text = text_preamble_r, *hole;
    while ((hole = strchr(text, '@'))) {
        size_t len = strspn(hole + 1, "abcdefghijklmnopqrstuvwxyz_");
        bool is_hole = len && hole[1 + len] == '@' && hole > text && hole[-1] == ' ';
        buf_add(out, text, (size_t)(hole - text) + !is_hole);
        if (is_hole && !add_r_value(view, hole + 1, len, out))
            return false;
        text = is_hole ? hole + len + 2 : hole + 1;
    }
    buf_str(out, text);
    return true;
}

bool script_r(const struct script_view *view, const char *source, size_t len, struct buf *out)
{
    bool fine = r_preamble(view, out);
    buf_add(out, source, len);
    return fine;
}

/* The preamble is a chunk of its own behind the header, which ends with the second line of
 * dashes. */
bool script_rmd(const struct script_view *view, const char *source, size_t len, struct buf *out)
{
    const char *first = strstr(source, "---\n"),
               *second = first ? strstr(first + 4, "---\n") : NULL;
    size_t head = second ? (size_t)(second + 4 - source) : 0;
    if (!second) {
        flow_raise(view->eval->workflow, "WorkflowError",
                   "the R Markdown script %s needs a YAML header between lines of ---", view->path);
        return false;
    }
    buf_add(out, source, head);
    buf_str(out, "\n```{r, echo=FALSE, message=FALSE, warning=FALSE}\n");
    bool fine = r_preamble(view, out);
    buf_str(out, "```\n");
    buf_add(out, source + head, len - head);
    return fine;
}

/* ---- Julia ---- */

static const char *const julia_struct =
    "struct Snakemake\n    input::Dict\n    output::Dict\n    params::Dict\n    wildcards::Dict\n"
    "    threads::Int64\n    log::Dict\n    resources::Dict\n    config::Dict\n    rule::String\n"
    "    bench_iteration\n    scriptdir::String\nend\nsnakemake = Snakemake(\n";

/* In the order of the struct. */
bool script_julia(const struct script_view *view, const char *source, size_t len, struct buf *out)
{
    enum { INPUT, OUTPUT, PARAMS, WILDCARDS, RESOURCES, LOG };
    struct vm *vm = view->eval->workflow->vm;
    const value *part = view->part;
    const value before[] = {part[INPUT], part[OUTPUT], part[PARAMS], part[WILDCARDS]};
    const value behind[] = {part[LOG], part[RESOURCES], view->config,
                            str_from(vm, script_rule_name(view))};
    bool fine = true;
    buf_str(out, julia_struct);
    for (int i = 0; i < 4; i++) {
        fine &= scriptvalue_julia(vm, before[i], out);
        buf_str(out, ",\n");
    }
    buf_printf(out, "%d,\n", view->eval->threads);
    for (int i = 0; i < 4; i++) {
        fine &= scriptvalue_julia(vm, behind[i], out);
        buf_str(out, ",\n");
    }
    if (view->eval->bench_iteration)
        buf_printf(out, "%d,\n", view->eval->bench_iteration - 1);
    else
        buf_str(out, "nothing,\n");
    fine &= scriptvalue_julia(vm, str_from(vm, view->dir), out);
    buf_str(out, ")\n");
    buf_add(out, source, len);
    return fine;
}

/* ---- Rust ---- */

/* Items without a name stand in `positional`, the others under their names. only_names: items are
 * known by their names alone. */
static bool rust_part(struct vm *vm, value list, bool only_names, struct buf *out)
{
    struct buf named = {0};
    size_t n, done = 0;
    const value *item = sequence_items(list, &n);
    bool fine = true, first = true, is_list, resources = is_exact(list, &type_resources);
    sym_t name;
    uint32_t at, len;
    buf_str(out, "{\"positional\": [");
    for (size_t i = 0; fine && namedlist_range(list, i, &name, &at, &len, &is_list); i++) {
        const char *text = sym_text(vm_names(vm), name);
        if (resources && *text == '_')
            continue;
        buf_str(&named, ", ");
        buf_json_text(&named, text);
        buf_str(&named, ": ");
        fine = scriptvalue_json(vm, namedlist_find(vm, list, name), &named);
    }
    while (fine && !only_names && done < n) {
        bool has_name = false;
        for (size_t i = 0; namedlist_range(list, i, &name, &at, &len, &is_list); i++)
            has_name |= done >= at && done < at + len;
        buf_str(out, has_name || first ? "" : ", ");
        first &= has_name;
        fine = has_name || scriptvalue_json(vm, item[done], out);
        done++;
    }
    buf_char(out, ']');
    buf_add(out, buf_text(&named), named.len);
    buf_char(out, '}');
    buf_free(&named);
    return fine;
}

static bool rust_config(struct vm *vm, value config, struct buf *out)
{
    struct buf json = {0};
    bool fine = scriptvalue_json(vm, config, &json);
    buf_str(out, "{\"positional\": []");
    if (json.len > 2)
        buf_printf(out, ", %.*s", (int)json.len - 1, json.at + 1);
    else
        buf_char(out, '}');
    buf_free(&json);
    return fine;
}

static bool rust_json(const struct script_view *view, struct buf *out)
{
    enum { INPUT, OUTPUT, PARAMS, WILDCARDS, RESOURCES, LOG };
    struct vm *vm = view->eval->workflow->vm;
    bool fine = true;
    for (int i = 0; i < SCRIPT_PARTS; i++) {
        buf_printf(out, "%s\"%s\": ", i ? ", " : "{", script_part_names[i]);
        fine &= rust_part(vm, view->part[i], i == PARAMS || i == WILDCARDS || i == RESOURCES, out);
    }
    buf_printf(out, ", \"threads\": %d, \"config\": ", view->eval->threads);
    fine &= rust_config(vm, view->config, out);
    buf_str(out, ", \"rulename\": ");
    buf_json_text(out, script_rule_name(view));
    buf_str(out, ", \"scriptdir\": ");
    buf_json_text(out, view->dir);
    if (view->eval->bench_iteration)
        buf_printf(out, ", \"bench_iteration\": %d}", view->eval->bench_iteration - 1);
    else
        buf_str(out, ", \"bench_iteration\": null}");
    return fine;
}

/* The line behind `at`. */
static const char *next_line(const char *at)
{
    const char *newline = strchr(at, '\n');
    return newline ? newline + 1 : at + strlen(at);
}

/* Behind the manifest that rust-script reads: a line `// cargo-deps: ...`, or comments on the crate
 * with a block ```cargo; at itself if there is none. */
static const char *manifest_end(const char *at)
{
    const char *text = at + strspn(at, " \t\r\n"), *line = text;
    bool open = false, closed = false;
    if (!strncmp(text, "//", 2) &&
        !strncasecmp(text + 2 + strspn(text + 2, " \t"), "cargo-deps", 10))
        return next_line(text);
    if (!strncmp(text, "/*!", 3)) { /* one comment over many lines */
        const char *end = strstr(text, "*/");
        const char *block = strstr(text, "```cargo");
        return end && block && block < end ? next_line(end) : at;
    }
    for (; !strncmp(line, "//!", 3) || !strncmp(line, "///", 3); line = next_line(line)) {
        size_t len = strcspn(line, "\n");
        closed |= open && memmem(line, len, "```", 3);
        const char *block = memmem(line, len, "```", 3);
        open |= block && !strncmp(block + 3 + strspn(block + 3, " \t"), "cargo", 5);
    }
    return open && closed ? line : at;
}

/* The manifest stays in front. */
bool script_rust(const struct script_view *view, const char *source, size_t len, struct buf *out)
{
    static const char hole[] = "@json@";
    const char *at = !strncmp(source, "#!", 2) && source[2] != '[' ? next_line(source) : source;
    const char *body = manifest_end(at), *text = text_preamble_rs, *next;
    struct buf json = {0};
    bool fine = rust_json(view, &json);
    buf_add(out, at, (size_t)(body - at));
    while ((next = strstr(text, hole))) {
        buf_add(out, text, (size_t)(next - text));
        buf_add(out, buf_text(&json), json.len);
        text = next + strlen(hole);
    }
    buf_str(out, text);
    buf_add(out, body, (size_t)(source + len - body));
    buf_free(&json);
    return fine;
}

/* ---- xonsh and Hy ---- */

/* Python's preamble stands in a text that exec() gets, so that the language need not read it and it
 * takes one line: that of a line #!, so that the lines behind keep their numbers. */
static bool python_in(const struct script_view *view, const char *source, size_t len,
                      const char *before, const char *behind, struct buf *out)
{
    const char *body = strncmp(source, "#!", 2) ? source : source + strcspn(source, "\n");
    buf_str(out, before);
    bool fine = script_python_quoted(view, "_share", out);
    buf_str(out, behind);
    buf_str(out, body == source ? "\n" : "");
    buf_add(out, body, (size_t)(source + len - body));
    return fine;
}

/* A line that begins with a name that xonsh has not seen assigned would be a command. */
bool script_xonsh(const struct script_view *view, const char *source, size_t len, struct buf *out)
{
    return python_in(view, source, len, "snakemake = Snakemake = logger = None; exec(",
                     ", {\"__name__\": \"__main__\", \"_script_names\": globals()})", out);
}

bool script_hy(const struct script_view *view, const char *source, size_t len, struct buf *out)
{
    return python_in(view, source, len, "(exec ",
                     " {\"__name__\" \"__main__\" \"_script_names\" (globals)})", out);
}
