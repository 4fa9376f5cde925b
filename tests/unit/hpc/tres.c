// SPDX-License-Identifier: MIT
#include "hpc/tres.h"
#include "test.h"

static void test_lists(void)
{
    static const struct {
        const char *text;
        struct tres limit, used;
    } cases[] = {
        {"cpu=40,mem=312G,gres/gpu=1", {40, 319488, 1}, {0, 0, 0}},
        {"cpu=40(16),mem=319488(280576),energy=N(0),node=N(1),gres/gpu=1(1)",
         {40, 319488, 1},
         {16, 280576, 1}},
        {"cpu=N(8),mem=N(262144),gres/gpu=N(0)", {-1, -1, -1}, {8, 262144, 0}},
        {"gres/gpu:a100=4,gres/gpu:b200=2,cpu=8", {8, -1, 6}, {0, 0, 0}},
        {"gres/gpu=6(3),gres/gpu:a100=4(2),gres/gpu:b200=2(1)", {-1, -1, 6}, {0, 0, 3}},
        {"gres/gpu=N(2),gres/gpu:a100=4(2),gres/gpu:b200=N(0)", {-1, -1, 4}, {0, 0, 2}},
        {"gres/gpu=0(0),gres/gpu:a100=4(0)", {-1, -1, 0}, {0, 0, 0}},
        {"billing=8,cpu=4,fs/disk=0,gres/gpumem=80G,mem=32G,node=1", {4, 32768, -1}, {0, 0, 0}},
        {"N/A", {-1, -1, -1}, {0, 0, 0}},
        {"", {-1, -1, -1}, {0, 0, 0}},
        {"cpu=", {-1, -1, -1}, {0, 0, 0}},
        {"cpu=99999999999999999999999", {INT64_C(1) << 40, -1, -1}, {0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tres limit = tres_unset, used = {0};
        tres_read(cases[i].text, strlen(cases[i].text), &limit, &used);
        ok(!memcmp(&limit, &cases[i].limit, sizeof limit), "limits of '%s'", cases[i].text);
        ok(!memcmp(&used, &cases[i].used, sizeof used), "use of '%s'", cases[i].text);
    }
}

static void test_arithmetic(void)
{
    struct tres limit = {40, 1000, TRES_UNSET}, used = {30, 2000, 5};
    struct tres left = tres_left(limit, used);
    ok(left.cpu == 10 && left.mem_mb == 0 && left.gpu == TRES_UNSET, "what is left");
    ok(tres_holds(left, (struct tres){10, 0, 99}) && !tres_holds(left, (struct tres){11, 0, 0}),
       "what it holds");
    struct tres tight = tres_tighter(limit, (struct tres){50, TRES_UNSET, 2});
    ok(tight.cpu == 40 && tight.mem_mb == 1000 && tight.gpu == 2, "the tighter of two limits");
}

int main(void)
{
    test_lists();
    test_arithmetic();
    return done();
}
