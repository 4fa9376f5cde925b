// SPDX-License-Identifier: MIT
#include "report/unittests.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fs.h"
#include "base/path.h"
#include "graph/ready.h"
#include "report/texts.h"

struct testing {
    struct graph *g;
    struct log *log;
    const struct unittest_options *options;
    struct arena scratch;
    const char *outside; /* a file of the rule at hand that is in no directory of a test's */
};

static bool cannot(struct testing *t, const char *what, const char *path)
{
    return complain(t->g->workflow->diags, (struct span){0}, "cannot %s '%s': %s", what, path,
                    strerror(errno));
}

static bool write_text(struct testing *t, const char *path, const char *text)
{
    return (fs_make_parent(path) && fs_write(path, text, strlen(text))) || cannot(t, "write", path);
}

/* ---- files ---- */

/* A file at the same place below a folder, not to be written. */
static bool copy_below(struct testing *t, const char *path, const char *dir)
{
    struct stat st;
    const char *to = path_join(&t->scratch, dir, path + strspn(path, "/"));
    if (fs_exists(to))
        return true;
    if (!fs_make_parent(to) || !fs_copy(path, to))
        return cannot(t, "copy", path);
    if (!stat(to, &st) && S_ISREG(st.st_mode))
        (void)!chmod(to, 0444);
    return true;
}

/* A folder without files would not be kept by git. */
static bool keep_empty(struct testing *t, const char *dir, uint32_t n)
{
    return n || write_text(t, path_join(&t->scratch, dir, ".gitempty"), "");
}

static bool copy_files(struct testing *t, const struct job_file *file, uint32_t n, const char *dir)
{
    for (uint32_t i = 0; i < n; i++)
        if (!copy_below(t, sym_text(t->g->names, file[i].path), dir))
            return false;
    return keep_empty(t, dir, n);
}

/* What begins with "config" in the working directory. */
static bool copy_config(struct testing *t, const char *dir)
{
    glob_t found = {0};
    bool good = true;
    if (glob("config*", 0, NULL, &found) == 0)
        for (size_t i = 0; good && i < found.gl_pathc; i++)
            good = copy_below(t, found.gl_pathv[i], dir);
    good = good && keep_empty(t, dir, (uint32_t)found.gl_pathc);
    globfree(&found);
    return good;
}

/* ---- the test ---- */

static void add_word(struct buf *out, const char *word)
{
    buf_str(out, "                ");
    buf_json_text(out, word);
    buf_str(out, ",\n");
}

static const char *seen_from_root(struct testing *t, const char *path)
{
    return path_relative(&t->scratch, path, t->options->root);
}

static void add_words(struct testing *t, const char *option, const char *const *words, bool paths,
                      struct buf *out)
{
    if (!words || !*words)
        return;
    add_word(out, option);
    for (; *words; words++)
        add_word(out, paths ? seen_from_root(t, *words) : *words);
}

static void add_path(struct testing *t, const char *name, const char *dir, struct buf *out)
{
    const char *path = seen_from_root(t, path_join(&t->scratch, dir, name));
    buf_printf(out, "        %s_path = Path(", name);
    buf_json_text(out, path);
    buf_str(out, ")\n");
}

/* The name of a rule as a part of names in Python. */
static const char *python_name(struct testing *t, const char *rule)
{
    char *name = arena_str(&t->scratch, rule);
    for (char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at) && !(*at & 0x80))
            *at = '_';
    return name;
}

static void test_text(struct testing *t, const char *rule, const struct job_eval *eval,
                      const char *dir, struct buf *out)
{
    static const char *const flags[] = {"-f", "--notemp", "--show-failed-logs", "-j1",
                                        "--allowed-rules"};
    const char *snakefile = seen_from_root(t, t->options->snakefile);
    buf_str(out, "\"\"\"The test of rule ");
    buf_json(out, rule, strlen(rule));
    buf_printf(out,
               ".\"\"\"\n\nimport os\nimport shutil\nimport sys\n"
               "import tempfile\nfrom pathlib import Path\nfrom subprocess import check_output\n\n"
               "sys.path.insert(0, os.path.dirname(__file__))\n\nimport common\n\n\n"
               "def test_%s(conda_prefix):\n    with tempfile.TemporaryDirectory() as tmpdir:\n"
               "        workdir = Path(tmpdir) / \"workdir\"\n",
               python_name(t, rule));
    add_path(t, "config", dir, out);
    add_path(t, "data", dir, out);
    add_path(t, "expected", dir, out);
    buf_str(out, "\n        # What the job needs, in a directory of its own.\n"
                 "        shutil.copytree(config_path, workdir)\n"
                 "        shutil.copytree(data_path, workdir, dirs_exist_ok=True)\n\n"
                 "        # The job.\n        check_output(\n            common.engine()\n         "
                 "   + [\n");
    for (uint32_t i = 0; i < eval->output.len; i++)
        add_word(out, sym_text(t->g->names, eval->output.at[i].path));
    if (!eval->output.len)
        add_word(out, rule);
    add_word(out, "--snakefile");
    add_word(out, snakefile);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        add_word(out, flags[i]);
    add_word(out, rule);
    add_words(t, "--configfile", t->options->configfiles, true, out);
    add_words(t, "--software-deployment-method", t->options->methods, false, out);
    buf_str(out, "                \"--directory\",\n                str(workdir),\n            ]\n"
                 "            + conda_prefix\n        )\n\n"
                 "        # Byte by byte, with cmp, zcmp, bzcmp or xzcmp. Another way: a class "
                 "derived from\n"
                 "        # common.OutputChecker with its own compare_files(expected_file, "
                 "generated_file).\n"
                 "        common.OutputChecker(data_path, expected_path, workdir).check()\n");
}

/* ---- rules ---- */

/* Also whether they have a place below a test's folders, where no path leads out. */
static bool all_there(struct testing *t, const struct job_files *files)
{
    for (uint32_t i = 0; i < files->len; i++) {
        const char *path = sym_text(t->g->names, files->at[i].path);
        bool out = path_leads_out(path_normal(&t->scratch, path));
        if (out)
            t->outside = path;
        if (out || !fs_exists(path))
            return false;
    }
    return true;
}

/* *done: all files of the job were there, its test stands. */
static bool try_job(struct testing *t, job_id id, const char *rule, const char *test, bool *done)
{
    struct job_files inputs = {0};
    struct job_eval eval;
    struct buf text = {0};
    const char *dir = path_join(&t->scratch, t->options->dir, python_name(t, rule));
    bool good = graph_job_eval(t->g, id, &t->scratch, &inputs, &eval) == EVAL_OK;
    if (good)
        eval_output(&eval);
    else
        eval_report(&eval);
    *done = good && all_there(t, &inputs) && all_there(t, &eval.output);
    if (*done) {
        log_say(t->log, LOG_INFO, "Generating unit test for rule %s: %s.", rule, test);
        test_text(t, rule, &eval, dir, &text);
        good = copy_config(t, path_join(&t->scratch, dir, "config")) &&
               copy_files(t, inputs.at, inputs.len, path_join(&t->scratch, dir, "data")) &&
               copy_files(t, eval.output.at, eval.output.len,
                          path_join(&t->scratch, dir, "expected")) &&
               write_text(t, test, buf_text(&text));
    }
    buf_free(&text);
    job_eval_free(&eval);
    vec_free(&inputs);
    return good;
}

static bool test_rule(struct testing *t, rule_id rule, const job_id *jobs, uint32_t n)
{
    const char *name = sym_text(t->g->names, t->g->workflow->rules.at[rule]->name);
    const char *test = arena_printf(&t->scratch, "%s/test_%s.py", t->options->dir,
                                    python_name(t, name));
    bool done = false, any = false;
    t->outside = NULL;
    if (fs_exists(test)) {
        log_say(t->log, LOG_INFO, "Skipping rule %s as a unit test already exists for it: %s.",
                name, test);
        return true;
    }
    for (uint32_t i = 0; !done && i < n; i++) {
        if (t->g->jobs.at[jobs[i]].rule != rule)
            continue;
        any = true;
        if (!try_job(t, jobs[i], name, test, &done))
            return false;
    }
    if (any && !done && t->outside)
        log_say(t->log, LOG_PLAIN,
                "No unit test for rule %s: '%s' lies outside the working directory.", name,
                t->outside);
    else if (any && !done)
        log_say(
            t->log, LOG_PLAIN,
            "No job with all input and output files present for rule %s. Consider re-executing the "
            "workflow with --notemp in order to have all files present before generating unit "
            "tests.",
            name);
    return true;
}

bool unittests_write(struct graph *g, struct log *log, const struct unittest_options *options)
{
    struct testing t = {.g = g, .log = log, .options = options};
    uint32_t n;
    job_id *jobs = graph_by_number(g, &n);
    log_say(log, LOG_INFO, "Generating unit tests for each rule...");
    bool good =
        write_text(&t, path_join(&t.scratch, options->dir, "common.py"), text_unit_common) &&
        write_text(&t, path_join(&t.scratch, options->dir, "conftest.py"), text_unit_conftest);
    for (rule_id r = 1; good && r < g->workflow->rules.len; r++)
        if (g->workflow->rules.at[r]->body != BODY_NONE)
            good = test_rule(&t, r, jobs, n);
    free(jobs);
    arena_free(&t.scratch);
    return good;
}
