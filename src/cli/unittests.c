// SPDX-License-Identifier: MIT
#include "cli/unittests.h"

#include "base/path.h"
#include "report/unittests.h"

int make_unit_tests(struct session *s)
{
    const char *dir = option_word(&s->options, OPT_GENERATE_UNIT_TESTS, ".tests/unit");
    struct unittest_options options = {.dir = path_absolute(&s->arena, s->workflow->workdir, dir),
                                       .root = s->started_in,
                                       .snakefile = s->snakefile,
                                       .configfiles = s->workflow_options.configfiles,
                                       .methods = option_words(&s->options, OPT_SDM)};
    return unittests_write(s->graph, &s->log, &options) ? EXIT_OK : EXIT_BAD;
}
