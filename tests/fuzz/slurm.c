// SPDX-License-Identifier: MIT
/* Fuzzes the readers of Slurm's output: outputs stand behind form feeds, the first byte of each
 * says which command printed it. Whatever comes, amounts stay within bounds, the table and the JSON
 * can be made, and the JSON can be read again. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "base/json.h"
#include "hpc/accounts.h"

static void read_as(struct accounts *accounts, char kind, const char *text)
{
    switch (kind) {
    case '0': accounts_read_associations(accounts, text); break;
    case '1': accounts_read_account_limits(accounts, text); break;
    case '2': accounts_read_qos(accounts, text); break;
    case '3': accounts_read_assoc_mgr(accounts, text, NULL); break;
    case '4': accounts_read_assoc_mgr(accounts, text, "smith"); break;
    case '5': accounts_read_queue(accounts, text); break;
    case '6': accounts_read_slurminfo(accounts, text); break;
    case '7': accounts_read_nodes(accounts, text); break;
    case '8': accounts_forget_use(accounts); break;
    case '9': accounts_read_config(accounts, text); break;
    default: accounts_read_partitions(accounts, text); break;
    }
}

static void check_account(const struct accounts *accounts, const struct account *account)
{
    struct tres limit = account_limit(accounts, account);
    struct slots slots = account_slots(accounts, account);
    ensure(limit.cpu >= TRES_UNSET && limit.mem_mb >= TRES_UNSET && limit.gpu >= TRES_UNSET);
    ensure(account->running.cpu >= 0 && account->running.mem_mb >= 0 && account->running.gpu >= 0);
    ensure(account->pending.cpu >= 0 && account->pending.mem_mb >= 0 && account->pending.gpu >= 0);
    ensure(slots.cpu_free <= slots.cpu || slots.cpu_free <= 0);
    ensure(slots.gpu_free <= slots.gpu || slots.gpu_free <= 0);
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
    accounts_read_associations(&accounts,
                               "clive|smith||clive|clive|\nmaigan|smith||maigan|maigan|\n");
    for (char *rest = text, *one; (one = strsep(&rest, "\f"));)
        if (*one)
            read_as(&accounts, *one, one + 1);
    accounts_finish(&accounts);
    for (uint32_t i = 0; i < accounts.all.len; i++)
        check_account(&accounts, &accounts.all.at[i]);
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
