// SPDX-License-Identifier: MIT
#include "base/pool.h"

#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

struct record {
    int number;
    char text[12];
};

/* Ids have 32 bits: what has no id left ends with a message, and writes nothing. */
static void no_ids_left(void)
{
    struct {
        POOL(char) letters;
    } g = {.letters = {.len = UINT32_MAX - 2, .cap = UINT32_MAX - 2}};
    int status = 0;
    pid_t pid = fork();
    if (!pid) {
        if (!freopen("/dev/null", "w", stderr))
            _exit(2);
        pool_reserve(&g.letters, g.letters.len + 1);
        _exit(0);
    }
    ok(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 1,
       "a pool that is full ends the program");
}

int main(void)
{
    struct {
        POOL(struct record) records;
    } g = {0};
    uint32_t first = pool_add(&g.records);
    ok(first == 1, "the first id is 1");
    ok(g.records.at[0].number == 0, "element 0 is there and zero");
    bool zeroed = true, in_order = true;
    g.records.at[1].number = -1;
    for (uint32_t i = 2; i < 100000; i++) {
        uint32_t id = pool_add(&g.records);
        in_order &= id == i;
        zeroed &= !g.records.at[id].number && !g.records.at[id].text[11];
        g.records.at[id].number = (int)i;
        g.records.at[id].text[11] = 'x';
    }
    ok(in_order, "ids count up");
    ok(zeroed, "every new element is zeroed");
    ok(g.records.at[1].number == -1 && g.records.at[99999].number == 99999,
       "growing keeps elements");
    pool_reserve(&g.records, 1000000);
    ok(g.records.cap >= 1000000 && g.records.len == 100000,
       "reserving changes the room, not the length");
    pool_free(&g.records);
    ok(!g.records.at && !g.records.len, "a freed pool is empty");

    VEC(int) v = {0};
    for (int i = 0; i < 1000; i++)
        vec_push(&v, i * i);
    ok(v.len == 1000 && v.at[0] == 0 && v.at[999] == 998001, "a vector starts at 0");
    v.len = 4;
    v.at[3] = v.at[1] = 1;
    vec_remove(&v, 1);
    ok(v.len == 2 && v.at[0] == 0 && v.at[1] == 4, "all that are equal are taken out");
    vec_remove(&v, 1);
    ok(v.len == 2, "what is not there is not");
    vec_free(&v);
    no_ids_left();
    return done();
}
