// SPDX-License-Identifier: MIT
#include "cli/site.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/path.h"

bool site_is_used(const struct options *options)
{
    return !strcmp(option_word(options, OPT_EXECUTOR, "local"), "cluster-generic");
}

struct group_options site_groups(const struct options *options)
{
    return (struct group_options){.assign = option_words(options, OPT_GROUPS),
                                  .components = option_words(options, OPT_GROUP_COMPONENTS)};
}

static bool read_jobscript(struct session *s, const char **out)
{
    const char *path = option_word(&s->options, OPT_JOBSCRIPT, NULL);
    if (!path)
        return true;
    path = path_absolute(&s->arena, s->started_in, path);
    *out = fs_read(&s->arena, path, NULL);
    return *out || complain(s->diags, (struct span){0}, "cannot read the jobscript '%s': %s", path,
                            strerror(errno));
}

bool site_fill(struct session *s, struct remote_options *out)
{
    const struct options *o = &s->options;
    double local_cores, poll_s;
    double all = (double)sysconf(_SC_NPROCESSORS_ONLN);
    *out = (struct remote_options){0};
    if (!session_number(s, OPT_LOCAL_CORES, all, &local_cores) ||
        !session_number(s, OPT_SECONDS_BETWEEN_CHECKS, 10, &poll_s) ||
        !read_jobscript(s, &out->site.jobscript))
        return false;
    out->submit = option_word(o, OPT_GENERIC_SUBMIT, NULL);
    out->jobname = option_word(o, OPT_JOBNAME, "snakejob.{name}.{jobid}.sh");
    out->site.status = option_word(o, OPT_GENERIC_STATUS, NULL);
    out->site.cancel = option_word(o, OPT_GENERIC_CANCEL, NULL);
    out->site.poll_s = poll_s;
    out->notemp = o->given[OPT_NOTEMP];
    out->site.detached = o->given[OPT_IMMEDIATE_SUBMIT];
    out->groups = site_groups(o);
    out->local_cores = (int)local_cores;
    return true;
}
