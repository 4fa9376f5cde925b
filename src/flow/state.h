// SPDX-License-Identifier: MIT
/* state.h: what the files of this layer share while Snakefiles are read and jobs are evaluated.
 * Nothing here is for other layers: they see workflow.h, rule.h, pattern.h and jobeval.h. */
#pragma once

#include "flow/ruleinfo.h"
#include "flow/samelist.h"
#include "flow/workflow.h"

/* A rule under the name by which its own Snakefile knows it. */
struct known_rule {
    sym_t name;
    struct rule *rule; /* borrowed */
};

/* A namespace: the main workflow's, or that of a module. In the session arena. */
struct scope {
    struct scope *outer; /* the one whose `module` statement made this; NULL: the main one */
    const char *name;    /* of the module, "" for the main scope */
    struct root globals; /* dict */
    VEC(struct known_rule) rules;      /* rules.NAME looks here */
    VEC(struct known_rule) borrowed;   /* those of modules, under their names here */
    struct wildcard_names constraints; /* the global wildcard_constraints of this scope */
    struct root container;             /* image for all rules, or NO_VALUE */
    bool containerized;
    struct root input_flags,
        output_flags;           /* tuples of flag functions from inputflags:, outputflags: */
    struct root pathvars;       /* dict of texts */
    struct root given_pathvars; /* those of the module statement */
    const char *prefix;         /* put before relative paths, or NULL */
    struct root replace_prefix; /* dict: prefix -> replacement, or NO_VALUE */
    const char *wrapper_tag;    /* of a meta-wrapper's rules, see wrapper.h; or NULL */
    bool given_config;          /* configfile: statements are skipped */
    bool skip_validation;
    /* which rules are imported under which names; NULL: all as they are */
    const struct use_rule *use;
    struct ruleinfo *overwrite; /* the with: block of that statement, or NULL */
};

/* A ruleorder statement, before its names have been looked up. */
struct order_clause {
    sym_t *name;
    struct span *span;
    uint32_t n;
    struct scope *scope;
};

/* A name in a localrules statement. */
struct local_name {
    sym_t name;
    struct span span;
};

/* A Snakefile that is or was executed. */
struct reading {
    const char *path; /* absolute */
    const char *dir;
    int source;
};

/* Files that are not fetched begin so where a provider has them: their path is the query, which
 * does not tell whose. */
struct storage_prefix {
    const char *text; /* in the session arena */
    struct storage_mount *mount;
};
struct storage_prefixes {
    VEC(struct storage_prefix);
};

/* Threads and resources of a rule that are the same for all its jobs. */
struct fixed_resources {
    enum { FIXED_UNKNOWN, FIXED_NOT, FIXED } kind;
    int cores, threads;
    struct resource *at; /* in the session arena */
    uint32_t n;
};

/* A remote source file's copy; see origin.h. In the session arena. */
struct source_copy {
    const char *path, *why; /* path NULL: there is none, why says who says so */
};

enum { SCATTER_MOST = INT32_MAX }; /* items of a scattering */

struct flow_state {
    struct scope *scope; /* where statements run now */
    struct scope *main;
    VEC(struct scope *) scopes;         /* all; to be taken down */
    VEC(struct reading) readings;       /* the include stack */
    VEC(struct reading) read;           /* all Snakefiles so far */
    struct map included;                /* symbols of paths already read in the main scope */
    VEC(struct ruleinfo *) modules;     /* module statements: name and where they stand */
    VEC(struct local_name) local_names; /* names from localrules: */
    VEC(struct order_clause) order;     /* ruleorder statements */
    VEC(struct storage_mount *) mounts; /* storage_kind.h */
    struct map copies; /* symbols of remote origins -> 1 + where in copy they stand */
    VEC(struct source_copy) copy;
    struct storage_prefixes unfetched; /* where the storage is no file system */
    struct storage_prefixes in_place;  /* where it is: plain paths */
    const char *report;                /* the caption file of `report:`, or NULL */
    struct root kept;                  /* list of values that statements set for good */
    struct root log;                   /* list: the log of hooks, the path once they run */
    struct root scatter;               /* dict: name -> count */
    struct root cli_scatter;           /* the same from --set-scatter, which wins */
    struct root resource_scopes;       /* dict */
    struct root cli_config;     /* the command line's config, re-applied after every configfile: */
    struct root classes;        /* dict: exception classes by name */
    struct root keep;           /* list: what the current job evaluation holds */
    struct same_list last_list; /* that an input function gave */
    uint32_t epoch;             /* which job evaluation that is */
    struct root prelude;        /* globals of the helpers written in Python, or NO_VALUE */
    /* the same of texts/caption.py, notebook.py, settings.py, parts.py */
    struct root caption, notebook, settings, parts;
    struct root waiting;         /* the exception raised by checkpoints.NAME.get(), or NO_VALUE */
    rule_id wait_rule;           /* what that one waits for */
    const sym_t *wait_wildcards; /* in the session arena */
    struct root shell_executable, shell_prefix,
        shell_suffix;                 /* texts set by shell.executable() ..., or NO_VALUE */
    const struct software_wrap *wrap; /* in which shell() runs; NULL: none */
    struct root told;                 /* the exception that diagnostics tell already, or None ... */
    int told_at, told_n;              /* ... and which these are */
    struct root defaults,
        overrides; /* dicts of resources: defaults, and by rule from --set-resources/-threads */
    struct root limits;                /* dict: --resources */
    VEC(struct fixed_resources) fixed; /* by rule */
    struct workflow_hooks *hooks;      /* owned; the vm borrows them */
};

/* The workflow a vm belongs to. */
struct workflow *workflow_of(struct vm *vm);
/* Its symbol table, for brevity. */
static inline const char *flow_text(const struct workflow *w, sym_t sym)
{
    return sym ? sym_text(w->names, sym) : "";
}

/* An error at a place: a diagnostic is recorded, and an exception of that class is raised, which
 * code may catch: then the diagnostic is forgotten. Always false. */
bool flow_refuse(struct workflow *w, const char *kind, struct span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The same where diagnostics have been recorded already, since the mark. Always false. */
bool flow_stop(struct workflow *w, int mark);
/* The exception in flight as an error of that kind, at that place if it has none of its own. Always
 * false. */
bool flow_refuse_raised(struct workflow *w, struct span span);
/* Code has caught that exception: nobody needs to hear of it any more. */
void flow_forget_told(struct workflow *w);
/* Takes the exception in flight off the vm if flow_refuse has told it. */
bool flow_took_told(struct workflow *w);
/* Reports the exception in flight unless that has been done by flow_refuse. Always false. */
bool flow_report(struct workflow *w);
/* Raises one of our exception classes ("WorkflowError", "WildcardError", ...). Always NO_VALUE. */
value flow_raise(struct workflow *w, const char *class_name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The path a value stands for (str, Path, any os.PathLike), NO_VALUE and nothing raised if it is no
 * path. */
value path_value(struct vm *vm, value v);
/* Runs a Snakefile in the current scope: include, module, the main file. The path is absolute.
 * False: raised. */
bool flow_read(struct workflow *w, const char *path, struct span asked_at);
/* The same for a path relative to the Snakefile that is being read. overwrite: its first rule is
 * the default target. */
bool flow_include(struct workflow *w, const char *path, bool overwrite, struct span asked_at);
/* The directory of the Snakefile being executed, or of the main one. */
const char *flow_dir(const struct workflow *w);
/* The Snakefile that holds the Python code that runs now: also later, in a function called for a
 * job. Else the one being executed, or the main one. */
struct reading flow_running_file(const struct workflow *w);
/* A rule of the scope by its own name, or NULL. */
struct rule *scope_rule(const struct scope *scope, sym_t name);
/* The name nearest to one that none of its rules has, or NULL. */
const char *scope_nearest_rule(const struct workflow *w, const struct scope *scope,
                               const char *name);
/* A new scope inside outer; its globals hold config, rules, checkpoints, scatter, gather. NULL:
 * raised. */
struct scope *scope_new(struct workflow *w, struct scope *outer, const char *name, value config);
