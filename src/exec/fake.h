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
/* Its time in nanoseconds. */
int64_t fake_now(const struct executor *executor);
/* What happened, a line each: "0 start a", "1000 end a 0", "1000 cancel b"; times in ms. Borrowed.
 */
const char *fake_history(const struct executor *executor);
