// SPDX-License-Identifier: MIT
/* Resources become options of sbatch; a script's own #SBATCH lines go before them. */
#include "exec/slurm_asks.h"

#include <stdlib.h>

#include "base/buf.h"
#include "test.h"

enum { MOST = 8 };

struct row {
    const char *resources; /* "name=value name=value"; a '?' before the name: only by default */
    int cores;
    const char *script; /* or NULL */
    const char *expect; /* the options, or "! the complaint" */
};

static const struct row rows[] = {
    {"", 1, NULL, "--cpus-per-task=1 --no-requeue"},
    {"slurm_account=maigan slurm_partition=a,b runtime=60 mem_mb=300 gres=gpu:1", 4, NULL,
     "--account=maigan --partition=a,b --time=60 --mem=300M --gres=gpu:1 --cpus-per-task=4 "
     "--no-requeue"},
    {"mem_mb=100 mem_mb_per_cpu=50 cpus_per_task=2", 8, NULL,
     "--mem-per-cpu=50M --cpus-per-task=2 --no-requeue"},
    {"gpu=2 gpu_model=a100 tasks=3", 1, NULL,
     "--gpus=a100:2 --ntasks-per-gpu=3 --cpus-per-task=1 --no-requeue"},
    {"gpu=2 tasks_per_gpu=1 tasks=3", 1, NULL,
     "--gpus=2 --ntasks-per-gpu=1 --cpus-per-task=1 --no-requeue"},
    {"gpu=2 tasks_per_gpu=-1 cpus_per_gpu=0", 4, NULL, "--gpus=2 --no-requeue"},
    {"gpu=1 cpus_per_task=3 cpus_per_gpu=6", 1, NULL, "--gpus=1 --cpus-per-task=3 --no-requeue"},
    {"gpu=1 gres=lscratch:100", 2, NULL,
     "--gres=lscratch:100 --gpus=1 --cpus-per-task=2 --no-requeue"},
    {"gpu=1 gres=gpu:2", 2, NULL, "--gres=gpu:2 --cpus-per-task=2 --no-requeue"},
    {"gpu=4 mpi=mpiexec tasks=8 tasks_per_gpu=2", 1, NULL,
     "--gpus=4 --ntasks-per-gpu=2 --ntasks=8 --cpus-per-task=1 --no-requeue"},
    {"cpus_per_task=-1", 4, NULL, "--no-requeue"},
    {"cpus_per_task=0", 4, NULL, "--cpus-per-task=4 --no-requeue"},
    {"cpus_per_task=two", 4, NULL,
     "! resource cpus_per_task must be a number of at least 1, not 'two'"},
    {"mem_mb=much", 1, NULL, "! resource mem_mb must be a number of MB, not 'much'"},
    {"mem_mb_per_cpu=0 mem_mb=5", 1, NULL, "--mem=5M --cpus-per-task=1 --no-requeue"},
    {"slurm_account=a,b", 1, NULL, "--account=a --cpus-per-task=1 --no-requeue"},
    {"gpu_model=a100 tasks_per_gpu=2 cpus_per_gpu=6", 1, NULL,
     "--gpus=a100:1 --ntasks-per-gpu=2 --cpus-per-gpu=6 --no-requeue"},
    {"nodes=2 tasks=8 mpi=mpiexec constraint=avx qos=fast clusters=x", 1, NULL,
     "--clusters=x --constraint=avx --qos=fast --nodes=2 --ntasks=8 --cpus-per-task=1 "
     "--no-requeue"},
    {"mpi=mpiexec", 1, NULL, "! an MPI job needs either the resource tasks or tasks_per_node"},
    {"slurm_requeue=1 slurm_reservation=r", 1, NULL, "--reservation=r --cpus-per-task=1 --requeue"},
    {"runtime=0 tasks=0", 1, NULL, "--cpus-per-task=1 --no-requeue"},
    {"runtime=-1", 1, NULL, "! resource runtime must be a number of at least 1, not '-1'"},
    {"mpi=mpiexec tasks=0 tasks_per_node=4", 1, NULL,
     "--ntasks-per-node=4 --cpus-per-task=1 --no-requeue"},
    {"gpu=1 tasks=0", 1, NULL, "--gpus=1 --cpus-per-task=1 --no-requeue"},
    {"nodes=many", 1, NULL, "! resource nodes must be a number of at least 1, not 'many'"},
    {"gres=lscratch:100,gpu:a100:1 gpu=1 cpus_per_gpu=3", 1, NULL,
     "--gres=lscratch:100,gpu:a100:1 --cpus-per-gpu=3 --no-requeue"},
    {"gres=gpu:1,", 1, NULL,
     "! resource gres must look like gpu:1, gpu:a100:2 or gpu:1,tmp:9, not 'gpu:1,'"},
    {"gres=,gpu:1", 1, NULL,
     "! resource gres must look like gpu:1, gpu:a100:2 or gpu:1,tmp:9, not ',gpu:1'"},
    {"slurm_extra=--nice=3", 1, NULL, "--cpus-per-task=1 --no-requeue --nice=3"},
    {"slurm_extra=--mem=5", 1, NULL,
     "! slurm_extra must not hold --mem: give it as the resource mem_mb"},
    {"slurm_extra=-J", 1, NULL,
     "! slurm_extra must not hold --job-name, which the engine sets itself"},
    {"slurm_extra='--x", 1, NULL, "! a quote is open in slurm_extra: '--x"},
    {"?mem_mb=1000 runtime=5", 1,
     "#!/bin/bash\n#SBATCH --mem=64G\n#SBATCH -t 1:00:00\n#SBATCH --gres=gpu:1 # one\nsrun x\n",
     "--mem=64G -t 1:00:00 --gres=gpu:1 --time=5 --cpus-per-task=1 --no-requeue"},
    {"mem_mb=1000", 2,
     "#!/bin/bash\n#SBATCH --mem=64G -c 8\n#SBATCH --job-name=mine "
     "--output=log.%j\n\necho\n#SBATCH --mem=1\n",
     "--mem=64G -c 8 --mem=1000M --cpus-per-task=2 --no-requeue"},
    {"?mem_mb=1000", 1,
     "#!/bin/bash\n#SBATCH -c 8 --job-name 'my job' --requeue\n#SBATCH --comment=\"a b\"\n",
     "-c 8 --requeue --comment=a b --mem=1000M"},
    {"", 1, "#SBATCH --comment=\"a # b\" --nice=1#x --hold\n#SBATCH -c 2 # it's\n",
     "--comment=a # b --nice=1 -c 2 --no-requeue"},
    {"", 1, "#SBATCH -c 2\n#SBATCH hetjob\n#SBATCH -c 4\n",
     "! line 2 of the script begins another part of a heterogeneous job: those are not supported"},
    {"", 1, "#!/bin/bash\n#SBATCH --array=0-9\n",
     "! its script asks for a job array with #SBATCH --array: give the rule a wildcard instead"},
    {"", 1, "#SBATCH --comment='open\n",
     "! line 1 of the script: a quote is open in '--comment='open'"},
};

static uint32_t read_resources(struct arena *in, const char *text, struct launch_resource *out)
{
    uint32_t n = 0;
    char *copy = arena_str(in, text), *rest = copy;
    for (char *word; n < MOST && (word = strtok_r(rest, " ", &rest)); n++) {
        char *equals = strchr(word, '=');
        *equals = '\0';
        out[n] = (struct launch_resource){word + (*word == '?'), equals + 1, *word == '?'};
    }
    return n;
}

static void test_row(const struct row *row)
{
    struct arena in = {0};
    struct launch_resource resources[MOST];
    slurm_words script = {0}, words = {0};
    struct buf text = {0};
    const char *why = row->script ? slurm_script_args(&in, row->script, &script) : NULL;
    struct launch launch = {
        .cores = row->cores, .resource = resources, .sbatch = script.at, .nsbatch = script.len};
    launch.nresource = read_resources(&in, row->resources, resources);
    if (!why)
        why = slurm_args(&in, &launch, &(struct slurm_options){0}, &words);
    if (why)
        buf_printf(&text, "! %s", why);
    for (uint32_t i = 0; i < words.len && !why; i++)
        buf_printf(&text, "%s%s", i ? " " : "", words.at[i]);
    is(buf_text(&text), row->expect, row->resources);
    vec_free(&script);
    vec_free(&words);
    buf_free(&text);
    arena_free(&in);
}

/* What the options add up to. */
static void test_asks(void)
{
    static const struct {
        const char *words;
        int64_t cpus, mem_mb, gpus;
    } asked[] = {
        {"", 1, 0, 0},
        {"--cpus-per-task=4 --mem=300M", 4, 300, 0},
        {"-c 4 --mem 2G -n 3", 12, 2048, 0},
        {"--nodes=2 --ntasks-per-node=4 --cpus-per-task=2 --mem=1T", 16, 2097152, 0},
        {"-N 2-3 --gres=gpu:a100:2 --mem=1000", 2, 2000, 4},
        {"--gpus=a100:2 --ntasks-per-gpu=3 --cpus-per-task=2 --mem-per-cpu=10", 12, 120, 2},
        {"-G4 --cpus-per-gpu=6 --mem-per-gpu=5G", 24, 20480, 4},
        {"--gpus=a100:1,h100:2", 1, 0, 3},
        {"--gpus-per-node=2 --nodes=3", 3, 0, 6},
        {"--gpus-per-task=1 -n 5", 5, 0, 5},
        {"--gres=lscratch:100 --gpus=1", 1, 0, 1},
        {"--cpus-per-task=1 --cpus-per-task=8 --mem=2048K", 8, 2, 0},
        {"-c 2 --mem-per-cpu=1500kb --gpus=1", 2, 4, 1},
        {"--mem=99999999999999999999T --nodes=99999999999", 1LL << 40, 1LL << 40, 0}};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        struct arena in = {0};
        slurm_words words = {0};
        slurm_split(&in, asked[i].words, &words);
        struct slurm_asks sum = slurm_asks_of(words.at, words.len);
        ok((sum.cpus == asked[i].cpus || (asked[i].cpus >> 30 && sum.cpus > 1 << 30)) &&
               sum.mem_mb == asked[i].mem_mb && sum.gpus == asked[i].gpus,
           "'%s' is %lld CPUs, %lld MB, %lld GPUs", asked[i].words, (long long)sum.cpus,
           (long long)sum.mem_mb, (long long)sum.gpus);
        vec_free(&words);
        arena_free(&in);
    }
}

int main(void)
{
    test_asks();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        test_row(&rows[i]);
    struct arena in = {0};
    slurm_words words = {0};
    ok(slurm_split(&in, " a 'b c' \"d \\\" e\" f\\ g ''", &words) && words.len == 5,
       "words with quotes");
    is(words.at[1], "b c", "single quotes");
    is(words.at[2], "d \" e", "a backslash within double quotes");
    is(words.at[3], "f g", "a backslash");
    is(words.at[4], "", "an empty word");
    is(slurm_find_arg((const char *const[]){"--mem=1", "-t", "5", "-c8"}, 4, "time", 't'), "5",
       "an option and its word");
    is(slurm_find_arg((const char *const[]){"--mem=1", "-t", "5", "-c8"}, 4, "cpus-per-task", 'c'),
       "8", "a letter and its value");
    ok(!slurm_find_arg((const char *const[]){"--mem-per-cpu=1"}, 1, "mem", 0),
       "not a longer option");
    vec_free(&words);
    arena_free(&in);
    return done();
}
