// SPDX-License-Identifier: MIT
#include "base/gres.h"

#include "test.h"

static void test_gres(void)
{
    static const struct {
        const char *text;
        int gpus; /* 1 << 30: at least */
    } cases[] = {{"gpu:b200:2", 2},
                 {"gres:gpu:1", 1},
                 {"gres/gpu:2", 2},
                 {"gpu", 1},
                 {"gpu:a100", 1},
                 {"N/A", 0},
                 {"(null)", 0},
                 {"", 0},
                 {"gpu:2(IDX:0-1)", 2},
                 {"gpu:b200:4(S:0-1),nvme:1", 4},
                 {"gpu:a100:4,gpu:b200:2", 6},
                 {"gres/gpu:a100:2,gres/nvme:1", 2},
                 {"gpumem:80", 0},
                 {"gres/gpu=3", 3},
                 {"shard:8", 0},
                 {"gpu:a100:99999999999999999999", 1 << 30}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t found = gres_gpus(cases[i].text, strlen(cases[i].text));
        ok(found == cases[i].gpus || (cases[i].gpus == 1 << 30 && found > cases[i].gpus),
           "'%s' has %d GPUs", cases[i].text, cases[i].gpus);
    }
}

static void test_others(void)
{
    static const char *const cases[][2] = {{"gpu:1,lscratch:9", "lscratch:9"},
                                           {"lscratch:9,gpu:a100:2(S:0,1),tmp", "lscratch:9,tmp"},
                                           {"gpu", ""},
                                           {"", ""},
                                           {"tmp:5", "tmp:5"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena = {0};
        is(gres_without_gpus(&arena, cases[i][0]), cases[i][1], "without GPUs");
        arena_free(&arena);
    }
}

int main(void)
{
    test_gres();
    test_others();
    return done();
}
