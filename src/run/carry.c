// SPDX-License-Identifier: MIT
/* carry.c: what tasks wait for that is carried between storages and local copies. A task counts
 * what it waits for; the first thing that fails breaks off the rest, and fails the task. Logs of a
 * task that has failed and files that go from a storage are carried for nobody. */
#include "run/copies.h"
#include "run/run_inner.h"
#include "run/transfers.h"

static void ask_all(struct run *run, uint32_t launch, enum storage_act act, struct copy_list *list)
{
    if (launch)
        run->active.at[launch - 1]->pending += list->len;
    for (uint32_t i = 0; i < list->len; i++)
        transfers_add(run->transfers, launch, act, &list->at[i]);
    vec_free(list);
}

void run_fetch(struct run *run, uint32_t launch)
{
    struct copy_list list = {0};
    copies_wanted(&run->context, run->active.at[launch - 1], &list);
    ask_all(run, launch, STORAGE_FETCH, &list);
}

/* What was not there when it was looked at is not removed. */
static void drop_absent(const struct run *run, struct copy_list *list)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < list->len; i++) {
        const char *path = list->at[i].path;
        file_id file = graph_find_file(run->g, intern_str(run->g->names, path));
        if (!file || run->g->files.at[file].mtime != MTIME_ABSENT)
            list->at[n++] = list->at[i];
    }
    list->len = n;
}

void run_remove_old(struct run *run, uint32_t launch)
{
    struct task *task = run->active.at[launch - 1];
    struct copy_list list = {0};
    for (uint32_t i = 0; run->transfers && i < task_parts(task); i++)
        copies_old(&run->context, task_part(task, i), &list);
    drop_absent(run, &list);
    ask_all(run, launch, STORAGE_REMOVE, &list);
}

bool run_store(struct run *run, uint32_t launch)
{
    struct task *task = run->active.at[launch - 1];
    struct copy_list list = {0};
    for (uint32_t i = 0; run->transfers && i < task_parts(task); i++)
        copies_made(&run->context, task_part(task, i), false, &list);
    if (!list.len)
        return false;
    task->state = task_next(task->state, TASK_ON_STORE);
    ask_all(run, launch, STORAGE_STORE, &list);
    return true;
}

void run_leave(struct run *run, uint32_t launch)
{
    struct task *task = run->active.at[launch - 1];
    if (task->pending)
        transfers_leave(run->transfers, launch);
    task->pending = 0;
}

/* A log tells why a job has failed; that of one that was interrupted stays here. */
static void store_logs(struct run *run, struct task *part)
{
    struct copy_list list = {0};
    copies_made(&run->context, part, true, &list);
    for (uint32_t i = 0; i < list.len; i++)
        copies_hold(&run->context, list.at[i].path);
    if (!run->signals)
        ask_all(run, 0, STORAGE_STORE, &list);
    vec_free(&list);
}

void run_discard_stored(struct run *run, struct task *part, bool storing)
{
    struct copy_list list = {0};
    if (!run->transfers || !part->begun)
        return;
    store_logs(run, part);
    if (storing && !run->signals)
        copies_old(&run->context, part, &list);
    ask_all(run, 0, STORAGE_REMOVE, &list);
}

bool run_remove_copy(struct run *run, file_id file)
{
    struct arena in = {0};
    struct storage_copy copy;
    bool stored = run->transfers && copies_find(run->g, file, &in, &copy);
    if (stored)
        transfers_add(run->transfers, 0, STORAGE_REMOVE, &copy);
    arena_free(&in);
    return stored;
}

/* What was carried for nobody. */
static void note_end(struct run *run, const struct transfer_end *end)
{
    struct arena in = {0};
    if (end->act == STORAGE_STORE)
        copies_drop(&run->context, end->path);
    if (end->why && !run->signals)
        run->observer->note(run->observer->user,
                            arena_printf(&in, "Storage: '%s' was not %s: %s", end->path,
                                         end->act == STORAGE_STORE ? "stored" : "removed",
                                         end->why));
    arena_free(&in);
}

static void note_for_task(struct run *run, const struct transfer_end *end)
{
    struct task *task = run->active.at[end->launch - 1];
    task->pending--;
    if (end->why) {
        buf_printf(&task->why, "storage: %s", end->why);
        task->not_carried = true;
        run_leave(run, end->launch);
    }
    if (task->pending || task->state != TASK_STORING)
        return;
    if (task->not_carried)
        run_fail(run, end->launch);
    else
        run_end_stored(run, end->launch);
}

void run_note_carried(struct run *run)
{
    struct transfer_end end;
    while (run->transfers && transfers_next_end(run->transfers, &end))
        if (end.launch)
            note_for_task(run, &end);
        else
            note_end(run, &end);
}
