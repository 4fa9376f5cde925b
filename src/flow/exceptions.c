// SPDX-License-Identifier: MIT
#include "flow/exceptions.h"

#include <string.h>

#include "base/buf.h"
#include "flow/state.h"
#include "python/vm.h"

static value workflow_error_init(struct vm *vm, const struct args *args);
static value rule_exception_init(struct vm *vm, const struct args *args);

static const struct native_def workflow_error = {"__init__", workflow_error_init,
                                                 "self *args lineno=None snakefile=None rule=None",
                                                 "Joins texts and exceptions to one message."};
static const struct native_def rule_exception = {
    "__init__", rule_exception_init,
    "self message=None include=None lineno=None snakefile=None rule=None", "Keeps the message."};

/* A base comes before what is derived from it. */
static const struct {
    const char *name, *base;
    const struct native_def *init;
} classes[] = {
    {"WorkflowError", "Exception", &workflow_error},
    {"SourceFileError", "WorkflowError", NULL},
    {"WildcardError", "WorkflowError", NULL},
    {"InputFunctionException", "WorkflowError", NULL},
    {"ChildIOException", "WorkflowError", NULL},
    {"UndefinedPathvarException", "WorkflowError", NULL},
    {"CreateCondaEnvironmentException", "WorkflowError", NULL},
    {"CheckSumMismatchException", "WorkflowError", NULL},
    {"NestedCoroutineError", "WorkflowError", NULL},
    {"LockException", "WorkflowError", NULL},
    {"LookupError", "WorkflowError", NULL},
    {"RuleException", "Exception", &rule_exception},
    {"IOException", "RuleException", NULL},
    {"MissingInputException", "IOException", NULL},
    {"ProtectedOutputException", "IOException", NULL},
    {"ImproperOutputException", "IOException", NULL},
    {"MissingOutputException", "RuleException", NULL},
    {"PeriodicWildcardError", "RuleException", NULL},
    {"ImproperShadowException", "RuleException", NULL},
    {"AmbiguousRuleException", "RuleException", NULL},
    {"CyclicGraphException", "RuleException", NULL},
    {"MissingRuleException", "RuleException", NULL},
    {"UnknownRuleException", "RuleException", NULL},
    {"NoRulesException", "RuleException", NULL},
    {"IncompleteFilesException", "RuleException", NULL},
    {"IOFileException", "RuleException", NULL},
    {"RemoteFileException", "RuleException", NULL},
    {"HTTPFileException", "RuleException", NULL},
    {"FTPFileException", "RuleException", NULL},
    {"S3FileException", "RuleException", NULL},
    {"AzureFileException", "RuleException", NULL},
    {"SFTPFileException", "RuleException", NULL},
    {"DropboxFileException", "RuleException", NULL},
    {"XRootDFileException", "RuleException", NULL},
    {"NCBIFileException", "RuleException", NULL},
    {"WebDAVFileException", "RuleException", NULL},
    {"ZenodoFileException", "RuleException", NULL},
    {"ClusterJobException", "RuleException", NULL},
    {"CreateRuleException", "RuleException", NULL},
    {"TerminatedException", "Exception", NULL},
    {"SpawnedJobError", "Exception", NULL},
    {"IncompleteCheckpointException", "Exception", NULL},
    {"InputOpenException", "Exception", NULL},
    {"CacheMissException", "Exception", NULL},
    {"MissingOutputFileCachePathException", "Exception", NULL},
    {"ResourceError", "Exception", NULL},
    {"ResourceInsufficiencyError", "Exception", NULL},
    {"ResourceScopesException", "Exception", NULL},
    {"ResourceValidationError", "TypeError", NULL},
    {"ResourceConstraintError", "TypeError", NULL},
    {"ResourceConversionError", "TypeError", NULL},
    {"ResourceDuplicationError", "ValueError", NULL},
    {"CliException", "Exception", NULL},
};
enum { CLASSES = sizeof classes / sizeof *classes };

/* Sets what str() gives, by the __init__ of all exceptions. */
static value keep_message(struct vm *vm, value self, value message)
{
    value base = dict_get_str(vm, vm_builtins(vm), "BaseException");
    value init = value_attr(vm, base, intern_str(vm_names(vm), "__init__"));
    return init ? vm_call(vm, init, (value[]){self, message}, 2, NO_VALUE) : NO_VALUE;
}

static bool add_lines(struct vm *vm, struct buf *out, value v, const char *indent)
{
    value text = value_str(vm, v);
    if (!text)
        return false;
    for (const char *line = str_text(text), *end; line; line = end ? end + 1 : NULL) {
        end = strchr(line, '\n');
        buf_printf(out, "%s%.*s%s", indent, (int)(end ? end - line : (long)strlen(line)), line,
                   end ? "\n" : "");
    }
    return true;
}

/* A text as it is; an exception with its class, the lines of one of ours deeper. */
static bool add_argument(struct vm *vm, struct buf *out, value v)
{
    if (is_str(v))
        return add_lines(vm, out, v, "");
    bool ours = exception_is(vm, v, "WorkflowError");
    buf_printf(out, "%s:%s", type_name(v), ours ? "\n" : " ");
    return add_lines(vm, out, v, ours ? "    " : "");
}

static value workflow_error_init(struct vm *vm, const struct args *args)
{
    struct buf text = {0};
    size_t n;
    const value *given = sequence_items(args->at[1], &n);
    bool fine = true;
    for (size_t i = 0; fine && i < n; i++) {
        if (i)
            buf_char(&text, '\n');
        fine = add_argument(vm, &text, given[i]);
    }
    value message = fine ? str_new(vm, buf_text(&text), text.len) : NO_VALUE;
    buf_free(&text);
    return message ? keep_message(vm, args->at[0], message) : NO_VALUE;
}

static value rule_exception_init(struct vm *vm, const struct args *args)
{
    return keep_message(vm, args->at[0], args->at[1]);
}

static value make(struct workflow *w, const char *name)
{
    size_t i = 0;
    while (i < CLASSES && strcmp(classes[i].name, name))
        i++;
    const char *base = i < CLASSES ? classes[i].base : "Exception";
    if (!dict_get_str(w->vm, vm_builtins(w->vm), base))
        flow_class(w, base);
    const char *full = arena_printf(&w->arena, "snakemake.exceptions.%s", name);
    return exception_class(w->vm, full, base, i < CLASSES ? classes[i].init : NULL);
}

value flow_class(struct workflow *w, const char *class_name)
{
    value found = dict_get_str(w->vm, w->flow->classes.v, class_name);
    if (found)
        return found;
    found = make(w, class_name);
    dict_set_str(w->vm, w->flow->classes.v, class_name, found);
    return found;
}

bool exceptions_fill(struct workflow *w, value module)
{
    for (size_t i = 0; i < CLASSES; i++)
        if (!module_set(w->vm, module, classes[i].name, flow_class(w, classes[i].name)))
            return false;
    return true;
}
