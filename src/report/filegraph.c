// SPDX-License-Identifier: MIT
#include "report/filegraph.h"

#include <stdlib.h>

#include "base/words.h"

static void html(const char *text, struct buf *out)
{
    for (; *text; text++)
        switch (*text) {
        case '&': buf_str(out, "&amp;"); break;
        case '<': buf_str(out, "&lt;"); break;
        case '>': buf_str(out, "&gt;"); break;
        case '"': buf_str(out, "&quot;"); break;
        case '\'': buf_str(out, "&#x27;"); break;
        default: buf_char(out, *text);
        }
}

static void add_files(const struct graph *g, const struct items *items, const char *row_end,
                      struct buf *out)
{
    struct arena texts_in = {0};
    const char **texts = arena_array(&texts_in, const char *, items->len + 1);
    for (uint32_t i = 0; i < items->len; i++)
        texts[i] = items->at[i].kind == ITEM_PATTERN
                       ? pattern_shown(&items->at[i].pattern, &texts_in, g->names)
                       : "<input function>";
    qsort(texts, items->len, sizeof *texts, word_order);
    for (uint32_t i = 0; i < items->len; i++) {
        buf_str(out, "<tr>\n<td align=\"left\"><font face=\"monospace\">");
        html(texts[i], out);
        buf_printf(out, "</font></td>%s</tr>\n", row_end);
    }
    arena_free(&texts_in);
}

void filegraph_node(const struct graph *g, rule_id id, uint32_t number, const int color[3],
                    struct buf *out)
{
    const struct rule *rule = g->workflow->rules.at[id];
    buf_printf(out,
               "%u [ shape=none, margin=0, label=<<table border=\"2\" color=\"#%02X%02X%02X\" "
               "cellspacing=\"3\" cellborder=\"0\">\n<tr><td>\n"
               "<b><font point-size=\"18\">",
               number, color[0], color[1], color[2]);
    html(sym_text(g->names, rule->name), out);
    buf_printf(out, "</font></b>\n</td></tr>\n<hr/>\n<tr><td align=\"left\"> %s </td></tr>\n",
               rule->input.len ? "<b><font point-size=\"14\">&#8618; input</font></b>" : "");
    add_files(g, &rule->input, "\n", out);
    buf_printf(out, "<hr/>\n<tr><td align=\"right\"> %s </td> </tr>\n",
               rule->output.len ? "<b><font point-size=\"14\">output &rarr;</font></b>" : "");
    add_files(g, &rule->output, "", out);
    buf_str(out, "</table>>]\n");
}
