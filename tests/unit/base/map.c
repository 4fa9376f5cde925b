// SPDX-License-Identifier: MIT
#include "base/map.h"
#include "test.h"

#include <stddef.h>

enum { MANY = 200000 };

int main(void)
{
    struct map map = {0};
    ok(map_find(&map, 1) == 0, "an empty map finds nothing");
    map_set(&map, 7, 70);
    map_set(&map, map_pair(7, 0), 71);
    map_set(&map, map_pair(0, 8), 72);
    ok(map_find(&map, 7) == 70, "a small key");
    ok(map_find(&map, map_pair(7, 0)) == 71, "a key whose low half is 0");
    ok(map_find(&map, 8) == 72, "a pair with 0 first is the number itself");
    map_set(&map, 7, 73);
    ok(map_find(&map, 7) == 73 && map.len == 3, "setting again replaces");
    uint32_t *at = map_at(&map, 99);
    ok(*at == 0, "a new place holds 0");
    *at = 5;
    ok(map_find(&map, 99) == 5 && *map_at(&map, 99) == 5, "what is put into a place is found");
    map_free(&map);
    ok(map_find(&map, 7) == 0, "a freed map is empty");

    bool good = true, absent = true;
    for (uint32_t i = 1; i <= MANY; i++)
        map_set(&map, map_pair(i % 1000 + 1, i / 1000 + 1), i);
    for (uint32_t i = 1; i <= MANY; i++)
        good &= map_find(&map, map_pair(i % 1000 + 1, i / 1000 + 1)) == i;
    for (uint32_t i = 1; i <= MANY; i++)
        absent &= !map_find(&map, map_pair(i % 1000 + 1, i / 1000 + 1000));
    ok(good && map.len == MANY, "many pairs are found");
    ok(absent, "others are not");
    map_free(&map);
    return done();
}
