// SPDX-License-Identifier: MIT
/* settings.h: attributes of `workflow` that say what the command line decided. NO_VALUE: raised. */
#pragma once

#include "flow/workflow.h"

/* The files of --configfile, a list of absolute Paths. */
value settings_configfiles(struct workflow *w);
/* These, and those of configfile: statements as they are written. */
value settings_all_configfiles(struct workflow *w);
/* ExecMode.DEFAULT: jobs are no runs of the whole Snakefile here. */
value settings_exec_mode(struct workflow *w);
value settings_of_config(struct workflow *w);
value settings_of_storage(struct workflow *w);
value settings_of_deployment(struct workflow *w);
value settings_of_resources(struct workflow *w);
