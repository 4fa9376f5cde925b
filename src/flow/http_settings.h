// SPDX-License-Identifier: MIT
/* http_settings.h: how an http provider asks its servers: the settings of Snakemake's http plugin,
 * from the command line (--storage-http-auth and its like, "[TAG::]VALUE") and from `storage`
 * statements. */
#pragma once

#include "base/http.h"
#include "flow/workflow.h"

struct http_settings {
    struct http_manners manners; /* texts in the workflow's arena; the pace is owned */
    double per_second;           /* requests of each host; 0: any number */
};

/* Those of the command line for a provider of that tag (NULL: none). False: raised. */
bool http_settings_start(struct workflow *w, const char *tag, struct http_settings *settings);
/* Whether a statement may set that name. */
bool http_settings_know(const char *name);
/* Sets it. False: refused at the place, which shows no secret. */
bool http_settings_set(struct workflow *w, struct http_settings *settings, const char *name,
                       value v, struct span span);
/* Gives back what they own. */
void http_settings_end(struct http_settings *settings);
