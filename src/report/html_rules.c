// SPDX-License-Identifier: MIT
/* html_rules.c: what each rule is and does, and the config files. */
#include <string.h>

#include "base/fs.h"
#include "base/path.h"
#include "report/highlight.h"
#include "report/page.h"
#include "report/rst.h"

static void add_items(struct page *page, const char *title, const struct items *items)
{
    enum { SHOWN = 40 };
    if (!items->len)
        return;
    buf_printf(&page->out, "<dt>%s</dt><dd>", title);
    for (uint32_t i = 0; i < items->len && i < SHOWN; i++) {
        const struct item *item = &items->at[i];
        buf_str(&page->out, i ? "<br>" : "");
        if (item->name)
            page_text(page, sym_text(page->g->names, item->name));
        buf_str(&page->out, item->name ? " = " : "");
        if (item->kind == ITEM_PATTERN) {
            buf_str(&page->out, "<code>");
            page_text(page, sym_text(page->g->names, item->pattern.text));
            buf_str(&page->out, "</code>");
        } else {
            buf_str(&page->out, "<em>function</em>");
        }
    }
    if (items->len > SHOWN)
        buf_printf(&page->out, "<br>… %u in all", items->len);
    buf_str(&page->out, "</dd>");
}

static void add_value(struct page *page, const char *title, value v)
{
    value text = v && v != VALUE_NONE && !value_callable(v) ? value_str(page->g->workflow->vm, v)
                                                            : NO_VALUE;
    if (!text)
        return;
    buf_printf(&page->out, "<dt>%s</dt><dd><code>", title);
    page_text(page, str_text(text));
    buf_str(&page->out, "</code></dd>");
}

static void add_code(struct page *page, const char *title, const char *text, size_t len,
                     enum code_kind kind)
{
    buf_str(&page->out, "<div class=\"facts path\">");
    page_text(page, title);
    buf_str(&page->out, "</div>");
    highlight(text, len, kind, &page->out);
}

static job_id first_job(const struct page *page, rule_id rule)
{
    for (job_id j = 1; j < page->g->jobs.len; j++)
        if (page->g->jobs.at[j].rule == rule && page->g->jobs.at[j].needed)
            return j;
    return 0;
}

/* The path of a rule's script, as its first job has it; NULL: it cannot be told. */
static const char *script_of(struct page *page, rule_id rule)
{
    struct job_eval eval;
    struct job_files inputs = {0};
    job_id job = first_job(page, rule);
    const char *path = job && graph_job_eval(page->g, job, &page->scratch, &inputs, &eval) ==
                                   EVAL_OK
                           ? eval_script(&eval)
                           : NULL;
    vm_take_error(page->g->workflow->vm);
    if (job)
        job_eval_free(&eval);
    vec_free(&inputs);
    return path;
}

static void add_script(struct page *page, const struct rule *rule)
{
    size_t len;
    const char *path = script_of(page, rule->id);
    const char *text = path ? fs_read(&page->scratch, path, &len) : NULL;
    const char *code = text && rule->body == BODY_NOTEBOOK
                           ? notebook_code(page->g->workflow, &page->scratch, text)
                           : NULL;
    if (code)
        add_code(page, path_basename(path), code, strlen(code), CODE_PYTHON);
    else if (text)
        add_code(page, path_basename(path), text, len, code_kind_of(path));
    else
        add_value(page, rule->body == BODY_CWL ? "Tool" : "Script", rule->body_value.v);
}

/* The text as it stands in the Snakefile, where it is no constant. */
static void add_shell(struct page *page, const struct rule *rule)
{
    size_t len;
    if (rule->body_value.v && is_str(rule->body_value.v)) {
        const struct str *text = as_str(rule->body_value.v);
        add_code(page, "shell", text->text, text->len, CODE_SHELL);
        return;
    }
    const char *text = span_text(page->g->workflow->sources, rule->body_span, &len);
    if (text)
        add_code(page, "shell", text, len, CODE_PYTHON);
}

static void add_body(struct page *page, const struct rule *rule)
{
    size_t len;
    const char *text;
    switch (rule->body) {
    case BODY_SHELL: add_shell(page, rule); break;
    case BODY_RUN:
        text = span_text(page->g->workflow->sources, rule->code_span, &len);
        if (text)
            add_code(page, "run", text, len, CODE_PYTHON);
        break;
    case BODY_SCRIPT:
    case BODY_NOTEBOOK:
    case BODY_CWL:
    case BODY_WRAPPER: add_script(page, rule); break;
    default: break;
    }
}

static void add_rule(struct page *page, uint32_t node)
{
    rule_id id = page->net.node[node].rule;
    const struct rule *rule = page->g->workflow->rules.at[id];
    const char *name = sym_text(page->g->names, rule->name);
    uint32_t n = page->net.node[node].njobs;
    buf_str(&page->out, "<details class=\"rule\" id=\"");
    html_anchor(&page->out, "rule", name);
    buf_printf(&page->out, "\"><summary><span class=\"dot\" style=\"--hue:%d\"></span><strong>",
               rulegraph_hue(node, page->net.nnodes));
    page_text(page, name);
    buf_printf(&page->out, "</strong><span class=\"facts\">%s%u job%s</span></summary>\n",
               rule->checkpoint ? "checkpoint, " : "", n, n == 1 ? "" : "s");
    if (rule->docstring) {
        buf_str(&page->out, "<p>");
        page_text(page, rule->docstring);
        buf_str(&page->out, "</p>");
    }
    buf_str(&page->out, "<dl>");
    add_items(page, "Input", &rule->input);
    add_items(page, "Output", &rule->output);
    add_items(page, "Log", &rule->log);
    add_value(page, "Conda environment", rule->conda.v);
    add_value(page, "Container", rule->container.v);
    add_value(page, "Modules", rule->envmodules.v);
    buf_str(&page->out, "</dl>");
    add_body(page, rule);
    buf_str(&page->out, "</details>\n");
    page_flush(page);
}

void page_rules(struct page *page)
{
    buf_str(&page->out, "<section id=\"rules\"><h2>Rules</h2>\n");
    for (uint32_t i = 0; i < page->net.nnodes; i++)
        add_rule(page, i);
    buf_str(&page->out, "</section>\n");
}

void page_configs(struct page *page)
{
    const struct workflow *w = page->g->workflow;
    if (!w->configfiles.len)
        return;
    buf_str(&page->out, "<section id=\"configuration\"><h2>Configuration</h2>\n");
    for (uint32_t i = 0; i < w->configfiles.len; i++) {
        size_t len;
        const char *path = w->configfiles.at[i];
        const char *text = fs_read(&page->scratch, path, &len);
        if (!text) {
            page_lacks(page, "config file", path);
            continue;
        }
        buf_str(&page->out, "<details class=\"rule\"><summary class=\"path\">");
        page_text(page, path);
        buf_str(&page->out, "</summary>");
        highlight(text, len, code_kind_of(path), &page->out);
        buf_str(&page->out, "</details>\n");
    }
    buf_str(&page->out, "</section>\n");
}
