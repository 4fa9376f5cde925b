// SPDX-License-Identifier: MIT
#include "cli/blocked.h"

#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/path.h"
#include "cli/yamlfile.h"

/* The number of the line in which an account is named, for messages; 1 if it is not found. */
static int line_of(const char *path, const char *name)
{
    struct arena in = {0};
    const char *text = fs_read(&in, path, NULL), *found = text ? strstr(text, name) : NULL;
    int line = 1;
    for (const char *at = text; found && at < found; at++)
        line += *at == '\n';
    arena_free(&in);
    return line;
}

static bool refuse(struct diags *dx, const char *path, const char *name, const char *what)
{
    complain(dx, (struct span){0}, "%s:%d: the entry of account '%s' has no %s", path,
             line_of(path, name), name, what);
    diag_hint(dx, "every entry says why and since when: {name: clive, reason: ..., date: "
                  "2026-04-12}, so that somebody can lift it one day");
    return false;
}

static bool read_entry(struct diags *dx, const char *path, const struct json *entry,
                       blocked_list *out)
{
    struct blocked blocked = {.name = json_text(json_get(entry, "name"), entry->key),
                              .reason = json_text(json_get(entry, "reason"), ""),
                              .date = json_text(json_get(entry, "date"), ""),
                              .file = path};
    if (!blocked.name && entry->kind == JSON_STRING)
        return refuse(dx, path, entry->text, "reason");
    if (!blocked.name || !*blocked.name)
        return complain(dx, (struct span){0}, "%s: entry %u names no account", path, out->len + 1);
    if (!*blocked.reason)
        return refuse(dx, path, blocked.name, "reason");
    if (!*blocked.date)
        return refuse(dx, path, blocked.name, "date");
    vec_push(out, blocked);
    return true;
}

static bool read_file(struct arena *in, struct diags *dx, const char *path, blocked_list *out)
{
    if (!fs_exists(path))
        return true;
    const struct json *top = yaml_file(in, dx, path);
    const struct json *list = json_get(top, "blocked_accounts");
    bool good = top != NULL;
    list = list ? list : top;
    if (good && list->kind != JSON_NULL && list->kind != JSON_ARRAY && list->kind != JSON_OBJECT)
        return complain(dx, (struct span){0}, "%s is not a list of accounts", path);
    for (const struct json *entry = json_first(list); good && entry; entry = entry->next)
        good = read_entry(dx, path, entry, out);
    return good;
}

bool blocked_read(struct arena *in, struct diags *dx, const char *project, blocked_list *out)
{
    static const char name[] = "blocked_accounts.yaml";
    const char *site = getenv("KINTSUGI_SITE");
    const char *folders[] = {site && *site ? site : "/etc/kintsugi",
                             path_join(in, fs_user_config(in), "kintsugi"),
                             path_join(in, project, "workflow"), project};
    bool good = true;
    for (size_t i = 0; good && i < sizeof folders / sizeof *folders; i++)
        good = read_file(in, dx, path_normal(in, path_join(in, folders[i], name)), out);
    return good;
}
