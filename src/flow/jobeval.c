// SPDX-License-Identifier: MIT
/* jobeval.c: one job's files, resources and params. Paths are filled in as text; Python objects
 * (wildcards, input, ...) are made only when a function asks for them, and are held by the
 * workflow's keep list until another job is evaluated, so that they survive a sweep of the heap
 * while a function runs. */
#include "flow/jobeval.h"

#include <string.h>

#include "base/buf.h"
#include "base/nearest.h"
#include "base/words.h"
#include "flow/evalvalues.h"
#include "flow/flags.h"
#include "flow/namedlist.h"
#include "flow/paths.h"
#include "flow/resources.h"
#include "flow/state.h"
#include "python/types.h"

/* ---- errors ---- */

enum eval_result eval_failed(struct job_eval *eval, const char *what, struct span span)
{
    eval->failed_what = what;
    eval->failed_span = span;
    return EVAL_FAILED;
}

static void wildcards_text(const struct job_eval *eval, struct buf *out)
{
    const struct wildcard_names *names = &eval->rule->wildcards;
    for (int i = 0; i < names->n; i++)
        buf_printf(out, "%s%s=%s", i ? ", " : " with wildcards ",
                   flow_text(eval->workflow, names->name[i]),
                   flow_text(eval->workflow, eval->wildcards[i]));
}

/* Tells the exception in flight, unless flow_refuse has told it. *placed: with a place of its
 * own. */
static bool tell_error(struct job_eval *eval, bool *placed)
{
    struct workflow *w = eval->workflow;
    *placed = true;
    if (flow_took_told(w))
        return true;
    if (!vm_failed_with(w->vm, "BaseException"))
        return false;
    *placed = vm_error_has_place(w->vm);
    vm_report_at(w->vm, eval->failed_span);
    return true;
}

bool eval_report(struct job_eval *eval)
{
    struct workflow *w = eval->workflow;
    struct buf text = {0};
    bool placed;
    if (!tell_error(eval, &placed))
        return false;
    wildcards_text(eval, &text);
    diag_note(w->diags, placed ? eval->failed_span : (struct span){0},
              "while evaluating the %s of rule %s%s",
              eval->failed_what ? eval->failed_what : "values", flow_text(w, eval->rule->name),
              buf_text(&text));
    buf_free(&text);
    return false;
}

/* ---- functions of directives ---- */

/* A call that may wait for a checkpoint. On EVAL_CHECKPOINT the exception has been taken. */
static enum eval_result call_failed(struct job_eval *eval)
{
    struct flow_state *flow = eval->workflow->flow;
    if (!vm_failed_with(eval->workflow->vm, "Exception") || flow->waiting.v == VALUE_NONE)
        return EVAL_FAILED;
    value error = vm_take_error(eval->workflow->vm);
    if (error != flow->waiting.v) {
        vm_raise_value(eval->workflow->vm, error);
        return EVAL_FAILED;
    }
    eval->wait_rule = flow->wait_rule;
    eval->wait_wildcards = flow->wait_wildcards;
    flow->waiting.v = VALUE_NONE;
    return EVAL_CHECKPOINT;
}

enum eval_result eval_call(struct job_eval *eval, value function, uint32_t available, value *out)
{
    struct vm *vm = eval->workflow->vm;
    value at[AUX_COUNT] = {0}, wildcards = eval_seen_wildcards(eval);
    *out = function;
    for (int tries = 0; value_callable(*out); tries++) {
        uint32_t wants = wanted_by(vm, *out) & available;
        if (tries == 10) {
            flow_raise(
                eval->workflow, "WorkflowError",
                "Evaluated 10 nested input functions (i.e. input functions that themselves return "
                "an input function). More than 10 such nested evaluations are not allowed. Does "
                "the workflow accidentally return a function instead of calling it in the input "
                "function?");
            return EVAL_FAILED;
        }
        for (int aux = 0; aux < AUX_COUNT; aux++) {
            if (!(wants >> aux & 1) || at[aux])
                continue;
            enum eval_result result = EVAL_OK;
            if (aux == AUX_INPUT && available & AUX_PLAIN)
                at[aux] = eval_seen_input(eval);
            else
                result = eval_aux(eval, (enum aux)aux, &at[aux]);
            if (result != EVAL_OK)
                return result;
        }
        *out = aux_call(vm, *out, wildcards, at);
        if (*out && is_exact(*out, &type_generator)) {
            eval_hold(eval, *out);
            *out = list_from(vm, *out);
        }
        if (!*out)
            return call_failed(eval);
        eval_hold(eval, *out);
    }
    return EVAL_OK;
}

/* A missing input file that a params or resources function wanted to look into: its value is not
 * known yet. */
bool eval_missing_input(struct job_eval *eval)
{
    struct vm *vm = eval->workflow->vm;
    if (!vm_failed_with(vm, "FileNotFoundError"))
        return false;
    value error = vm_take_error(vm);
    value name = value_attr_find(vm, error, intern_str(eval->workflow->names, "filename"));
    for (uint32_t i = 0; name && is_str(name) && i < eval->ninput; i++)
        if (!strcmp(flow_text(eval->workflow, eval->input[i].path), str_text(name)))
            return true;
    vm_raise_value(vm, error);
    return false;
}

/* ---- input ---- */

/* What is being put together for one item of input. */
struct filling {
    struct job_eval *eval;
    const struct item *item;
    struct job_files *out;
    sym_t name;
    bool in_list;
};

/* Raises; where: what the text with the wildcard is, and what else is to be said. */
static value unknown_wildcard(struct job_eval *eval, const char *where, sym_t unknown,
                              const char *more)
{
    struct workflow *w = eval->workflow;
    const struct wildcard_names *names = &eval->rule->wildcards;
    struct nearest near = nearest_to(flow_text(w, unknown));
    for (int i = 0; i < names->n; i++)
        nearest_offer(&near, flow_text(w, names->name[i]));
    flow_raise(w, "WildcardError", "Wildcards in %s cannot be determined from output files: '%s'%s",
               where, near.wanted, more);
    raise_hint(w->vm, near.best);
    if (!names->n)
        raise_help(w->vm, "the rule has no wildcards, as no file that it makes has any; expand() "
                          "makes lists of files");
    return NO_VALUE;
}

static bool bad_return(struct filling *f, value v)
{
    value text = value_repr(f->eval->workflow->vm, v);
    flow_raise(f->eval->workflow, "InputFunctionException",
               "Function did not return str or iterable of str. Encountered: %s (%s)",
               text ? str_text(text) : "?", type_of(v)->name);
    if (v == VALUE_NONE)
        raise_help(f->eval->workflow->vm,
                   "None is what a function gives that ends without `return`, "
                   "and what get() gives for a key that is not there");
    return false;
}

/* A path that a function gave: its wildcards are filled in too. */
static const char *fill_returned(struct filling *f, value path)
{
    struct job_eval *eval = f->eval;
    struct workflow *w = eval->workflow;
    sym_t unknown = 0;
    const char *text = str_text(path);
    if (strchr(text, '<') || eval->rule->scope->outer || w->options.default_storage_provider)
        text = place_path(w, eval->rule->info, DIRECTIVE_INPUT, path, f->item->span);
    if (!text || !strchr(text, '{'))
        return text;
    const char *filled = wildcards_fill(eval->scratch, w->names, &eval->rule->wildcards,
                                        eval->wildcards, text, strlen(text), &unknown);
    if (!filled)
        unknown_wildcard(eval, "input files", unknown, "");
    return filled;
}

static bool push_path(struct filling *f, value v)
{
    struct workflow *w = f->eval->workflow;
    value path = path_value(w->vm, v);
    if (!path)
        return vm_failed(w->vm) ? false : bad_return(f, v);
    if (!str_whole(w->vm, path))
        return false;
    const char *text = fill_returned(f, path);
    if (!text)
        return false;
    size_t len = strlen(text);
    while (len > 1 && text[len - 1] == '/')
        len--;
    struct job_file file = {.path = intern(w->names, text, len),
                            .name = f->name,
                            .in_list = f->in_list,
                            .item = f->item};
    value from = flag_find(w->vm, path, "from_rule");
    int64_t id = 0;
    if (from && int_get(from, &id))
        file.maker = (rule_id)id;
    file.flags = (uint16_t)(f->item->flags | flags_mask(w->vm, flags_of(w->vm, path)));
    vec_push(f->out, file);
    return true;
}

static bool is_single(struct vm *vm, value v)
{
    if (is_str(v) || !is_object(v) || is_int(v) || is_float(v))
        return true;
    return !is_list(v) && !is_tuple(v) && !is_dict(v) && path_value(vm, v) != NO_VALUE;
}

/* The list that was the last one too, whose paths are known. */
static void push_known(struct filling *f, const struct same_list *known)
{
    struct job_file file = {
        .flags = f->item->flags, .name = f->name, .in_list = f->in_list, .item = f->item};
    for (uint32_t i = 0; i < known->paths.len; i++) {
        file.path = known->paths.at[i];
        vec_push(f->out, file);
    }
}

/* Remembers what push_path has made of a whole list, from place `first` of the files on. */
static void remember_list(struct filling *f, value v, uint32_t first)
{
    struct workflow *w = f->eval->workflow;
    uint32_t n = f->out->len - first;
    if (f->eval->rule->scope->outer)
        return; /* what makes paths of texts there is more than the texts */
    sym_t *paths = arena_array(f->eval->scratch, sym_t, n + 1);
    for (uint32_t i = 0; i < n; i++)
        paths[i] = f->out->at[first + i].path;
    same_list_keep(&w->flow->last_list, f->item, w->names, v, paths, n);
}

static bool push_value(struct filling *f, value v)
{
    struct workflow *w = f->eval->workflow;
    struct vm *vm = w->vm;
    uint32_t first = f->out->len;
    struct iter it;
    f->in_list = f->name && !is_single(vm, v);
    if (is_single(vm, v))
        return push_path(f, v);
    if (same_list_is(&w->flow->last_list, f->item, w->names, v)) {
        push_known(f, &w->flow->last_list);
        return true;
    }
    if (is_dict(v)) /* its keys are no files: unpack() was forgotten */
        return bad_return(f, v);
    if (!iter_open(vm, v, &it)) {
        vm_take_error(vm);
        return bad_return(f, v);
    }
    for (value item; (item = iter_next(vm, &it));)
        if (!push_path(f, item))
            return false;
    if (vm_failed(vm))
        return false;
    remember_list(f, v, first);
    return true;
}

static void add_bare(struct job_eval *eval, sym_t name)
{
    sym_t *names = arena_array(eval->scratch, sym_t, eval->nbare + 1);
    for (uint32_t i = 0; i < eval->nbare; i++)
        names[i] = eval->bare[i];
    names[eval->nbare++] = name;
    eval->bare = names;
}

static bool push_unpacked(struct filling *f, value v)
{
    struct workflow *w = f->eval->workflow;
    size_t pos = 0, n = 0;
    value key, item;
    if (f->item->name) {
        flow_raise(w, "WorkflowError", "Cannot combine named input file (name %s) with unpack()",
                   flow_text(w, f->item->name));
        return false;
    }
    if (is_list(v)) {
        const value *at = sequence_items(v, &n);
        for (size_t i = 0; i < n; i++)
            if (!push_value(f, at[i]))
                return false;
        return true;
    }
    if (!is_dict(v)) {
        flow_raise(w, "WorkflowError",
                   "Can only use unpack() on list and dict, but %s was returned.",
                   type_of(v)->name);
        return false;
    }
    while (dict_next(v, &pos, &key, &item)) {
        uint32_t first = f->out->len;
        f->name = is_str(key) ? str_sym(w->vm, key) : 0;
        if (!push_value(f, item))
            return false;
        if (f->name && f->out->len == first)
            add_bare(f->eval, f->name);
    }
    return true;
}

/* Whether the function reads a queue that may yield more. */
static bool reads_open_queue(struct job_eval *eval, const struct item *item)
{
    struct vm *vm = eval->workflow->vm;
    value queue = item->flags_dict ? dict_get_str(vm, item->flags_dict, "from_queue") : NO_VALUE;
    value finished = queue
                         ? value_attr_find(vm, queue, intern_str(eval->workflow->names, "finished"))
                         : VALUE_TRUE;
    return finished == VALUE_FALSE;
}

static bool push_returned(struct filling *f, value v)
{
    return f->item->unpack ? push_unpacked(f, v) : push_value(f, v);
}

/* The checkpoint's first output in place of all that the function may have given so far. */
static enum eval_result push_checkpoint(struct job_eval *eval, const struct item *item,
                                        uint32_t first, struct job_files *out)
{
    struct workflow *w = eval->workflow;
    const struct rule *checkpoint = w->rules.at[eval->wait_rule];
    if (!checkpoint->output.len) {
        flow_raise(w, "WorkflowError",
                   "the checkpoint %s that the input function waits for has no output",
                   flow_text(w, checkpoint->name));
        return EVAL_FAILED;
    }
    struct job_file file = {
        .path = pattern_apply(&checkpoint->output.at[0].pattern, w->names, eval->wait_wildcards),
        .flags = item->flags,
        .name = item->name,
        .checkpoint = true,
        .item = item};
    out->len = first;
    vec_push(out, file);
    return EVAL_CHECKPOINT;
}

static enum eval_result input_function(struct job_eval *eval, const struct item *item,
                                       struct job_files *out)
{
    struct filling f = {eval, item, out, item->name, false};
    uint32_t first = out->len;
    value v;
    enum eval_result result = eval_call(eval, item->value.v, AUX_BIT(GROUPID), &v);
    if (eval->wants_groupid) {
        if (result == EVAL_FAILED)
            vm_take_error(eval->workflow->vm);
        return EVAL_OK;
    }
    eval->wants_queue |= result == EVAL_OK && reads_open_queue(eval, item);
    if (result == EVAL_OK && !push_returned(&f, v))
        result = call_failed(eval); /* a generator may wait as well */
    if (result == EVAL_CHECKPOINT)
        result = push_checkpoint(eval, item, first, out);
    return result == EVAL_FAILED ? eval_failed(eval, "input function", item->span) : result;
}

enum eval_result eval_input(struct job_eval *eval, struct job_files *out)
{
    struct workflow *w = eval->workflow;
    const struct items *items = &eval->rule->input;
    enum eval_result all = EVAL_OK;
    eval->nbare = 0;
    for (uint32_t i = 0; i < items->len; i++) {
        const struct item *item = &items->at[i];
        if (item->kind == ITEM_PATTERN) {
            struct job_file file = {
                .path = pattern_apply(&item->pattern, w->names, eval->wildcards),
                .flags = item->flags,
                .in_list = item->in_list,
                .name = item->name,
                .maker = item->maker,
                .item = item};
            vec_push(out, file);
            continue;
        }
        if (item->unknown) {
            const char *name = flow_text(w, item->unknown);
            unknown_wildcard(eval, "input files", item->unknown, "");
            return eval_failed(eval, "input", field_span(w, item->span, name, strlen(name)));
        }
        enum eval_result result = input_function(eval, item, out);
        if (result == EVAL_FAILED)
            return result;
        all = result == EVAL_CHECKPOINT ? result : all;
    }
    return all;
}

/* ---- output, log, benchmark ---- */

/* known: the paths, or NULL. */
static void apply_items(struct job_eval *eval, const struct items *items, const sym_t *known,
                        struct job_files *out)
{
    out->len = 0;
    for (uint32_t i = 0; i < items->len; i++) {
        const struct item *item = &items->at[i];
        struct job_file file = {
            .path = known ? known[i]
                          : pattern_apply(&item->pattern, eval->workflow->names, eval->wildcards),
            .flags = item->flags,
            .in_list = item->in_list,
            .name = item->name,
            .item = item};
        vec_push(out, file);
    }
}

void eval_output(struct job_eval *eval)
{
    apply_items(eval, &eval->rule->output, eval->output_paths, &eval->output);
    apply_items(eval, &eval->rule->log, NULL, &eval->log);
    apply_items(eval, &eval->rule->benchmark, NULL, &eval->benchmark);
    eval->output_known = true;
}

/* ---- params ---- */

enum { PARAMS_AUX = AUX_BIT(INPUT) | AUX_BIT(OUTPUT) | AUX_BIT(THREADS) | AUX_BIT(RESOURCES) };

static value fill_text(struct job_eval *eval, value v)
{
    struct workflow *w = eval->workflow;
    sym_t unknown = 0;
    if (!is_str(v))
        return v;
    if (!strchr(str_text(v),
                '{')) /* of a derived class (an enumeration's member): the text itself */
        return is_exact(v, &type_str) ? v : str_new(w->vm, str_text(v), as_str(v)->len);
    const char *filled = wildcards_fill(eval->scratch, w->names, &eval->rule->wildcards,
                                        eval->wildcards, str_text(v), as_str(v)->len, &unknown);
    if (filled)
        return str_from(w->vm, filled);
    return unknown_wildcard(eval, "params", unknown,
                            ". Note that you have to use a function to deactivate automatic "
                            "wildcard expansion in params strings, e.g., "
                            "`lambda wildcards: '{test}'`.");
}

static bool has_wildcards(value v)
{
    size_t n = 0;
    const value *at = is_list(v) ? sequence_items(v, &n) : NULL;
    for (size_t i = 0; i < n; i++)
        if (is_str(at[i]) && strchr(str_text(at[i]), '{'))
            return true;
    return is_str(v) && strchr(str_text(v), '{');
}

bool rule_params_constant(const struct rule *rule)
{
    for (uint32_t i = 0; i < rule->params.len; i++)
        if (rule->params.at[i].kind == ITEM_FUNCTION || has_wildcards(rule->params.at[i].value.v))
            return false;
    return true;
}

/* A text has its wildcards filled in, a list those of its texts; other values are as they are. */
static value fill_param(struct job_eval *eval, value v)
{
    if (!is_list(v))
        return fill_text(eval, v);
    size_t n;
    const value *at = sequence_items(v, &n);
    value list = list_new(eval->workflow->vm, NULL, 0);
    for (size_t i = 0; i < n; i++) {
        value item = fill_text(eval, at[i]);
        if (!item)
            return NO_VALUE;
        list_push(eval->workflow->vm, list, item);
    }
    return list;
}

static bool has_input(const struct job_eval *eval, sym_t path)
{
    uint32_t i = 0;
    while (i < eval->ninput && eval->input[i].path != path)
        i++;
    return i < eval->ninput;
}

/* A value that waits for a checkpoint is not known yet, if the job waits for it as well: until it
 * starts, when a checkpoint can lack nothing but what has been removed since it ran. */
static enum eval_result param_waits(struct job_eval *eval, value *out)
{
    struct workflow *w = eval->workflow;
    const struct rule *checkpoint = w->rules.at[eval->wait_rule];
    const char *name = flow_text(w, checkpoint->name);
    bool waits = checkpoint->output.len &&
                 has_input(eval, pattern_apply(&checkpoint->output.at[0].pattern, w->names,
                                               eval->wait_wildcards));
    if (waits && !eval->starts) {
        *out = eval_tbd(eval);
        eval->params_wait = true;
        return EVAL_OK;
    }
    if (waits)
        flow_raise(w, "WorkflowError",
                   "the value depends on the checkpoint %s, of which an output is missing (it may "
                   "have been temporary); --forcerun %s makes it again",
                   name, name);
    else
        flow_raise(w, "WorkflowError",
                   "Rule parameter depends on checkpoint but checkpoint output is not defined as "
                   "input file for the rule. Please add the output of the checkpoint %s to the "
                   "rule inputs.",
                   name);
    return EVAL_FAILED;
}

static enum eval_result param_function(struct job_eval *eval, const struct item *item, value *out)
{
    if (item->unpack) {
        flow_raise(eval->workflow, "WorkflowError",
                   "unpack() is not allowed with params. Simply return a dictionary which can be "
                   "directly used, e.g. via {params[mykey]}.");
        return EVAL_FAILED;
    }
    enum eval_result result = eval_call(eval, item->value.v, PARAMS_AUX | AUX_PLAIN, out);
    if (result == EVAL_CHECKPOINT)
        return param_waits(eval, out);
    if (result == EVAL_OK || (result == EVAL_FAILED && !eval_missing_input(eval)))
        return result;
    *out = eval_tbd(eval);
    return EVAL_OK;
}

static bool is_derived(struct job_eval *eval, const struct item *item)
{
    return item->kind == ITEM_FUNCTION && named_by(eval->workflow->vm, item->value.v) & PARAMS_AUX;
}

enum eval_result eval_params(struct job_eval *eval)
{
    struct vm *vm = eval->workflow->vm;
    const struct items *items = &eval->rule->params;
    eval_begin(eval);
    eval->params_wait = false;
    value params = eval_hold(eval, namedlist_new(vm, &type_params));
    value counted = eval_hold(eval, list_new(vm, NULL, 0));
    for (uint32_t i = 0; i < items->len; i++) {
        const struct item *item = &items->at[i];
        value v = NO_VALUE;
        if (item->kind == ITEM_FUNCTION) {
            if (param_function(eval, item, &v) != EVAL_OK)
                return eval_failed(eval, "params", item->span);
        } else if (!(v = fill_param(eval, item->value.v))) {
            return eval_failed(eval, "params", item->span);
        }
        list_push(vm, params, v);
        if (item->name)
            namedlist_name(params, item->name, i, 1, false);
        if (!is_derived(eval, item))
            list_push(vm, counted, v);
    }
    eval->params = params;
    eval->counted_params = counted;
    return EVAL_OK;
}

const char *eval_params_record(struct job_eval *eval)
{
    struct vm *vm = eval->workflow->vm;
    struct buf out = {0};
    size_t n = 0, kept = 0;
    if ((!eval->params || eval->epoch != eval->workflow->flow->epoch) &&
        eval_params(eval) != EVAL_OK)
        return NULL;
    const value *at = sequence_items(eval->counted_params, &n);
    const char **text = arena_array(eval->scratch, const char *, n + 1);
    for (size_t i = 0; i < n; i++) {
        value repr = eval_param_text(vm, at[i]);
        vm_take_error(vm);
        if (repr)
            text[kept++] = arena_str(eval->scratch, str_text(repr));
    }
    qsort(text, kept, sizeof *text, word_order);
    for (size_t i = 0; i < kept; i++)
        if (!i || strcmp(text[i], text[i - 1]))
            buf_printf(&out, "%s%s", out.len ? "\n" : "", text[i]);
    const char *record = arena_copy(eval->scratch, buf_text(&out), out.len);
    buf_free(&out);
    return record;
}

/* ---- group ---- */

const char *eval_group(struct job_eval *eval)
{
    value v = eval->rule->group.v;
    if (!v || v == VALUE_NONE)
        return NULL;
    if (value_callable(v) && eval_call(eval, v, 0, &v) != EVAL_OK)
        v = NO_VALUE;
    v = v ? fill_text(eval, v) : NO_VALUE;
    if (!v) {
        eval_failed(eval, "group", directive_span(eval->rule, DIRECTIVE_GROUP));
        eval_report(eval);
        return NULL;
    }
    int64_t number;
    if (int_get(v, &number)) /* group: 0 */
        return arena_printf(eval->scratch, "%lld", (long long)number);
    return is_str(v) ? arena_str(eval->scratch, str_text(v)) : NULL;
}
