// SPDX-License-Identifier: MIT
/* keyword.c: the table of keywords and directives. */
#include "syntax/keyword.h"

#include <string.h>

#include "base/nearest.h"

static const struct keyword keywords[] = {
    {"rule", IN_FILE, SHAPE_RULE},
    {"checkpoint", IN_FILE, SHAPE_RULE},
    {"module", IN_FILE, SHAPE_MODULE},
    {"use", IN_FILE, SHAPE_USE},
    {"include", IN_FILE, SHAPE_VALUE},
    {"configfile", IN_FILE, SHAPE_VALUE},
    {"workdir", IN_FILE, SHAPE_VALUE},
    {"envvars", IN_FILE, SHAPE_VALUES},
    {"pathvars", IN_FILE | IN_RULE | IN_MODULE, SHAPE_NAMED},
    {"localrules", IN_FILE, SHAPE_NAMES},
    {"ruleorder", IN_FILE, SHAPE_ORDER},
    {"wildcard_constraints", IN_FILE | IN_RULE, SHAPE_NAMED},
    {"onstart", IN_FILE, SHAPE_CODE},
    {"onsuccess", IN_FILE, SHAPE_CODE},
    {"onerror", IN_FILE, SHAPE_CODE},
    {"container", IN_FILE | IN_RULE, SHAPE_VALUE},
    {"containerized", IN_FILE | IN_RULE, SHAPE_VALUE},
    {"singularity", IN_FILE | IN_RULE, SHAPE_VALUE},
    {"conda", IN_FILE | IN_RULE, SHAPE_VALUE},
    {"scattergather", IN_FILE, SHAPE_NAMED},
    {"resource_scopes", IN_FILE, SHAPE_NAMED},
    {"storage", IN_FILE, SHAPE_TAGGED},
    {"inputflags", IN_FILE, SHAPE_VALUES},
    {"outputflags", IN_FILE, SHAPE_VALUES},
    {"pepfile", IN_FILE, SHAPE_VALUE},
    {"pepschema", IN_FILE, SHAPE_VALUE},
    {"report", IN_FILE, SHAPE_VALUE},
    {"subworkflow", IN_FILE, SHAPE_REMOVED, .instead = "use the module keyword"},

    {"name", IN_RULE | IN_MODULE, SHAPE_VALUE},
    {"input", IN_RULE, SHAPE_VALUES},
    {"output", IN_RULE, SHAPE_VALUES},
    {"params", IN_RULE, SHAPE_VALUES},
    {"log", IN_RULE, SHAPE_VALUES},
    {"benchmark", IN_RULE, SHAPE_VALUE},
    {"threads", IN_RULE, SHAPE_VALUE},
    {"resources", IN_RULE, SHAPE_NAMED},
    {"retries", IN_RULE, SHAPE_VALUE},
    {"priority", IN_RULE, SHAPE_VALUE},
    {"message", IN_RULE, SHAPE_VALUE},
    {"envmodules", IN_RULE, SHAPE_VALUES},
    {"shadow", IN_RULE, SHAPE_VALUE},
    {"group", IN_RULE, SHAPE_VALUE},
    {"cache", IN_RULE, SHAPE_VALUE},
    {"handover", IN_RULE, SHAPE_VALUE},
    {"default_target", IN_RULE, SHAPE_VALUE},
    {"localrule", IN_RULE, SHAPE_VALUE},
    {"run", IN_RULE, SHAPE_CODE, .body = true},
    {"shell", IN_RULE, SHAPE_VALUE, .body = true},
    {"script", IN_RULE, SHAPE_VALUE, .body = true},
    {"notebook", IN_RULE, SHAPE_VALUE, .body = true},
    {"wrapper", IN_RULE, SHAPE_VALUE, .body = true},
    {"template_engine", IN_RULE, SHAPE_VALUE, .body = true},
    {"cwl", IN_RULE, SHAPE_VALUE, .body = true},
    {"version", IN_RULE, SHAPE_REMOVED, .instead = "use the conda or container directive"},

    {"snakefile", IN_MODULE, SHAPE_VALUE},
    {"meta_wrapper", IN_MODULE, SHAPE_VALUE},
    {"config", IN_MODULE, SHAPE_VALUE},
    {"skip_validation", IN_MODULE, SHAPE_VALUE},
    {"replace_prefix", IN_MODULE, SHAPE_VALUE},
    {"prefix", IN_MODULE, SHAPE_VALUE},
};

#define KEYWORD_COUNT (sizeof keywords / sizeof *keywords)

const struct keyword *keyword_find(enum keyword_place where, const char *text, size_t len)
{
    for (size_t i = 0; i < KEYWORD_COUNT; i++) {
        const char *name = keywords[i].name;
        if (name[0] == text[0] && (keywords[i].where & where) && !strncmp(name, text, len) &&
            !name[len])
            return &keywords[i];
    }
    return NULL;
}

const char *keyword_nearest(enum keyword_place where, const char *word)
{
    struct nearest near = nearest_to(word);
    for (size_t i = 0; i < KEYWORD_COUNT; i++) {
        if ((keywords[i].where & where) && keywords[i].shape != SHAPE_REMOVED)
            nearest_offer(&near, keywords[i].name);
    }
    return near.best;
}
