// SPDX-License-Identifier: MIT
/* jobeval_cwl.c: a body of cwl: as a call of cwltool. The tool gets the job's named inputs, params,
 * outputs and logs as one JSON object, input files as objects of their own kind:
 *
 *     {"reads": {"path": "/data/a.fq", "class": "File"}, "quality": 20, "out": "a.txt"} */
#include <ctype.h>
#include <string.h>

#include "base/buf.h"
#include "base/http.h"
#include "base/path.h"
#include "flow/evalvalues.h"
#include "flow/namedlist.h"
#include "flow/scriptvalue.h"
#include "flow/scriptview.h"
#include "flow/state.h"

/* One file, or a list of them. */
static bool file_json(const struct script_view *view, value v, struct buf *out)
{
    struct workflow *w = view->eval->workflow;
    value path = path_value(w->vm, v);
    size_t n;
    if (!path) {
        const value *item = sequence_items(v, &n);
        buf_char(out, '[');
        for (size_t i = 0; i < n; i++) {
            buf_str(out, i ? ", " : "");
            if (!file_json(view, item[i], out))
                return false;
        }
        buf_char(out, ']');
        return !vm_failed(w->vm);
    }
    const char *text = path_absolute(view->eval->scratch, w->workdir, str_text(path));
    buf_str(out, "{\"path\": ");
    buf_json_text(out, text);
    buf_str(out, ", \"class\": \"File\"}");
    return true;
}

/* Which parts of a job the tool sees. */
static const struct seen {
    int part; /* of script_part_names */
    bool files;
} seen[] = {{0, true}, {2, false}, {1, false}, {5, false}};
enum { SEEN = sizeof seen / sizeof *seen };

/* As with dict.update(), the last of several parts that know a name has it. */
static bool comes_again(const struct script_view *view, int from, sym_t name)
{
    while (++from < SEEN &&
           !namedlist_find(view->eval->workflow->vm, view->part[seen[from].part], name))
        ;
    return from < SEEN;
}

static bool inputs_json(const struct script_view *view, struct buf *out)
{
    struct workflow *w = view->eval->workflow;
    sym_t name;
    uint32_t at, len;
    bool is_list, good = true;
    buf_char(out, '{');
    for (int k = 0; k < SEEN; k++) {
        value list = view->part[seen[k].part];
        for (size_t i = 0; good && namedlist_range(list, i, &name, &at, &len, &is_list); i++) {
            if (comes_again(view, k, name))
                continue;
            value item = namedlist_find(w->vm, list, name);
            const char *text = flow_text(w, name);
            buf_str(out, out->len > 1 ? ", " : "");
            buf_json_text(out, text);
            buf_str(out, ": ");
            good = item && (seen[k].files ? file_json(view, item, out)
                                          : scriptvalue_json(w->vm, item, out));
        }
    }
    buf_char(out, '}');
    return good;
}

/* "file:///a%20b" (Snakemake's "file:/a%20b" is refused by cwltool, 3.1 as 3.3), or the URL
 * itself. */
static void tool_url(const char *path, struct buf *out)
{
    if (http_is_url(path)) {
        buf_str(out, path);
        return;
    }
    buf_str(out, "file://");
    for (; *path; path++) {
        bool plain = isalnum((unsigned char)*path) || strchr("/_.-~", *path);
        buf_printf(out, plain ? "%c" : "%%%02X", (unsigned char)*path);
    }
}

bool eval_cwl_command(struct job_eval *eval, const char *dir, struct script_run *out)
{
    struct script_view view;
    struct buf text = {0}, command = {0}, url = {0};
    *out = (struct script_run){0};
    bool good = script_view_open(eval, eval_script(eval), &view) && inputs_json(&view, &text) &&
                (out->file = script_write_file(eval, dir, "cwl.json", &text));
    if (good) {
        script_demand(&command, "tool", view.path, "cwltool");
        tool_url(view.path, &url);
        buf_str(&command,
                eval->workflow->options.software.container ? "cwltool --singularity " : "cwltool ");
        buf_shell_quote(&command, url.at, url.len);
        buf_char(&command, ' ');
        buf_shell_word(&command, out->file);
        out->command = arena_copy(eval->scratch, command.at, command.len);
    } else {
        eval_failed(eval, "cwl tool", eval->rule->body_span);
    }
    buf_free(&text);
    buf_free(&command);
    buf_free(&url);
    return good;
}
