// SPDX-License-Identifier: MIT
#include "base/tool.h"
#include "test.h"

#include <signal.h>

int main(void)
{
    struct buf out = {0};
    int status;
    ok(tool_run("sh", "echo one; echo two >&2; exit 3", true, &out, &status) && status == 3,
       "its exit status");
    is(buf_text(&out), "one\ntwo\n", "both outputs");
    buf_reset(&out);
    ok(tool_run("sh", "kill -9 $$", false, &out, &status) && status == -9,
       "the signal that ended it");
    ok(!tool_run("/no/such/shell", "true", false, &out, &status) && status == -1, "no such shell");
    ok(tool_feed("sh", "cat", "fed", &out, &status) && status == 0, "an input");
    is(buf_text(&out), "fed", "as it was");
    buf_reset(&out);
    /* As this program ignores them (loop.c, main.c). In a child, that would make an error of
     * `yes | head -1`, and of other commands a loop without end. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    tool_run("sh", "kill -PIPE $$; echo ignored", false, &out, &status);
    is(buf_text(&out), "", "SIGPIPE ends a child");
    tool_run("sh", "ulimit -c 0; kill -XFSZ $$; echo ignored", false, &out, &status);
    is(buf_text(&out), "", "so does SIGXFSZ");
    buf_free(&out);
    return done();
}
