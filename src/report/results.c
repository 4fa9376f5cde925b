// SPDX-License-Identifier: MIT
#include "report/results.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/fs.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/path.h"
#include "flow/storage.h"
#include "graph/ready.h"
#include "report/jobtext.h"
#include "state/lock.h"

static const struct media {
    const char *extension, *type;
    enum result_kind kind;
} medias[] = {
    {".png", "image/png", RESULT_IMAGE},
    {".jpg", "image/jpeg", RESULT_IMAGE},
    {".jpeg", "image/jpeg", RESULT_IMAGE},
    {".gif", "image/gif", RESULT_IMAGE},
    {".svg", "image/svg+xml", RESULT_IMAGE},
    {".webp", "image/webp", RESULT_IMAGE},
    {".avif", "image/avif", RESULT_IMAGE},
    {".bmp", "image/bmp", RESULT_IMAGE},
    {".ico", "image/vnd.microsoft.icon", RESULT_IMAGE},
    {".html", "text/html", RESULT_PAGE},
    {".htm", "text/html", RESULT_PAGE},
    {".pdf", "application/pdf", RESULT_PAGE},
    {".csv", "text/csv", RESULT_TABLE},
    {".tsv", "text/tab-separated-values", RESULT_TABLE},
    {".txt", "text/plain", RESULT_TEXT},
    {".log", "text/plain", RESULT_TEXT},
    {".md", "text/markdown", RESULT_TEXT},
    {".rst", "text/plain", RESULT_TEXT},
    {".json", "application/json", RESULT_TEXT},
    {".yaml", "text/plain", RESULT_TEXT},
    {".yml", "text/plain", RESULT_TEXT},
    {".xml", "text/xml", RESULT_TEXT},
    {".vcf", "text/plain", RESULT_TEXT},
    {".bed", "text/plain", RESULT_TEXT},
    {".tif", "image/tiff", RESULT_FILE},
    {".tiff", "image/tiff", RESULT_FILE},
    {".css", "text/css", RESULT_TEXT},
    {".js", "text/javascript", RESULT_TEXT},
    {".gz", "application/gzip", RESULT_FILE},
    {".zip", "application/zip", RESULT_FILE},
    {".tar", "application/x-tar", RESULT_FILE},
    {".xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", RESULT_FILE},
    {".docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
     RESULT_FILE},
    {".mp4", "video/mp4", RESULT_FILE},
    {".webm", "video/webm", RESULT_FILE},
};

static const struct media *find_media(const char *path)
{
    const char *extension = path_extension(path);
    for (size_t i = 0; i < sizeof medias / sizeof *medias; i++)
        if (!strcasecmp(medias[i].extension, extension))
            return &medias[i];
    return NULL;
}

const char *media_type(const char *path)
{
    const struct media *media = find_media(path);
    return media ? media->type : NULL;
}

/* ---- one job ---- */

struct collecting {
    struct graph *g;
    struct log *log;
    struct results *out;
    struct map seen; /* symbols of paths that have been recorded */
    job_id job;
    struct job_eval eval;
    bool archive;
};

static bool refuse(struct collecting *c, const struct job_file *file, const char *format,
                   const char *word)
{
    complain_kind(c->g->workflow->diags, "WorkflowError",
                  file->item ? file->item->span : (struct span){0}, format, word);
    return false;
}

static void set_id(struct result *result, const char *path)
{
    struct hasher hasher;
    uint8_t digest[32];
    hasher_start(&hasher, DIGEST_SHA256);
    hasher_add(&hasher, path, strlen(path));
    hasher_end(&hasher, digest);
    hash_hex(digest, 8, result->id);
}

static const char *names_text(struct collecting *c, const struct report_names *names)
{
    struct buf text = {0};
    if (!names)
        job_wildcards_text(c->g, c->job, &text);
    for (uint32_t i = 0; names && i < names->wildcards.n; i++)
        buf_printf(&text, "%s%s=%s", i ? ", " : "", sym_text(c->g->names, names->wildcards.name[i]),
                   sym_text(c->g->names, names->value[i]));
    const char *copy = arena_copy(&c->out->arena, buf_text(&text), text.len);
    buf_free(&text);
    return copy;
}

/* The named params as JSON; "" where there are none, or they cannot be evaluated. */
static const char *params_text(struct collecting *c)
{
    struct buf text = {0};
    bool fine = eval_params_json(&c->eval, &text);
    if (!fine)
        vm_take_error(c->g->workflow->vm);
    const char *copy = fine && strcmp(buf_text(&text), "{}")
                           ? arena_copy(&c->out->arena, buf_text(&text), text.len)
                           : "";
    buf_free(&text);
    return copy;
}

static struct result *add_result(struct collecting *c, const char *path,
                                 const struct report_names *names, const struct report_mark *mark)
{
    struct stat st;
    const struct media *media = find_media(path);
    struct result result = {.path = path,
                            .name = path_basename(path),
                            .filename = path_basename(path),
                            .mime = media ? media->type : "text/plain",
                            .kind = media ? media->kind : RESULT_FILE,
                            .mark = *mark,
                            .wildcards = names_text(c, names),
                            .params = params_text(c),
                            .size = stat(path, &st) ? 0 : st.st_size,
                            .job = c->job};
    if (!media)
        log_say(c->log, LOG_PLAIN, "Could not detect mimetype for %s, assuming text/plain.", path);
    if (!result.mark.category)
        result.mark.category = CATEGORY_OTHER;
    set_id(&result, path);
    vec_push(&c->out->list, result);
    return &c->out->list.at[c->out->list.len - 1];
}

/* ---- directories ---- */

struct listing {
    struct arena *in;
    const char *index;
    VEC(const char *) aux;
    bool index_found;
};

static bool list_file(void *user, const char *path, bool is_dir)
{
    struct listing *l = user;
    if (is_dir || !strcmp(path_basename(path), ".snakemake_timestamp"))
        return true;
    if (!strcmp(path, l->index))
        l->index_found = true;
    else
        vec_push(&l->aux, arena_str(l->in, path));
    return true;
}

/* A page with what belongs to it; aux are relative to the directory of the page. */
static bool add_index(struct collecting *c, const struct job_file *file, const char *dir,
                      const struct report_mark *mark)
{
    struct arena *in = &c->out->arena;
    struct listing l = {.in = in, .index = mark->htmlindex};
    struct fs_unread unread;
    fs_walk(dir, false, list_file, &l, &unread);
    bool fine = l.index_found && (c->archive || !l.aux.len) && !unread.n;
    if (unread.n)
        refuse(c, file, "%s", fs_unread_text(&unread, dir, in));
    else if (!l.index_found)
        refuse(c, file, "Given htmlindex %s not found in directory marked for report",
               mark->htmlindex);
    else if (!fine)
        refuse(c, file,
               "Directory marked for inclusion in report (%s). This is unsupported when requesting "
               "a pure HTML report. Please use store as zip instead (--report report.zip).",
               dir);
    if (fine) {
        struct result *result = add_result(c, path_join(in, dir, mark->htmlindex), NULL, mark);
        result->name = arena_printf(in, "%s.html", path_basename(dir));
        result->filename = mark->htmlindex; /* what lies above it has a place of its own, too */
        const char **aux = arena_array(in, const char *, l.aux.len + 1);
        for (uint32_t i = 0; i < l.aux.len; i++)
            aux[i] = path_join(in, dir, l.aux.at[i]);
        result->aux = aux;
        result->naux = l.aux.len;
    }
    vec_free(&l.aux);
    return fine;
}

static bool add_matches(struct collecting *c, const struct job_file *file, const char *dir,
                        const struct report_mark *mark)
{
    uint32_t all = 0, n;
    for (uint32_t i = 0; i < mark->npatterns; i++) {
        const struct report_found *found = eval_report_find(&c->eval, dir, mark->patterns[i], &n);
        if (!found)
            return false;
        all += n;
        for (uint32_t k = 0; k < n; k++) {
            struct report_mark own;
            if (!eval_report_mark(&c->eval, file, &found[k].names, &own))
                return eval_report(&c->eval);
            struct result *result = add_result(c, found[k].path, &found[k].names, &own);
            result->filename = found[k].path + strlen(dir) + 1;
            set_id(result, dir);
        }
    }
    if (!all)
        warn(c->g->workflow->diags, file->item->span,
             "no files found in %s for the patterns given to report(); make sure that they are "
             "correct",
             dir);
    return true;
}

static bool add_directory(struct collecting *c, const struct job_file *file, const char *dir,
                          const struct report_mark *mark)
{
    if (mark->htmlindex)
        return add_index(c, file, dir, mark);
    if (mark->npatterns)
        return add_matches(c, file, dir, mark);
    return refuse(c, file,
                  "Directory marked for report (%s) but neither file patterns given via "
                  "patterns=[...], nor htmlindex given. See report documentation.",
                  dir);
}

/* What lives in a storage has no local copy once the jobs that need it have run. */
static bool fetch(struct collecting *c, const struct job_file *file, const char *path)
{
    struct storage_copy copy = {.path = path, .optional = true};
    const char *why;
    if (!storage_find(c->g->workflow, &c->out->arena, path, &copy.place) || !copy.place.copied)
        return true;
    bool there = fs_exists(path);
    if (!storage_fetch(&c->out->arena, &copy, 1, &why))
        return refuse(c, file, "%s", why);
    if (!there && !copy.place.keep)
        vec_push(&c->out->copies, path);
    return true;
}

/* Directories with patterns have a mark per file, which is evaluated with what the pattern found:
 * their own need not be possible without. */
static bool add_file(struct collecting *c, const struct job_file *file)
{
    const char *path = sym_text(c->g->names, file->path);
    struct report_mark mark;
    if (!(file->flags & FLAG_REPORT) || map_find(&c->seen, file->path))
        return true;
    map_set(&c->seen, file->path, 1);
    if (!fetch(c, file, path))
        return false;
    if (!fs_exists(path))
        return refuse(c, file, "File %s marked for report but does not exist.",
                      storage_shown(c->g->workflow, &c->out->arena, path));
    if (fs_is_dir(path) && eval_report_directory(&c->eval, file, &mark))
        return add_directory(c, file, path, &mark);
    if (!eval_report_mark(&c->eval, file, NULL, &mark))
        return eval_report(&c->eval);
    if (!fs_is_dir(path))
        add_result(c, path, NULL, &mark);
    return !fs_is_dir(path) || add_directory(c, file, path, &mark);
}

static bool add_files(struct collecting *c, const struct job_file *file, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!add_file(c, &file[i]))
            return false;
    return true;
}

static bool add_job(struct collecting *c, job_id job)
{
    struct job_files inputs = {0};
    c->job = job;
    bool fine = graph_job_eval(c->g, job, &c->out->arena, &inputs, &c->eval) == EVAL_OK;
    if (fine)
        eval_output(&c->eval);
    else
        eval_report(&c->eval);
    fine = fine && add_files(c, c->eval.output.at, c->eval.output.len) &&
           add_files(c, inputs.at, inputs.len);
    job_eval_free(&c->eval);
    vec_free(&inputs);
    return fine;
}

/* ---- all ---- */

static bool has_mark(const struct items *items)
{
    for (uint32_t i = 0; i < items->len; i++)
        if (items->at[i].flags & FLAG_REPORT)
            return true;
    return false;
}

/* Nothing sorts behind everything. */
static int compare_texts(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) : (a == NULL) - (b == NULL);
}

static int compare_results(const void *a, const void *b)
{
    const struct result *x = a, *y = b;
    int order = !strcmp(x->mark.category, CATEGORY_OTHER) -
                !strcmp(y->mark.category, CATEGORY_OTHER);
    order = order ? order : strcmp(x->mark.category, y->mark.category);
    order = order ? order : compare_texts(x->mark.subcategory, y->mark.subcategory);
    order = order ? order : strcmp(x->name, y->name);
    return order ? order : strcmp(x->path, y->path);
}

bool results_collect(struct graph *g, bool archive, struct log *log, struct results *out)
{
    struct collecting c = {.g = g, .log = log, .out = out, .archive = archive};
    uint32_t n, nrules = g->workflow->rules.len;
    bool fine = true, *marked = memory_zeroed(nrules + 1, sizeof *marked);
    job_id *jobs = graph_by_number(g, &n);
    for (rule_id r = 1; r < nrules; r++)
        marked[r] = has_mark(&g->workflow->rules.at[r]->output) ||
                    has_mark(&g->workflow->rules.at[r]->input);
    for (uint32_t i = 0; fine && i < n; i++)
        if (marked[g->jobs.at[jobs[i]].rule])
            fine = add_job(&c, jobs[i]);
    if (out->list.len)
        qsort(out->list.at, out->list.len, sizeof *out->list.at, compare_results);
    map_free(&c.seen);
    free(marked);
    free(jobs);
    return fine;
}

void results_remove_copies(const struct results *results, const struct workflow *w)
{
    if (lock_owners(".", NULL, NULL))
        return;
    for (uint32_t i = 0; i < results->copies.len; i++)
        fs_remove_tree(results->copies.at[i]);
    storage_prune(w);
}

void results_free(struct results *results)
{
    vec_free(&results->copies);
    vec_free(&results->list);
    arena_free(&results->arena);
}
