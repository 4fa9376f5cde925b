// SPDX-License-Identifier: MIT
/* verb_run.c: kintsugi-flow run, layer by layer. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "base/http.h"
#include "base/memory.h"
#include "base/path.h"
#include "base/visible.h"
#include "base/words.h"
#include "cli/background.h"
#include "cli/capacity.h"
#include "cli/deployment.h"
#include "cli/execute.h"
#include "cli/listings.h"
#include "cli/notebooks.h"
#include "cli/packing.h"
#include "cli/reports.h"
#include "cli/setup.h"
#include "cli/site.h"
#include "cli/touch.h"
#include "cli/unittests.h"
#include "cli/verbs.h"
#include "flow/origin.h"
#include "flow/porter.h"
#include "flow/storage.h"
#include "graph/gang.h"
#include "graph/protect.h"
#include "loop/loop.h"
#include "report/dot.h"
#include "report/dryrun.h"
#include "report/lint.h"
#include "report/summary.h"
#include "run/handover.h"
#include "run/spec.h"
#include "state/lock.h"
#include "syntax/parse.h"

enum { AGAIN = -1 }; /* in place of an exit status: from the beginning */

static void print(const struct buf *text)
{
    put_visible(stdout, buf_text(text), text->len);
    fflush(stdout);
}

/* ---- what needs no graph ---- */

static int list_rules(struct session *s, bool only_targets)
{
    struct workflow *w = s->workflow;
    const char **lines = memory_zeroed(w->rules.len + 1, sizeof *lines);
    uint32_t n = 0;
    for (rule_id r = 1; r < w->rules.len; r++) {
        const struct rule *rule = w->rules.at[r];
        const char *name = sym_text(s->names, rule->name);
        if (!only_targets || !rule->wildcards.n)
            lines[n++] = rule->docstring ? arena_printf(&s->arena, "%s (%s)", name, rule->docstring)
                                         : name;
    }
    qsort(lines, n, sizeof *lines, word_order);
    for (uint32_t i = 0; i < n; i++)
        puts(lines[i]);
    free(lines);
    return EXIT_OK;
}

static int print_tree(struct session *s)
{
    struct arena in = {0};
    struct buf text = {0};
    size_t len;
    const char *why = "", *source = origin_read(s->workflow, s->snakefile, &len, &why);
    if (!source) {
        complain(s->diags, (struct span){0}, "Failed to open source file %s: %s",
                 http_shown(&s->arena, s->snakefile), why);
        return EXIT_BAD;
    }
    struct node *tree = parse_source(&in, s->names, s->diags,
                                     source_add(s->sources, s->snakefile, source, len),
                                     &(struct parse_options){0});
    if (tree)
        ast_print(tree, s->names, &text);
    print(&text);
    buf_free(&text);
    arena_free(&in);
    return tree ? EXIT_OK : EXIT_BAD;
}

/* Without its lock a run that is alive would be taken for a killed one, and the next would end its
 * jobs. */
static void keep_locked(void *user, const struct lock_owner *owner)
{
    struct session *s = user;
    if (strcmp(owner->host, fs_hostname()))
        return;
    complain_kind(s->diags, "LockException", (struct span){0},
                  "the directory stays locked: process %ld of %s on %s is alive", owner->pid,
                  owner->user, owner->host);
    diag_hint(s->diags, "wait until it has ended, or end it with kintsugi-flow stop");
}

static int unlock(struct session *s)
{
    lock_owners(".", keep_locked, s);
    if (diag_errors(s->diags))
        return EXIT_BAD;
    if (!lock_remove_all(".")) {
        complain(s->diags, (struct span){0}, "the locks in .snakemake/locks cannot be removed: %s",
                 strerror(errno));
        return EXIT_BAD;
    }
    fputs("Unlocked working directory.\n", stderr);
    return EXIT_OK;
}

static int cleanup_metadata(struct session *s)
{
    bool unknown = false;
    bool open = setup_state(s, false);
    for (const char *const *w = option_words(&s->options, OPT_CLEANUP_METADATA); open && *w; w++) {
        sym_t path = state_named(s->state, *w);
        if (!output_is_known(state_find(s->state, path)))
            unknown = !complain_kind(s->diags, "WorkflowError", (struct span){0},
                                     "nothing is recorded about '%s'", *w);
        state_drop_outputs(s->state, &path, 1);
    }
    return open && state_commit(s->state) && !unknown ? EXIT_OK : EXIT_BAD;
}

/* --lint: 0 where nothing is to be said. */
static int lint(struct session *s)
{
    struct buf text = {0};
    bool json = !strcmp(option_word(&s->options, OPT_LINT, "text"), "json");
    uint32_t n = lint_workflow(s->workflow, json, &text);
    if (!n && !json)
        buf_str(&text, "Congratulations, your workflow is in a good condition!\n");
    fwrite(buf_text(&text), 1, text.len, json ? stdout : stderr);
    buf_free(&text);
    return n ? EXIT_BAD : EXIT_OK;
}

/* On another machine, too: its jobs may run here. */
static void keep_used(void *user, const struct lock_owner *owner)
{
    const struct session *s = user;
    complain_kind(s->diags, "LockException", (struct span){0},
                  "shadow directories stay: jobs of process %ld of %s on %s may be in them",
                  owner->pid, owner->user, owner->host);
    diag_hint(s->diags, "wait until it has ended; or, if it is gone, --unlock removes its lock");
}

static int cleanup_shadow(struct session *s)
{
    if (lock_owners(".", keep_used, s))
        return EXIT_BAD;
    const char *prefix = option_word(&s->options, OPT_SHADOW_PREFIX, ".snakemake");
    const char *dir = path_join(&s->arena, prefix, "shadow");
    if (!fs_exists(dir) || fs_remove_tree(dir))
        return EXIT_OK;
    complain(s->diags, (struct span){0}, "'%s' cannot be removed: %s", dir, strerror(errno));
    return EXIT_BAD;
}

/* ---- the head of the log ---- */

static void say_list(struct session *s, const char *title, const char *const *words, uint32_t n)
{
    struct buf line = {0};
    buf_printf(&line, "  %s: [", title);
    for (uint32_t i = 0; i < n; i++)
        buf_printf(&line, "%s'%s'", i ? ", " : "", words[i]);
    buf_char(&line, ']');
    log_text(&s->log, LOG_PLAIN, buf_text(&line), line.len);
    buf_free(&line);
}

static void say_host(struct session *s)
{
    char date[32];
    if (!log_wants(&s->log, QUIET_HOST))
        return;
    clock_text(clock_wall_ns(), date);
    log_say(&s->log, LOG_PLAIN,
            "kintsugi-flow %s\n  Date: %s\n  Host: %s\n  User: %s\n  Snakefile: %s\n  Working "
            "directory: %s",
            KF_VERSION, date, fs_hostname(), fs_username(), http_shown(&s->arena, s->snakefile),
            s->workflow->workdir);
    say_list(s, "Config file(s)", (const char *const *)s->workflow->configfiles.at,
             s->workflow->configfiles.len);
    log_text(&s->log, LOG_PLAIN, "", 0);
}

/* ---- what needs the graph ---- */

static int show_graph(struct session *s,
                      void (*draw)(const struct graph *g, enum drawing form, struct buf *out),
                      enum option_id id)
{
    struct buf text = {0};
    bool mermaid = !strcmp(option_word(&s->options, id, "dot"), "mermaid-js");
    draw(s->graph, mermaid ? DRAW_MERMAID : DRAW_DOT, &text);
    print(&text);
    buf_free(&text);
    return EXIT_OK;
}

static int show_files(struct session *s)
{
    struct buf text = {0};
    dot_rules(s->graph, DRAW_FILES, &text);
    print(&text);
    buf_free(&text);
    return EXIT_OK;
}

static int show_d3(struct session *s)
{
    struct buf text = {0};
    d3_jobs(s->graph, &text);
    print(&text);
    buf_free(&text);
    return EXIT_OK;
}

static int show_summary(struct session *s)
{
    struct buf text = {0};
    bool good = summary_text(s->graph, &s->fresh, s->options.given[OPT_DETAILED_SUMMARY], &text);
    print(&text);
    buf_free(&text);
    return good ? EXIT_OK : EXIT_BAD;
}

/* A directory goes with what is in it only if it was declared as one, or temporary. */
static bool delete_one(const struct graph *g, file_id f)
{
    const char *path = file_path(g, f);
    struct stat st;
    if (lstat(path, &st) || !S_ISDIR(st.st_mode) ||
        g->files.at[f].flags & (FLAG_DIRECTORY | FLAG_TEMP))
        return fs_remove_tree(path);
    return !rmdir(path) || errno == ENOTEMPTY;
}

/* A file that lives in a storage, and may have a local copy that was kept. */
static void delete_stored(struct session *s, const struct storage_place *place)
{
    struct fs_info info;
    const char *why, *hint;
    bool dry = s->options.given[OPT_DRY_RUN];
    storage_stat(place, &info);
    if (info.error)
        complain(s->diags, (struct span){0}, "%s",
                 storage_unknown_text(&s->arena, place, info.error, &hint));
    if (info.mtime < 0)
        return;
    log_say(&s->log, LOG_INFO, "%s %s", dry ? "Would delete" : "Deleting", place->shown);
    if (!dry && !storage_remove(&s->arena, place, &why))
        complain(s->diags, (struct span){0}, "'%s' could not be deleted: %s", place->shown, why);
}

/* By errno. */
static void cannot_delete(struct session *s, const char *path)
{
    complain(s->diags, (struct span){0}, "'%s' could not be deleted: %s", path, strerror(errno));
}

static void delete_file(struct session *s, file_id f)
{
    struct graph *g = s->graph;
    const char *path = file_path(g, f);
    struct storage_place place;
    struct stat st;
    bool dry = s->options.given[OPT_DRY_RUN];
    if (storage_find(s->workflow, &s->arena, path, &place))
        delete_stored(s, &place);
    if (lstat(path, &st)) {
        if (!fs_is_absent(errno))
            cannot_delete(s, path);
        return;
    }
    if (fs_is_protected(path)) {
        log_say(&s->log, LOG_INFO, "Skipping write-protected file %s.", path);
        return;
    }
    log_say(&s->log, LOG_INFO, "%s %s", dry ? "Would delete" : "Deleting", path);
    if (!dry && !delete_one(g, f))
        cannot_delete(s, path);
}

/* Another run may be writing them, or read them. On a full disk there is no room for a lock, and
 * deleting makes some: it is only looked at the locks of others then. */
static bool lock_deleted(struct session *s, const file_id *files, uint32_t n, struct lock **lock)
{
    const char **paths = memory_zeroed(n + 1, sizeof *paths);
    int mark = diag_mark(s->diags);
    for (uint32_t i = 0; i < n; i++)
        paths[i] = file_path(s->graph, files[i]);
    struct lock_files wanted = {NULL, 0, paths, n};
    *lock = lock_take(".", s->diags, &wanted);
    bool full = !*lock && (errno == ENOSPC || errno == EDQUOT);
    if (full)
        diag_drop(s->diags, mark);
    bool good = *lock || (full && lock_look(".", s->diags, &wanted));
    free(paths);
    return good;
}

static void delete_files(struct session *s, const file_id *files, uint32_t n)
{
    bool free_for_all = s->options.given[OPT_DRY_RUN] || s->options.given[OPT_NOLOCK];
    struct lock *lock = NULL;
    bool good = free_for_all || lock_deleted(s, files, n, &lock);
    for (uint32_t i = 0; good && i < n; i++)
        delete_file(s, files[i]);
    lock_release(lock);
}

/* --delete-all-output, --delete-temp-output: outputs only, no logs or benchmarks that are used as
 * files. */
static int delete_output(struct session *s, bool only_temp)
{
    const struct graph *g = s->graph;
    VEC(file_id) files = {0};
    for (job_id j = 1; j < g->jobs.len; j++)
        for (uint32_t i = 0; g->jobs.at[j].needed && i < g->jobs.at[j].noutputs; i++) {
            file_id f = job_outputs(g, j)[i];
            if (!only_temp || g->files.at[f].flags & FLAG_TEMP)
                vec_push(&files, f);
        }
    delete_files(s, files.at, files.len);
    vec_free(&files);
    return diag_errors(s->diags) ? EXIT_BAD : EXIT_OK;
}

static int nothing_to_do(struct session *s)
{
    log_say(&s->log, LOG_INFO,
            "Nothing to be done (all requested files are present and up to date).");
    if (s->options.given[OPT_DRY_RUN]) {
        dryrun_unrecorded(s->graph, &s->log);
    } else {
        lock_remove_stale("."); /* of a killed run whose last job had ended */
        execute_record_nothing(s);
    }
    execute_say_left(s, "");
    return EXIT_OK;
}

/* The options that list files of the graph; -1: none was given. */
static int listings(struct session *s)
{
    const struct options *o = &s->options;
    uint16_t reason = o->given[OPT_LIST_INPUT_CHANGES]    ? REASON_INPUT_SET
                      : o->given[OPT_LIST_PARAMS_CHANGES] ? REASON_PARAMS
                      : o->given[OPT_LIST_CHANGES]        ? list_changes_reason(s)
                                                          : 0;
    if (reason)
        return list_changes(s, reason);
    return o->given[OPT_LIST_UNTRACKED] ? list_untracked(s) : -1;
}

/* Room on the accounts, before anything is submitted; AGAIN: there was none, now there is. */
static int check_capacity(struct session *s)
{
    bool wait = s->options.given[OPT_WAIT_FOR_CAPACITY] && !s->options.given[OPT_DRY_RUN];
    int mark = diag_mark(s->diags);
    capacity_show(s);
    if (!capacity_read(s))
        return EXIT_BAD;
    if (capacity_check(s))
        return EXIT_OK;
    if (!wait)
        return s->options.given[OPT_DRY_RUN] ? EXIT_OK : EXIT_BAD;
    diag_drop(s->diags, mark);
    return capacity_wait(s) ? AGAIN : EXIT_BAD;
}

/* What a run would say of the options of its site. */
static bool check_site(struct session *s)
{
    struct remote_options unused;
    return !site_is_used(&s->options) || site_fill(s, &unused);
}

/* What a run would say of jobs that must run at the same time. */
static bool check_gangs(struct session *s)
{
    job_id *ring;
    bool good = gangs_find(s->graph, &ring);
    free(ring);
    return good;
}

static int carry_out(struct session *s)
{
    const struct options *o = &s->options;
    int room = o->given[OPT_TOUCH] ? EXIT_OK : check_capacity(s);
    if (room != EXIT_OK)
        return room;
    if (!protect_check(s->graph, s->state) || !check_gangs(s))
        return EXIT_BAD;
    if (o->given[OPT_DRY_RUN] && !check_site(s))
        return EXIT_USAGE;
    if (o->given[OPT_DRY_RUN] && (!execute_can_cache(s) || !deployment_make(s, false, true)))
        return EXIT_BAD;
    if (o->given[OPT_DRY_RUN])
        return dryrun_print(s->graph, &s->log,
                            &(struct dryrun_options){
                                o->given[OPT_PRINTSHELLCMDS], s->cores, o->given[OPT_NOTEMP],
                                o->given[OPT_EDIT_NOTEBOOK] || o->given[OPT_DRAFT_NOTEBOOK]})
                   ? EXIT_OK
                   : EXIT_BAD;
    return o->given[OPT_TOUCH] ? touch(s) : execute(s);
}

static int with_graph(struct session *s)
{
    const struct options *o = &s->options;
    int listed = listings(s);
    if (listed >= 0)
        return listed;
    listed = deployment_verbs(s);
    if (listed >= 0)
        return listed;
    if (o->given[OPT_ARCHIVE])
        return pack_archive(s);
    if (o->given[OPT_CONTAINERIZE])
        return pack_container(s);
    if (o->given[OPT_GENERATE_UNIT_TESTS])
        return make_unit_tests(s);
    if (o->given[OPT_DAG])
        return show_graph(s, dot_jobs, OPT_DAG);
    if (o->given[OPT_RULEGRAPH])
        return show_graph(s, dot_rules, OPT_RULEGRAPH);
    if (o->given[OPT_FILEGRAPH])
        return show_files(s);
    if (o->given[OPT_D3DAG])
        return show_d3(s);
    if (o->given[OPT_SUMMARY] || o->given[OPT_DETAILED_SUMMARY])
        return show_summary(s);
    if (o->given[OPT_DELETE_ALL_OUTPUT] || o->given[OPT_DELETE_TEMP_OUTPUT])
        return delete_output(s, !o->given[OPT_DELETE_ALL_OUTPUT]);
    if (o->given[OPT_REPORT] && !o->given[OPT_REPORT_AFTER_RUN])
        return make_report(s);
    int status = s->graph->nmust_run ? carry_out(s) : nothing_to_do(s);
    bool report = o->given[OPT_REPORT_AFTER_RUN] && !o->given[OPT_DRY_RUN];
    if (!report || status != EXIT_OK)
        return status;
    signals_end_program(true);
    return make_report(s);
}

/* ---- all ---- */

/* No job is carried out, nor shown. */
static bool only_looks(const struct options *o)
{
    static const enum option_id ids[] = {OPT_DAG,
                                         OPT_RULEGRAPH,
                                         OPT_FILEGRAPH,
                                         OPT_D3DAG,
                                         OPT_SUMMARY,
                                         OPT_DETAILED_SUMMARY,
                                         OPT_LIST_CHANGES,
                                         OPT_LIST_INPUT_CHANGES,
                                         OPT_LIST_PARAMS_CHANGES,
                                         OPT_LIST_UNTRACKED,
                                         OPT_LIST_CONDA_ENVS,
                                         OPT_CONDA_CLEANUP_ENVS,
                                         OPT_CONDA_CREATE_ENVS_ONLY,
                                         OPT_CLEANUP_IMAGES,
                                         OPT_ARCHIVE,
                                         OPT_CONTAINERIZE,
                                         OPT_GENERATE_UNIT_TESTS};
    bool looks = o->given[OPT_REPORT] && !o->given[OPT_REPORT_AFTER_RUN];
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        looks |= o->given[ids[i]];
    return looks;
}

static bool is_readonly(const struct options *o)
{
    return o->given[OPT_DRY_RUN] || only_looks(o);
}

/* --executor dryrun and touch are the flags of those names. */
static void executor_flags(struct options *o)
{
    const char *name = option_word(o, OPT_EXECUTOR, "");
    o->given[OPT_DRY_RUN] |= !strcmp(name, "dryrun");
    o->given[OPT_TOUCH] |= !strcmp(name, "touch");
}

/* Which config files the command line has the last word on. */
static void say_config(struct session *s)
{
    const struct workflow *w = s->workflow;
    for (uint32_t i = 0; workflow_has_given_config(w) && i < w->config_named.len; i++)
        log_say(&s->log, LOG_INFO,
                "Config file %s is %s by additional config specified via the command line.",
                w->config_named.at[i], w->options.replace_config ? "replaced" : "extended");
}

static void say_batch(struct session *s)
{
    const struct batch *batch = &s->graph->options.batch;
    if (s->graph->batch_cut)
        log_say(&s->log, LOG_INFO,
                "Considering only batch %u/%u (rule %s) for DAG computation.\n"
                "All jobs beyond the batching rule are omitted until the final batch.\n"
                "Don't forget to run the other batches too.",
                batch->at, batch->of, sym_text(s->names, s->workflow->rules.at[batch->rule]->name));
}

/* --verbose */
static void say_graph(struct session *s, int64_t began)
{
    const struct graph *g = s->graph;
    uint32_t needed = 0;
    for (job_id j = 1; j < g->jobs.len; j++)
        needed += g->jobs.at[j].needed;
    log_say(
        &s->log, LOG_INFO,
        "Built the graph in %.3f s: %u files, %u jobs, %u of them to be carried out. Names take "
        "%.1f MB, Python values %.1f MB.",
        (double)(clock_ns() - began) / 1e9, (unsigned)g->files.len - 1, needed, g->nmust_run,
        (double)intern_bytes(g->names) / 1e6, (double)heap_bytes(s->workflow->vm) / 1e6);
}

static int with_workflow(struct session *s)
{
    const struct options *o = &s->options;
    int64_t began = clock_ns();
    say_config(s);
    if (o->given[OPT_LIST_RULES] || o->given[OPT_LIST_TARGETS])
        return list_rules(s, o->given[OPT_LIST_TARGETS]);
    if (o->given[OPT_LINT])
        return lint(s);
    if (o->given[OPT_UNLOCK])
        return unlock(s);
    if (o->given[OPT_CLEANUP_METADATA])
        return cleanup_metadata(s);
    if (o->given[OPT_CLEANUP_SHADOW])
        return cleanup_shadow(s);
    bool notebook = notebook_is_asked_for(s);
    if (!only_looks(o) && !o->given[OPT_DELETE_ALL_OUTPUT] && !o->given[OPT_DELETE_TEMP_OUTPUT]) {
        say_host(s);
        if (!execute_wait_for_files(s))
            return EXIT_BAD;
    }
    log_say(&s->log, LOG_INFO, "Building DAG of jobs...");
    if (s->log.terminal || s->log.out != stdout)
        log_flush(&s->log); /* input functions may take their time */
    if (!setup_build(s, is_readonly(o))) {
        if (o->given[OPT_REPORT] && o->targets.len)
            diag_hint(s->diags,
                      "'%s' was taken as a target; a report is written to FILE.html or FILE.zip",
                      o->targets.at[0]);
        return EXIT_BAD;
    }
    say_batch(s);
    if (o->given[OPT_VERBOSE])
        say_graph(s, began);
    return notebook && !is_readonly(o) ? notebook_work(s) : with_graph(s);
}

static void say_detached(void *user, long child, const char *log)
{
    (void)user;
    printf("Process %ld continues in the background; its log is %s\n", child, log);
}

/* --detach: -1 in the child that does what follows, else the exit status. */
static int detach(struct session *s)
{
    const char *log = path_join(&s->arena, option_word(&s->options, OPT_DIRECTORY, "."),
                                ".snakemake/log/detached.log");
    session_complain(s); /* the child is not to say the same again */
    return background_go(log, false, say_detached, NULL);
}

/* again: it has waited for room on the accounts, in the background if that was asked for. */
static int run_session(struct session *s, bool again)
{
    struct options *o = &s->options;
    bool away = o->given[OPT_DETACH] && !again;
    if (away && !o->given[OPT_DRY_RUN] && !o->given[OPT_TOUCH] && !execute_has_cores(s))
        return EXIT_BAD; /* which its log alone would tell */
    int detached = away ? detach(s) : -1;
    if (detached >= 0)
        return detached;
    executor_flags(o);
    bool dry = o->given[OPT_DRY_RUN];
    log_open(&s->log, dry ? stdout : stderr, 0, o->given[OPT_NOCOLOR]);
    s->log.quiet = session_quiet(o);
    s->log.json = o->given[OPT_LOGGER];
    if (!capacity_detect(s))
        return EXIT_BAD;
    int64_t began = clock_ns();
    if (!setup_load(s, is_readonly(o)))
        return EXIT_BAD;
    if (o->given[OPT_VERBOSE])
        log_say(&s->log, LOG_INFO, "Read %u rules in %.3f s.", (unsigned)s->workflow->rules.len - 1,
                (double)(clock_ns() - began) / 1e9);
    return o->given[OPT_PRINT_COMPILATION] ? print_tree(s) : with_workflow(s);
}

static int run_once(const char *self, bool again, int argc, const char *const *argv)
{
    struct session s;
    int status = EXIT_USAGE;
    bool good = setup_open(&s, self, again, argc, argv);
    if (s.options.given[OPT_HELP]) {
        options_help(stdout);
        status = EXIT_OK;
    } else if (s.options.given[OPT_VERSION]) {
        puts(KF_VERSION);
        status = EXIT_OK;
    } else if (good) {
        status = run_session(&s, again);
        status = s.exit_status >= 0 ? s.exit_status : status;
    }
    session_complain(&s);
    if (status == AGAIN && chdir(s.started_in))
        status = EXIT_BAD;
    setup_close(&s);
    return status;
}

int verb_run(const char *self, int argc, const char *const *argv)
{
    int status = run_once(self, false, argc, argv);
    while (status == AGAIN) /* the workflow is read anew: what is free has changed */
        status = run_once(self, true, argc, argv);
    return status;
}

/* The workflow as the run read it, which has warned of it. */
static bool load_again(struct session *s)
{
    bool good = setup_load(s, false);
    if (good)
        diag_drop(s->diags, 0);
    return good;
}

int verb_run_block(const char *self, int argc, const char *const *argv)
{
    struct session s;
    bool good = argc > 0 && setup_open(&s, self, true, argc - 1, argv + 1) && (s.of_a_job = true) &&
                load_again(&s) && spec_run(s.workflow, argv[0]);
    if (argc > 0) {
        session_complain(&s);
        setup_close(&s);
    }
    return good ? EXIT_OK : EXIT_BAD;
}

int verb_carry_files(const char *self, int argc, const char *const *argv)
{
    (void)self, (void)argc, (void)argv;
    porter_serve();
    return EXIT_OK;
}
