// SPDX-License-Identifier: MIT
/* html.c: the page from top to bottom, and where it goes: a file of its own, or an archive. */
#include "report/html.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "base/http.h"
#include "base/part.h"
#include "base/path.h"
#include "base/zip.h"
#include "report/page.h"
#include "report/rst.h"
#include "report/texts.h"

/* ---- pieces ---- */

static bool cannot_write(struct page *page)
{
    return complain(page->g->workflow->diags, (struct span){0},
                    "the report '%s' cannot be written: %s", page->options->path, strerror(errno));
}

void page_flush(struct page *page)
{
    if (!page->file)
        return;
    if (page->out.len && fwrite(page->out.at, 1, page->out.len, page->file) != page->out.len &&
        !page->failed)
        page->failed = !cannot_write(page);
    buf_reset(&page->out);
}

void page_lacks(struct page *page, const char *what, const char *path)
{
    page->failed = !complain(page->g->workflow->diags, (struct span){0},
                             "the %s '%s' cannot be read: %s", what, path, strerror(errno));
}

void page_text(struct page *page, const char *text)
{
    html_escape(&page->out, text, strlen(text));
}

void page_size(struct page *page, int64_t bytes)
{
    static const char *const units[] = {"bytes", "KB", "MB", "GB", "TB"};
    double number = (double)bytes;
    int unit = 0;
    for (; number >= 1000 && unit < 4; unit++)
        number /= 1000;
    buf_printf(&page->out, number < 10 && unit ? "%.1f %s" : "%.0f %s", number,
               bytes == 1 ? "byte" : units[unit]);
}

void page_seconds(struct page *page, double seconds)
{
    int64_t whole = (int64_t)(seconds + 0.5);
    if (seconds < 0.1)
        buf_printf(&page->out, "%.0f ms", seconds * 1000);
    else if (seconds < 60)
        buf_printf(&page->out, seconds < 10 ? "%.2f s" : "%.1f s", seconds);
    else if (whole < 3600)
        buf_printf(&page->out, "%d min %d s", (int)(whole / 60), (int)(whole % 60));
    else
        buf_printf(&page->out, "%lld h %d min", (long long)(whole / 3600), (int)(whole / 60 % 60));
}

static const char *find_name(void *user, const char *name)
{
    if (!strcmp(name, "Workflow"))
        return "#workflow";
    return strcmp(name, "Statistics") ? page_find_result(user, name) : "#statistics";
}

/* Images of captions stand in the page too. */
static const char *find_image(void *user, const char *path)
{
    struct page *page = user, data = {.g = page->g};
    const char *mime = media_type(path);
    if (!mime || !page_data(&data, path, mime))
        return NULL;
    const char *address = arena_copy(&page->scratch, data.out.at, data.out.len);
    buf_free(&data.out);
    return address;
}

void page_rst(struct page *page, const char *text, int heading)
{
    struct rst_options options = {find_name, find_image, page, heading};
    rst_html(text, strlen(text), &options, &page->out);
}

/* ---- the page ---- */

static const char *title_of(struct page *page)
{
    const char *dir = path_basename(page->g->workflow->workdir);
    return *dir ? dir : "Workflow";
}

static void add_head(struct page *page)
{
    buf_str(&page->out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                        "<meta name=\"generator\" content=\"kintsugi-flow " KF_VERSION "\">\n"
                        "<title>");
    page_text(page, title_of(page));
    buf_str(&page->out, " – report</title>\n<style>\n");
    buf_str(&page->out, text_report_css);
    buf_str(&page->out, "</style>\n");
    if (page->options->stylesheet) {
        buf_str(&page->out, "<style>\n");
        for (const char *at = page->options->stylesheet; *at; at++) /* it cannot end the element */
            buf_str(&page->out, at[0] == '<' && at[1] == '/' ? "<\\" : (char[]){*at, 0});
        buf_str(&page->out, "\n</style>\n");
    }
    buf_str(&page->out, "</head>\n<body>\n");
}

static void nav_link(struct page *page, const char *id, const char *title)
{
    buf_printf(&page->out, "<li><a href=\"#%s\">%s</a>", id, title);
    if (!strcmp(id, "results"))
        page_results_index(page);
    buf_str(&page->out, "</li>");
}

static bool has_about(const struct page *page)
{
    return *page->description || page->nentries;
}

static void add_nav(struct page *page)
{
    char date[32];
    clock_text(clock_wall_ns(), date);
    buf_str(&page->out, "<nav><h1>");
    page_text(page, title_of(page));
    buf_str(&page->out, "</h1><p>");
    page_text(page, date);
    buf_str(&page->out, "</p>\n<ul>");
    if (has_about(page))
        nav_link(page, "about", "About");
    if (page->results.list.len)
        nav_link(page, "results", "Results");
    nav_link(page, "workflow", "Workflow");
    nav_link(page, "statistics", "Statistics");
    nav_link(page, "rules", "Rules");
    if (page->g->workflow->configfiles.len)
        nav_link(page, "configuration", "Configuration");
    buf_str(&page->out, "</ul></nav>\n<main>\n");
}

static void add_entry(struct page *page, const struct report_entry *entry)
{
    buf_str(&page->out, "<dt>");
    page_text(page, entry->name);
    buf_str(&page->out, entry->is_list ? "</dt><dd><ul>" : "</dt><dd>");
    for (uint32_t i = 0; i < entry->ntexts; i++) {
        buf_str(&page->out, entry->is_list ? "<li>" : "");
        page_rst(page, entry->text[i], 4);
        buf_str(&page->out, entry->is_list ? "</li>" : "");
    }
    buf_str(&page->out, entry->is_list ? "</ul></dd>\n" : "</dd>\n");
}

static void add_about(struct page *page)
{
    if (!has_about(page))
        return;
    buf_str(&page->out, "<section id=\"about\" class=\"about\"><h2>About</h2>\n");
    page_rst(page, page->description, 3);
    if (page->nentries)
        buf_str(&page->out, "<dl class=\"fields\">\n");
    for (uint32_t i = 0; i < page->nentries; i++)
        add_entry(page, &page->entry[i]);
    if (page->nentries)
        buf_str(&page->out, "</dl>\n");
    buf_str(&page->out, "</section>\n");
}

static void add_workflow(struct page *page)
{
    buf_str(&page->out, "<section id=\"workflow\"><h2>Workflow</h2>\n");
    buf_str(&page->out, "<div class=\"wide\" tabindex=\"0\">\n");
    rulegraph_svg(page->g, &page->net, &page->out);
    buf_str(&page->out, "</div>\n");
    buf_str(&page->out, "</section>\n");
}

static void add_foot(struct page *page)
{
    buf_str(&page->out, "<footer>Made by kintsugi-flow " KF_VERSION " from <span class=\"path\">");
    page_text(page, http_shown(&page->scratch, page->g->workflow->options.snakefile));
    buf_str(&page->out,
            "</span>.</footer>\n</main>\n<dialog id=\"viewer\" aria-labelledby=\"viewed\">"
            "<header><b id=\"viewed\"></b>"
            "<button class=\"previous\" aria-label=\"Previous result\">←</button>"
            "<button class=\"next\" aria-label=\"Next result\">→</button>"
            "<button class=\"close\">Close</button></header>"
            "<div class=\"show\"></div></dialog>\n<script>\n");
    buf_str(&page->out, text_report_js);
    buf_str(&page->out, "</script>\n</body>\n</html>\n");
}

static void add_page(struct page *page)
{
    add_head(page);
    add_nav(page);
    add_about(page);
    page_results(page);
    add_workflow(page);
    page_statistics(page);
    page_rules(page);
    page_configs(page);
    add_foot(page);
    page_flush(page);
}

/* ---- where it goes ---- */

static bool write_page(struct page *page)
{
    const char *temporary = part_beside(&page->scratch, page->options->path);
    page->file = fs_make_parent(page->options->path) ? fopen(temporary, "we") : NULL;
    if (!page->file)
        return cannot_write(page);
    add_page(page);
    if (fclose(page->file) != 0 && !page->failed)
        page->failed = !cannot_write(page);
    page->file = NULL;
    if (!page->failed && rename(temporary, page->options->path) == 0)
        return true;
    if (!page->failed)
        cannot_write(page);
    unlink(temporary);
    return false;
}

/* The file of a result and what belongs to it, at the places that the page names. */
static bool add_to_zip(struct page *page, struct zip *zip, const char *folder,
                       const struct result *result)
{
    struct arena *in = &page->scratch;
    const char *place = arena_printf(in, "%s/data/raw/%s/%s", folder, result->id, result->filename);
    const char *dir = path_dirname(in, result->path);
    bool good = zip_add_file(zip, place, result->path);
    for (uint32_t i = 0; good && i < result->naux; i++) {
        const char *relative = path_relative(in, path_absolute(in, "/", result->aux[i]),
                                             path_absolute(in, "/", dir));
        const char *name = path_join(in, path_dirname(in, place), relative);
        good = zip_add_file(zip, path_normal(in, name), result->aux[i]);
    }
    return good || complain(page->g->workflow->diags, (struct span){0},
                            "the result '%s' cannot be put into the report: %s", result->path,
                            strerror(errno));
}

static bool write_archive(struct page *page)
{
    const char *name = path_basename(page->options->path);
    const char *folder = arena_copy(&page->scratch, name, strlen(name) - strlen(".zip"));
    struct zip *zip = fs_make_parent(page->options->path) ? zip_open(page->options->path) : NULL;
    bool good = true;
    if (!zip)
        return cannot_write(page);
    add_page(page);
    for (uint32_t i = 0; good && i < page->results.list.len; i++)
        good = add_to_zip(page, zip, folder, &page->results.list.at[i]);
    zip_add(zip, path_join(&page->scratch, folder, "report.html"), page->out.at, page->out.len);
    if (!good || page->failed) {
        zip_abandon(zip);
        return false;
    }
    return zip_close(zip) || cannot_write(page);
}

static bool open_page(struct page *page, struct state *state)
{
    const char *extension = path_extension(page->options->path);
    page->archive = !strcmp(extension, ".zip");
    if (!page->archive && strcmp(extension, ".html")) {
        complain_kind(page->g->workflow->diags, "WorkflowError", (struct span){0},
                      "Report file does not end with .html or .zip");
        diag_hint(page->g->workflow->diags, "as in --report report.html, not '%s'",
                  page->options->path);
        return false;
    }
    page->description = workflow_description(page->g->workflow, &page->scratch);
    if (page->description && page->options->metadata)
        page->entry = workflow_metadata(page->g->workflow, &page->scratch, page->options->metadata,
                                        &page->nentries);
    if (!page->description || (page->options->metadata && !page->entry))
        return vm_report(page->g->workflow->vm);
    if (!results_collect(page->g, page->archive, page->log, &page->results))
        return false;
    page->net = rule_net(page->g);
    runtimes_collect(page->g, &page->net, state, &page->runtimes);
    return true;
}

static void say_missing(const struct page *page)
{
    const struct runtimes *r = &page->runtimes;
    if (r->nmissing == 1)
        log_say(page->log, LOG_PLAIN, "Missing metadata for file %s: its run time is not known.",
                r->missing);
    if (r->nmissing > 1)
        log_say(page->log, LOG_PLAIN,
                "Missing metadata for %u files, such as %s: their run times are not known.",
                r->nmissing, r->missing);
}

bool report_write(struct graph *g, struct state *state, struct log *log,
                  const struct report_options *options)
{
    struct page page = {.g = g, .options = options, .log = log};
    log_say(log, LOG_INFO, "Creating report...");
    bool good = open_page(&page, state);
    if (good) {
        say_missing(&page);
        good = page.archive ? write_archive(&page) : write_page(&page);
    }
    if (good)
        log_say(log, LOG_INFO, "Report created: %s.", options->path);
    results_remove_copies(&page.results, g->workflow);
    results_free(&page.results);
    map_free(&page.places);
    rule_net_free(&page.net);
    runtimes_free(&page.runtimes);
    buf_free(&page.out);
    arena_free(&page.scratch);
    return good;
}
