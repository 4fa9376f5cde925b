// SPDX-License-Identifier: MIT
/* fake.h: an executor that runs nothing. Every launch takes the time and ends as the script says;
 * for tests of the scheduler and for simulation. Its clock is options.now if given: then
 * executor->kind->poll reports what is due. Else it has a clock of its own, which jumps from end to
 * end, one a round of the loop. */
#pragma once

#include "exec/exec.h"

/* From now on launches of this name take ms and end so; NULL: all that have no line of their own.
 * What nobody has said anything of takes a second and ends well. */
void fake_script(struct executor *executor, const char *name, int64_t ms, int status, int signal);
/* Something that a site tells of a launch. */
struct fake_news {
    struct exec_event event; /* .launch 0: nothing is to be told, time only passes */
    int64_t at_ns;
};
/* A site in place of the script: it says when launches start and end. */
struct fake_site {
    void *user;
    void (*submit)(void *user, const struct launch *launch, int64_t now_ns);
    /* In the order of time, up to that time; false: no more. */
    bool (*next)(void *user, int64_t until_ns, struct fake_news *news);
    bool (*move)(void *user, uint32_t launch, const struct exec_place *place, int64_t now_ns);
};
/* From now on launches go to the site. Borrowed until close. */
void fake_set_site(struct executor *executor, const struct fake_site *site);
/* Its time in nanoseconds. */
int64_t fake_now(const struct executor *executor);
/* What happened, a line each: "0 start a", "1000 end a 0", "1000 cancel b"; times in ms.
 * Borrowed. */
const char *fake_history(const struct executor *executor);
