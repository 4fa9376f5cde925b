// SPDX-License-Identifier: MIT
/* Small Snakefiles: the rules that come of them, and what is told about wrong ones. */
#include "flowtest.h"

/* ---- what stands in a rule ---- */

static void test_items(void)
{
    struct flowtest t = flowtest_open();
    flowtest_load(&t,
                  "rule a:\n"
                  "    'A docstring.'\n"
                  "    output: 'o/{s}.txt', x=temp('x/{s}'), y=['y/{s}.1', directory('y/{s}.2')]\n"
                  "    input: 'in', ['p', ['q']], f=lambda w: w.s\n"
                  "    log: 'log/{s}'\n"
                  "    params: 1, n='v{s}'\n"
                  "    threads: 3\n"
                  "    shell: 'echo {input}'\n");
    struct rule *rule = t.w ? workflow_rule(t.w, "a") : NULL;
    if (!ok(rule, "a rule is there (%s)", t.error))
        return flowtest_close(&t);
    is(rule->docstring, "A docstring.", "with its docstring");
    ok(rule->output.len == 4 && rule->input.len == 4 && rule->params.len == 2,
       "items are flattened");
    ok(rule->wildcards.n == 1, "wildcards come from the products");
    is(sym_text(t.names, rule->wildcards.name[0]), "s", "by name");
    ok(rule->output.at[1].flags == FLAG_TEMP && rule->output.at[3].flags == FLAG_DIRECTORY,
       "flags");
    is(sym_text(t.names, rule->output.at[2].name), "y",
       "the name of a list is the name of its items");
    ok(rule->output.at[2].in_list && !rule->output.at[1].in_list, "and known to be a list's");
    ok(rule->input.at[3].kind == ITEM_FUNCTION && rule->input.at[0].kind == ITEM_PATTERN, "kinds");
    ok(!rule->input.constant, "an input with a function is not constant");
    is(sym_text(t.names, rule->code), "echo {input}", "the code of a shell rule is its raw text");
    ok(rule->body == BODY_SHELL && !rule->norun && !rule->local, "a body");
    flowtest_close(&t);
}

static void test_defaults(void)
{
    struct flowtest t = flowtest_open();
    flowtest_write("inc/more.smk", "rule inc:\n    output: 'i'\nlocalrules: inc\n"
                                   "include: 'again.smk'\n");
    flowtest_write("inc/again.smk", "V = 7\n");
    flowtest_load(
        &t,
        "include: 'inc/more.smk'\n"
        "rule first:\n    input: 'b'\n"
        "rule:\n    output: 'c'\n"
        "for x in ['p', 'q']:\n    rule:\n        name: 'loop_' + x\n        output: x + str(V)\n"
        "rule last:\n    output: 'l'\n    retries: 2\n    priority: 5\n"
        "ruleorder: last > first\n");
    if (ok(t.w, "a workflow with an include (%s)", t.error)) {
        is(sym_text(t.names, t.w->default_target), "first",
           "an included rule is no default target");
        ok(workflow_rule(t.w, "inc")->local && !workflow_rule(t.w, "last")->local, "localrules");
        ok(workflow_rule(t.w, "3") && workflow_rule(t.w, "3")->anonymous,
           "a rule without a name is its number");
        ok(workflow_rule(t.w, "loop_p") && workflow_rule(t.w, "loop_q"), "rules in a loop");
        ok(eval_retries(workflow_rule(t.w, "last"), 0) == 2, "retries");
        rule_id first = workflow_rule(t.w, "first")->id, last = workflow_rule(t.w, "last")->id;
        ok(workflow_prefer(t.w, last, first) > 0 && workflow_prefer(t.w, first, last) < 0,
           "ruleorder");
        ok(t.w->snakefiles.len == 3, "every file read is known");
        is(workflow_nearest_rule(t.w, "frist"), "first", "a hint for a wrong name");
    }
    flowtest_close(&t);
}

static void test_module(void)
{
    struct flowtest t = flowtest_open();
    flowtest_write(
        "mod/Snakefile",
        "WORD = 'mod'\n"
        "rule a:\n    input: 'in.txt'\n    output: 'r/{x}.txt'\n    params: p=1, q=config['k']\n"
        "    shell: 'echo {WORD} {params.p} {params.q}'\n"
        "rule b:\n    input: rules.a.output\n    output: 'b/{x}'\n"
        "rule c:\n    output: 'c'\n");
    flowtest_load(
        &t, "rule all:\n    input: 'x'\n"
            "module m:\n    snakefile: 'mod/Snakefile'\n    config: {'k': 7}\n    prefix: 'pre'\n"
            "use rule * from m exclude c as m_*\n"
            "use rule a from m as special with:\n    output: 's/{x}'\n    params: p=2\n"
            "use rule special as third with:\n    output: 't/{x}'\n"
            "rule last:\n    input: rules.m_b.output\n    output: 'l/{x}'\n");
    if (ok(t.w, "a workflow with a module (%s)", t.error)) {
        struct rule *a = workflow_rule(t.w, "m_a"), *special = workflow_rule(t.w, "special");
        struct rule *third = workflow_rule(t.w, "third"), *last = workflow_rule(t.w, "last");
        ok(a && special && third && last && !workflow_rule(t.w, "m_c"),
           "its rules under new names");
        is(sym_text(t.names, a->output.at[0].pattern.plain), "pre/r/{x}.txt", "with the prefix");
        is(sym_text(t.names, special->output.at[0].pattern.plain), "s/{x}",
           "overwritten by `with`, which stands outside the module");
        is(sym_text(t.names, last->input.at[0].pattern.plain), "pre/b/{x}",
           "paths of rules are not changed twice");
        ok(special->params.len == 2, "params are merged");
        struct job_files input = {0};
        enum eval_result result;
        struct job_eval eval = flowtest_job(&t, "special", "1", &input, &result);
        is(eval_shell(&eval, true), "echo mod 2 7", "shell sees the module's names and config");
        job_eval_free(&eval);
        vec_free(&input);
    }
    flowtest_close(&t);
}

/* ---- what is refused ---- */

static const struct {
    const char *snakefile, *want;
} wrong[] = {
    {"rule a:\n    inptu: 'x'\n", "inptu"},
    {"rule a:\n    output: '{z}', '{q}'\n",
     "Not all output, log and benchmark files of rule a contain the same wildcards."},
    {"rule a:\n    output: '{z}'\n    log: 'x'\n", "contain the same wildcards"},
    {"rule a:\n    output: 'x'\nrule a:\n    output: 'y'\n",
     "The name a is already used by another rule"},
    {"rule a:\n    output: lambda w: 'x'\n",
     "Only input files can be specified as functions (rule a)"},
    {"rule a:\n    input: items='x'\n", "items is reserved for internal use"},
    {"include: 'nix.smk'\n", "Failed to open source file nix.smk: No such file or directory"},
    {"configfile: 'c.yaml'\n",
     "Workflow defines configfile c.yaml but it is not present or accessible"},
    {"rule a:\n    output: 'x', 'x'\n", "Duplicate output file pattern in rule a"},
    {"rule a:\n    output: '{x,[}'\n", "in wildcard statement"},
    {"rule a:\n    threads: 'four'\n    output: 'x'\n",
     "Threads value has to be an integer, float, or a callable"},
    {"rule a:\n    retries: -1\n    output: 'x'\n", "Retries values have to be integers >= 0"},
    {"rule a:\n    shadow: 'deep'\n    output: 'x'\n", "Shadow must either be"},
    {"rule a:\n    resources: mem='foo'\n    output: 'x'\n", "could not be parsed as size in MB"},
    {"rule a:\n    resources: mem_mb=1, mem='1GB'\n    output: 'x'\n", "more than one spelling"},
    {"use rule b as c with:\n    output: 'x'\n", "Rule b is not defined"},
    {"rule a:\n    input: rules.bb.output\n", "Rule bb is not defined in this workflow"},
    {"rule a:\n    output: protected(temp('x'))\n",
     "Protected and temporary flags are mutually exclusive."},
    {"ruleorder: a > b\nrule a:\n    output: 'x'\n", "There is no rule named b"},
    {"rule a:\n    input: 5\n", "have to be specified as strings or lists of strings"},
    {"envvars: 'NO_SUCH_VARIABLE'\n", "requested by the workflow but undefined"},
    {"rule a:\n    default_target: 1\n    output: 'x'\n", "Only True allowed"},
};

static void test_wrong(void)
{
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct flowtest t = flowtest_open();
        flowtest_load(&t, wrong[i].snakefile);
        if (!ok(!t.w && strstr(t.error, wrong[i].want), "refused: %s", wrong[i].want))
            printf("# told: %s\n", t.error);
        flowtest_close(&t);
    }
}

int main(void)
{
    test_items();
    test_defaults();
    test_module();
    test_wrong();
    return done();
}
