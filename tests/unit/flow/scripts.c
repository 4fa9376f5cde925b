// SPDX-License-Identifier: MIT
/* Scripts see their job: the same facts told by a Python and a bash script, run for real. */
#include "flowtest.h"

static const char *const snakefile =
    "config['word'] = 'W w'\n"
    "rule py:\n    input: 'Snakefile', k=['a', 'b']\n    output: '{s}.py.txt'\n    params: 3, "
    "d={'x': [1, None, True]}, f=0.5\n"
    "    log: 'log/{s}'\n    threads: 2\n    resources: mem_mb=100\n    script: "
    "'scripts/{wildcards.s}.py'\n"
    "rule sh:\n    input: 'Snakefile', k=['a', 'b']\n    output: '{s}.sh.txt'\n    params: "
    "n='it''s', l=[1, 2]\n"
    "    script: 'scripts/say.sh'\n"
    "rule none:\n    output: '{s}.none'\n    script: 'scripts/none.py'\n";

/* Where Snakemake is installed, too, that import finds its module, which has no such name. */
static const char *const python =
    "import os\n"
    "try:\n    from snakemake.script import snakemake as same\n"
    "except ImportError:\n    same = snakemake\n"
    "with open(snakemake.output[0], 'w') as out:\n"
    "    print(snakemake.input, snakemake.input.k, snakemake.params[0], snakemake.params.d, "
    "snakemake.params['f'],\n"
    "          snakemake.wildcards.s, snakemake.threads, snakemake.resources.mem_mb, "
    "snakemake.log[0],\n"
    "          snakemake.config['word'], snakemake.rule, os.path.basename(__file__), same is "
    "snakemake,\n"
    "          snakemake.log_fmt_shell(), __name__, snakemake.input.get('nix', 1), sep='|', "
    "file=out)\n";

static const char *run(struct flowtest *t, const char *rule, const char *out)
{
    struct job_files input = {0};
    enum eval_result result;
    struct script_run script = {0};
    struct job_eval eval = flowtest_job(t, rule, "S", &input, &result);
    const char *text = "(not run)";
    if (!eval_script_command(&eval, ".snakemake/scripts", &script))
        eval_report(&eval);
    else if (system(script.command) == 0)
        text = fs_read(&t->arena, out, NULL);
    job_eval_free(&eval);
    vec_free(&input);
    return text;
}

int main(void)
{
    struct flowtest t = flowtest_open();
    flowtest_write("scripts/S.py", python);
    flowtest_write("scripts/say.sh",
                   "echo \"${snakemake_input[0]}|${snakemake_input[k]}|${snakemake_input[1]}|"
                   "${snakemake_params[l]}|${snakemake_wildcards[s]}|${snakemake_config[word]}|"
                   "${snakemake[rule]}|${snakemake[threads]}\" > ${snakemake_output[0]}\n");
    if (ok(flowtest_load(&t, snakefile), "the Snakefile is read (%s)", t.error)) {
        is(run(&t, "py", "S.py.txt"),
           "Snakefile a b|a b|3|{'x': [1, None, True]}|0.5|S|2|100|log/S|W w|py|S.py|True| > log/S "
           "2>&1|__main__|1\n",
           "a Python script");
        is(run(&t, "sh", "S.sh.txt"), "Snakefile|a b|a b|1 2|S|W w|sh|1\n", "a bash script");
        run(&t, "none", "none");
        ok(strstr(diag_last(t.dx), "none.py"), "a missing script is told (%s)", diag_last(t.dx));
    }
    flowtest_close(&t);
    return done();
}
