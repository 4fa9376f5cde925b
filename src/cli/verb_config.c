// SPDX-License-Identifier: MIT
/* verb_config.c: kintsugi-flow config: the workflow folder of a project from its metadata; or only
 * the accounts in those of many. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/fs.h"
#include "base/path.h"
#include "cli/account_list.h"
#include "cli/arguments.h"
#include "cli/blocked.h"
#include "cli/project.h"
#include "cli/session.h"
#include "cli/verbs.h"
#include "cli/yamlfile.h"
#include "hpc/probe.h"

struct configuring {
    bool print_only, update_accounts, no_accounts;
    struct arena arena;
    struct diags *dx;
    struct accounts accounts; /* of the user; empty where there is no Slurm */
    blocked_list blocked;     /* of the project at hand */
    bool detected;
};

static void say_accounts(const struct configuring *c)
{
    int64_t gpu = 0;
    const char *plus = "";
    printf("accounts: ");
    for (uint32_t i = 0; i < c->accounts.all.len; i++) {
        const struct account *account = &c->accounts.all.at[i];
        struct slots slots = account_slots(&c->accounts, account);
        if (!account_usable(account))
            continue;
        printf("%s%s(%lldG+%lldC)", plus, account->name, (long long)slots.gpu,
               (long long)slots.cpu);
        gpu += slots.gpu;
        plus = " + ";
    }
    printf(*plus ? " = %lld GPU slots\n" : "none detected\n", (long long)gpu);
}

/* The command as it can be given to a shell, whatever the folder is called. */
static void say_next(const char *dir)
{
    struct buf text = {0};
    buf_shell_word(&text, dir);
    printf("next: kintsugi-flow run -d %s -s %s/workflow/Snakefile --profile "
           "%s/workflow/profiles/slurm -n\n",
           buf_text(&text), buf_text(&text), buf_text(&text));
    buf_free(&text);
}

static void say_count(int64_t n, const char *what)
{
    if (n > 0)
        printf("%lld %s", (long long)n, what);
    else
        printf("%s as in data/raw", what);
}

static bool write_project(struct configuring *c, const char *dir)
{
    struct project project;
    struct buf text = {0};
    if (!project_read(&c->arena, c->dx, dir, &project))
        return false;
    project_config(&project, &c->accounts, &text);
    bool good = true;
    const char *path = path_join(&c->arena, dir, "workflow/config.yaml");
    if (c->print_only)
        fwrite(buf_text(&text), 1, text.len, stdout);
    else
        good = project_write_file(c->dx, path, buf_text(&text), text.len) &&
               project_write_workflow(c->dx, dir);
    buf_free(&text);
    if (good && !c->print_only) {
        printf("%s: ", dir);
        say_count(project.cycles, "cycles");
        printf(", ");
        say_count(project.planes, "planes");
        printf("; written: workflow/config.yaml, Snakefile, rules, profiles\n");
        say_accounts(c);
        say_next(dir);
    }
    return good;
}

static bool is_blocked(const struct configuring *c, const char *name)
{
    for (uint32_t i = 0; i < c->blocked.len; i++)
        if (!strcmp(c->blocked.at[i].name, name))
            return true;
    return false;
}

/* Blocked ones go, and, where the site could tell, those that are not the user's any more. */
static enum account_fate judge(void *user, const char *name)
{
    struct configuring *c = user;
    struct account *known = accounts_find(&c->accounts, name, strlen(name));
    if (is_blocked(c, name) || (known && !account_usable(known)))
        return ACCOUNT_GOES;
    return c->detected && !known ? ACCOUNT_GOES : ACCOUNT_STAYS;
}

static enum account_fate note_name(void *user, const char *name)
{
    struct buf *names = user;
    buf_printf(names, ",%s,", name);
    return ACCOUNT_STAYS;
}

/* Entries for usable accounts that the list does not have yet. */
static const char *const *missing(struct configuring *c, const char *text)
{
    struct buf names = {0}, ignored = {0};
    struct account_edit look = {.user = &names, .judge = note_name};
    struct account_edited result;
    const char **add = arena_array(&c->arena, const char *, c->accounts.all.len + 1);
    uint32_t n = 0;
    account_list_edit(text, &look, &ignored, &result);
    for (uint32_t i = 0; i < c->accounts.all.len; i++) {
        const struct account *account = &c->accounts.all.at[i];
        const char *word = arena_printf(&c->arena, ",%s,", account->name);
        if (account_usable(account) && !strstr(buf_text(&names), word))
            add[n++] = account_list_entry(&c->arena, &c->accounts, account);
    }
    buf_free(&names);
    buf_free(&ignored);
    return add;
}

static bool update_project(struct configuring *c, const char *dir)
{
    const char *path = path_join(&c->arena, dir, "workflow/config.yaml");
    struct buf out = {0};
    struct account_edited result;
    const char *text = fs_read(&c->arena, path, NULL);
    if (!text) {
        complain(c->dx, (struct span){0}, "cannot read '%s': %s", path, strerror(errno));
        diag_hint(c->dx, "kintsugi-flow config %s writes it", dir);
        return false;
    }
    if (!yaml_file(&c->arena, c->dx, path))
        return false;
    struct account_edit edit = {.user = c, .judge = judge, .add = missing(c, text)};
    bool good = account_list_edit(text, &edit, &out, &result);
    if (!good)
        complain(c->dx, (struct span){0}, "'%s' has no list 'accounts:' below 'resources:'", path);
    else if (c->print_only)
        fwrite(buf_text(&out), 1, out.len, stdout);
    else if (strcmp(buf_text(&out), text))
        good = fs_write(path, buf_text(&out), out.len) ||
               complain(c->dx, (struct span){0}, "cannot write '%s': %s", path, strerror(errno));
    if (good && !c->print_only)
        printf("%s: %u kept, %u removed, %u added\n", path, result.kept, result.removed,
               result.added);
    buf_free(&out);
    return good;
}

static bool one_project(struct configuring *c, const char *dir)
{
    c->blocked.len = 0;
    for (uint32_t i = 0; i < c->accounts.all.len; i++)
        c->accounts.all.at[i].blocked = NULL;
    if (!blocked_read(&c->arena, c->dx, dir, &c->blocked))
        return false;
    accounts_block(&c->accounts, c->blocked.at, c->blocked.len);
    return c->update_accounts ? update_project(c, dir) : write_project(c, dir);
}

static int all_projects(struct configuring *c, const char *const *dirs)
{
    bool good = true, any = false;
    for (const char *const *dir = dirs; *dir; dir++)
        any |= fs_exists(*dir);
    c->no_accounts |= !any; /* names that are wrong cost nobody a question */
    if (!c->no_accounts)
        c->detected = probe_accounts(
            &(struct probe_options){.user = fs_username(), .partitions = true}, &c->accounts);
    for (uint32_t i = 0; !c->no_accounts && !c->detected && i < c->accounts.notes.len; i++)
        fprintf(stderr, "note: %s\n", c->accounts.notes.at[i]);
    for (; *dirs; dirs++) {
        good &= one_project(c, *dirs);
        fflush(stdout);
        diag_print(c->dx, stderr, fs_has_colors(2));
    }
    return good ? EXIT_OK : EXIT_BAD;
}

int verb_config(const char *self, int argc, const char *const *argv)
{
    struct configuring c = {0};
    struct arguments arguments;
    const struct argument table[] = {
        {"--print-only", NULL, &c.print_only, NULL, "show config.yaml, write nothing"},
        {"--update-accounts", NULL, &c.update_accounts, NULL,
         "change only the accounts of existing config.yaml files"},
        {"--no-accounts", NULL, &c.no_accounts, NULL, "do not ask Slurm for accounts"},
        {0}};
    static const char usage[] =
        "config PROJECT ... [OPTIONS]\n\n"
        "Writes PROJECT/workflow from PROJECT/meta/experiment.json, with the Slurm accounts that "
        "you may use.\nA file there that differs is kept as NAME.~1~.";
    bool good = arguments_parse(&arguments, table, usage, argc, argv);
    int status = arguments.status;
    if (good && !arguments.words.len) {
        fputs("error: which project? kintsugi-flow config PROJECT\n", stderr);
        status = EXIT_USAGE;
    } else if (good) {
        struct sources *sources = sources_new();
        c.dx = diags_new(sources);
        status = all_projects(&c, arguments.words.at);
        diags_free(c.dx);
        sources_free(sources);
    }
    accounts_free(&c.accounts);
    vec_free(&c.blocked);
    arena_free(&c.arena);
    arguments_free(&arguments);
    return status;
}
