// SPDX-License-Identifier: MIT
/* Fuzzes what reads the output of squeue, sacct, scontrol and sbatch, a done file, and #SBATCH
 * lines: any bytes are read to the end, and what is read is within its bounds. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "exec/slurm_args.h"
#include "exec/slurm_script.h"
#include "exec/slurm_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void read_all(const char *text, bool (*next)(const char **at, struct slurm_row *row))
{
    struct slurm_row row;
    for (const char *at = text, *before = at; next(&at, &row); before = at) {
        ensure(at > before && at <= text + strlen(text));
        ensure(row.id.job && *row.state && strlen(row.name) < sizeof row.name &&
               row.max_rss_kb >= 0);
        struct slurm_range range;
        for (const char *list = row.elements; list && slurm_next_range(&list, &range);)
            ensure(list <= text + strlen(text) && range.first >= 0 && range.step > 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct arena in = {0};
    char *text = arena_copy(&in, (const char *)bytes, len), cluster[64], complaint[80];
    struct slurm_done done;
    slurm_words words = {0};
    uint32_t job;
    read_all(text, slurm_next_queued);
    read_all(text, slurm_next_accounted);
    read_all(text, slurm_next_shown);
    slurm_read_submitted(text, &job, cluster);
    slurm_complaint(text, complaint, sizeof complaint);
    slurm_trouble(text);
    slurm_config_number(text, "MinJobAge", 0);
    slurm_read_done(text, &done);
    struct slurm_request request;
    for (const char *at = text; slurm_next_request(&at, &request);)
        slurm_exceeds(&request, text, complaint, sizeof complaint);
    slurm_script_args(&in, text, &words);
    for (uint32_t i = 0; i < words.len; i++)
        ensure(strlen(words.at[i]) <= len);
    vec_free(&words);
    arena_free(&in);
    return 0;
}
