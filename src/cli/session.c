// SPDX-License-Identifier: MIT
#include "cli/session.h"

#include <stdio.h>
#include <string.h>

#include "base/fs.h"
#include "base/path.h"
#include "flow/origin.h"

const char *session_snakefile(struct session *s)
{
    static const char *const usual[] = {"Snakefile", "snakefile", "workflow/Snakefile",
                                        "workflow/snakefile"};
    const char *given = option_word(&s->options, OPT_SNAKEFILE, NULL);
    if (given)
        return origin_join(&s->arena, s->started_in, given);
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (fs_exists(usual[i]))
            return path_absolute(&s->arena, s->started_in, usual[i]);
    return NULL;
}

void session_complain(struct session *s)
{
    log_flush(&s->log);
    diag_print(s->diags, stderr, fs_has_colors(2) && !s->options.given[OPT_NOCOLOR]);
}

unsigned session_quiet(const struct options *options)
{
    static const struct {
        const char *name;
        unsigned quiet;
    } levels[] = {{"progress", QUIET_PROGRESS},
                  {"rules", QUIET_RULES},
                  {"host", QUIET_HOST},
                  {"reason", QUIET_REASON},
                  {"all", QUIET_ALL}};
    const char *const *words = option_words(options, OPT_QUIET);
    unsigned quiet = words && !*words ? QUIET_PROGRESS | QUIET_RULES : 0;
    for (; words && *words; words++)
        for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
            if (!strcmp(*words, levels[i].name))
                quiet |= levels[i].quiet;
    if ((quiet & QUIET_ALL) && options->given[OPT_DRY_RUN]) /* which is there to say something */
        quiet = (quiet & ~(unsigned)QUIET_ALL) | QUIET_REASON;
    return quiet;
}
