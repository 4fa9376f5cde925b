// SPDX-License-Identifier: MIT
#include "cli/reports.h"

#include <errno.h>
#include <string.h>

#include "base/fs.h"
#include "base/path.h"
#include "cli/verbs.h"
#include "report/html.h"

/* The text of the style sheet; NULL after a diagnostic, "" if none was given. Paths of options are
 * relative to where the program was called. */
static const char *read_stylesheet(struct session *s)
{
    const char *path = option_word(&s->options, OPT_REPORT_STYLESHEET, NULL);
    const char *text = path
                           ? fs_read(&s->arena, path_absolute(&s->arena, s->started_in, path), NULL)
                           : "";
    if (!text)
        complain(s->diags, (struct span){0}, "the style sheet '%s' cannot be read: %s", path,
                 strerror(errno));
    return text;
}

int make_report(struct session *s)
{
    const struct options *o = &s->options;
    const char *path = option_word(o, OPT_REPORT, "report.html");
    const char *metadata = option_word(o, OPT_REPORT_METADATA, NULL);
    const char *stylesheet = read_stylesheet(s);
    if (!stylesheet)
        return EXIT_BAD;
    struct report_options options = {
        .path = path_absolute(&s->arena, s->started_in, path),
        .stylesheet = *stylesheet ? stylesheet : NULL,
        .metadata = metadata ? path_absolute(&s->arena, s->started_in, metadata) : NULL};
    return report_write(s->graph, s->state, &s->log, &options) ? EXIT_OK : EXIT_BAD;
}

static bool is_report_file(const char *word)
{
    const char *extension = path_extension(word);
    return *word != '-' && (!strcmp(extension, ".html") || !strcmp(extension, ".zip"));
}

static bool wants_help(int argc, const char *const *argv)
{
    for (int i = 0; i < argc; i++)
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
            return true;
    return false;
}

int verb_report(const char *self, int argc, const char *const *argv)
{
    struct arena arena = {0};
    if (wants_help(argc, argv)) {
        options_help_report(stdout);
        return EXIT_OK;
    }
    int first = argc && is_report_file(argv[0]);
    const char **words = arena_array(&arena, const char *, argc + 2);
    words[0] = arena_printf(&arena, "--report=%s", first ? argv[0] : "report.html");
    for (int i = first; i <= argc; i++) /* the NULL too */
        words[i - first + 1] = argv[i];
    int status = verb_run(self, argc - first + 1, words);
    arena_free(&arena);
    return status;
}
