// SPDX-License-Identifier: MIT
#include "cli/account_list.h"

#include <string.h>

struct line {
    const char *at;
    size_t len; /* with its end */
    size_t indent;
    bool blank, comment, item; /* item: begins with "- " */
};

static bool next_line(const char **text, struct line *line)
{
    if (!**text)
        return false;
    size_t n = strcspn(*text, "\n");
    *line = (struct line){.at = *text, .len = n + ((*text)[n] == '\n')};
    while (line->indent < n && line->at[line->indent] == ' ')
        line->indent++;
    char first = line->indent < n ? line->at[line->indent] : '\n';
    line->blank = first == '\n' || first == '\r';
    line->comment = first == '#';
    line->item = first == '-' && line->indent + 1 < n && line->at[line->indent + 1] == ' ';
    *text += line->len;
    return true;
}

static bool is_key(const struct line *line, const char *key)
{
    size_t n = strlen(key);
    return line->len > line->indent + n && !memcmp(line->at + line->indent, key, n) &&
           line->at[line->indent + n] == ':';
}

/* The value of name: in an entry; empty if it has none. */
static void name_of(const char *text, size_t len, char *out, size_t size)
{
    out[0] = 0;
    for (size_t i = 0; i + 5 <= len; i++) {
        bool starts = !i || strchr(" {,\t", text[i - 1]);
        if (!starts || memcmp(text + i, "name:", 5))
            continue;
        i += 5;
        while (i < len && strchr(" \"'", text[i]))
            i++;
        size_t n = 0;
        while (i + n < len && n + 1 < size && !strchr(" ,}\"'\r\n#", text[i + n]))
            n++;
        memcpy(out, text + i, n);
        out[n] = 0;
        return;
    }
}

/* Everything up to the line "accounts:" below "resources:"; false if there is none. */
static bool skip_to_list(const char **text, struct line *head)
{
    bool inside = false;
    while (next_line(text, head)) {
        if (head->blank || head->comment)
            continue;
        if (!head->indent)
            inside = is_key(head, "resources");
        else if (inside && is_key(head, "accounts"))
            return true;
    }
    return false;
}

/* The end of the entry that begins at text: behind its last line. */
static const char *entry_end(const char *text)
{
    struct line line;
    next_line(&text, &line);
    size_t indent = line.indent;
    const char *end = text;
    for (const char *at = text; next_line(&at, &line) && (line.blank || line.indent > indent);)
        if (!line.blank)
            end = at;
    return end;
}

static void add_entries(const struct account_edit *edit, size_t indent, struct buf *out,
                        struct account_edited *result)
{
    for (const char *const *entry = edit->add; entry && *entry; entry++) {
        buf_printf(out, "%*s- %s\n", (int)indent, "", *entry);
        result->added++;
    }
}

/* "accounts: []" becomes "accounts:" when there is something to list; a comment behind it stays. */
static void open_list(const struct line *head, bool any, struct buf *out)
{
    const char *bracket = memchr(head->at, '[', head->len);
    const char *comment = memchr(head->at, '#', head->len);
    const char *close = bracket ? memchr(bracket, ']', (size_t)(head->at + head->len - bracket))
                                : NULL;
    if (!any || !close || (comment && comment < bracket)) {
        buf_add(out, head->at, head->len);
        return;
    }
    size_t upto = (size_t)(bracket - head->at);
    while (upto && head->at[upto - 1] == ' ')
        upto--;
    buf_add(out, head->at, upto);
    buf_add(out, close + 1, (size_t)(head->at + head->len - close) - 1);
}

bool account_list_edit(const char *text, const struct account_edit *edit, struct buf *out,
                       struct account_edited *result)
{
    struct line head, line;
    const char *at = text, *done;
    size_t indent = 0;
    *result = (struct account_edited){0};
    if (!skip_to_list(&at, &head))
        return false;
    buf_add(out, text, (size_t)(head.at - text));
    open_list(&head, edit->add && *edit->add, out);
    for (done = at; next_line(&at, &line);) {
        if (line.blank || line.comment)
            continue;
        if (!line.item || line.indent < head.indent)
            break;
        char name[128];
        const char *end = entry_end(line.at);
        indent = line.indent;
        name_of(line.at, (size_t)(end - line.at), name, sizeof name);
        bool goes = *name && edit->judge(edit->user, name) == ACCOUNT_GOES;
        buf_add(out, done, (size_t)((goes ? line.at : end) - done));
        result->kept += !goes;
        result->removed += goes;
        done = at = end;
    }
    add_entries(edit, indent ? indent : head.indent + 2, out, result);
    buf_str(out, done);
    return true;
}

const char *account_list_entry(struct arena *in, const struct accounts *accounts,
                               const struct account *account)
{
    struct slots slots = account_slots(accounts, account);
    const char *gpu = accounts->gpu_partitions, *cpu = accounts->cpu_partition;
    return arena_printf(in, "{name: %s, gpu_slots: %lld, cpu_slots: %lld%s%s%s%s%s}", account->name,
                        (long long)slots.gpu, (long long)slots.cpu,
                        gpu ? ", partition_gpu: \"" : "", gpu ? gpu : "", gpu ? "\"" : "",
                        cpu ? ", partition_cpu: " : "", cpu ? cpu : "");
}
