// SPDX-License-Identifier: MIT
/* Fuzzes the readers of Slurm's output: the first byte says which command printed the rest. Whatever
 * comes, the table and the JSON can be made, and the JSON can be read again. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "base/json.h"
#include "hpc/accounts.h"

static void read_as(struct accounts *accounts, uint8_t kind, const char *text)
{
    switch (kind % 8) {
    case 0: accounts_read_associations(accounts, text); break;
    case 1: accounts_read_account_limits(accounts, text); break;
    case 2: accounts_read_qos(accounts, text); break;
    case 3: accounts_read_assoc_mgr(accounts, text, NULL); break;
    case 4: accounts_read_assoc_mgr(accounts, text, "smith"); break;
    case 5: accounts_read_queue(accounts, text); break;
    case 6: accounts_read_slurminfo(accounts, text); break;
    default: accounts_read_nodes(accounts, text); break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct accounts accounts = {0};
    struct buf table = {0}, json = {0};
    char *text = malloc(len + 1);
    ensure(text);
    memcpy(text, bytes, len);
    text[len] = 0;
    accounts_read_associations(&accounts, "clive|smith||clive|clive|\nmaigan|smith||maigan|maigan|\n");
    if (len)
        read_as(&accounts, (uint8_t)text[0], text + 1);
    accounts_finish(&accounts);
    accounts_table(&accounts, "smith", &table);
    accounts_json(&accounts, &json);
    struct arena arena = {0};
    ensure(json_parse(&arena, buf_text(&json), json.len, NULL));
    arena_free(&arena);
    buf_free(&table);
    buf_free(&json);
    accounts_free(&accounts);
    free(text);
    return 0;
}
