// SPDX-License-Identifier: MIT
#include "exec/slurm_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/line.h"
#include "base/memsize.h"

enum { FIELDS = 12 };

/* A field of a line: not terminated. */
struct field {
    const char *at;
    size_t len;
};

static bool starts(const char *text, const char *word)
{
    return !strncmp(text, word, strlen(word));
}

static bool is_same(struct field a, struct field b)
{
    return a.len == b.len && !memcmp(a.at, b.at, a.len);
}

static bool is_word(struct field field, const char *word)
{
    return is_same(field, (struct field){word, strlen(word)});
}

static void copy(struct field field, char *out, size_t size)
{
    size_t n = field.len < size - 1 ? field.len : size - 1;
    memcpy(out, field.at, n);
    out[n] = '\0';
}

static bool read_number(const char **at, int64_t most, int64_t *out)
{
    int64_t n = 0;
    if (!isdigit((unsigned char)**at))
        return false;
    for (; isdigit((unsigned char)**at); (*at)++) {
        n = n * 10 + (**at - '0');
        if (n > most)
            return false;
    }
    *out = n;
    return true;
}

static int64_t number_in(struct field field)
{
    char text[32];
    const char *at = text;
    int64_t n = 0;
    copy(field, text, sizeof text);
    /* numbers of a federation's jobs need all 32 bits */
    return read_number(&at, UINT32_MAX, &n) ? n : 0;
}

/* ---- ids ---- */

bool slurm_read_id(const char *text, struct slurm_id *id)
{
    int64_t job, index = -1;
    if (!read_number(&text, UINT32_MAX, &job) || !job)
        return false;
    if (*text == '_') {
        text++;
        if (!read_number(&text, INT32_MAX, &index))
            return false;
    }
    if (*text && *text != ';' && *text != '\n')
        return false;
    *id = (struct slurm_id){(uint32_t)job, (int32_t)index};
    return true;
}

/* The id in a line that holds nothing else. */
static bool read_submitted_line(struct line line, uint32_t *job, char cluster[64])
{
    const char *at = line.at;
    int64_t n;
    line_trim(&line);
    const char *end = line.at + line.len;
    if (!read_number(&at, UINT32_MAX, &n) || !n)
        return false;
    cluster[0] = '\0';
    if (at < end && *at == ';' && !memchr(at, ' ', (size_t)(end - at)))
        copy((struct field){at + 1, (size_t)(end - at - 1)}, cluster, 64);
    else if (at != end)
        return false;
    *job = (uint32_t)n;
    return true;
}

bool slurm_read_submitted(const char *out, uint32_t *job, char cluster[64])
{
    for (struct line line; line_next(&out, &line);)
        if (read_submitted_line(line, job, cluster))
            return true;
    return false;
}

/* ---- rows ---- */

const char slurm_queue_format[] =
    "JobArrayID:|,JobID:|,State:|,exit_code:|,RestartCnt:|,Reason:|,NodeList:|,Name:|,Partition:|,"
    "SiblingsActive:|";
const char slurm_account_format[] = "JobID,State,ExitCode,NodeList,MaxRSS,JobName";

/* Cuts the line at *at into fields and goes on behind it. */
static int next_line(const char **at, struct field field[FIELDS])
{
    struct line line;
    int n = 0;
    if (!line_next(at, &line))
        return 0;
    for (const char *from = line.at, *end = from + line.len; n < FIELDS; n++) {
        const char *bar = memchr(from, '|', (size_t)(end - from));
        field[n] = (struct field){from, (size_t)((bar ? bar : end) - from)};
        if (!bar)
            return n + 1;
        from = bar + 1;
    }
    return n;
}

static bool id_in(struct field field, struct slurm_id *id)
{
    char text[40];
    copy(field, text, sizeof text);
    return slurm_read_id(text, id);
}

/* A wait status, as the system has it. */
static void set_exit(struct slurm_row *row, int64_t wait_status)
{
    row->signal = (int)(wait_status & 0x7f);
    row->status = (int)(wait_status >> 8 & 0xff);
}

/* "3:0" is an exit status and a signal. */
static void read_exit(struct field field, struct slurm_row *row)
{
    char text[32];
    copy(field, text, sizeof text);
    const char *colon = strchr(text, ':');
    row->status = (int)number_in(field);
    row->signal = colon ? (int)number_in((struct field){colon + 1, strlen(colon + 1)}) : 0;
}

static bool is_list(struct field field)
{
    return memchr(field.at, ',', field.len);
}

static void read_sibling(struct field field, struct slurm_row *row)
{
    if (!strcmp(row->state, "REVOKED") && !is_list(field))
        copy(field, row->sibling, sizeof row->sibling);
    if (!strcmp(row->sibling, "NA") || !strcmp(row->sibling, "(null)"))
        row->sibling[0] = '\0';
}

static bool read_queued(const struct field *field, int n, struct slurm_row *row)
{
    *row = (struct slurm_row){0};
    if (n < 8 || !id_in(field[0], &row->id))
        return false;
    row->raw_id = (uint32_t)number_in(field[1]);
    copy(field[2], row->state, sizeof row->state);
    row->phase = slurm_phase(row->state);
    if (memchr(field[3].at, ':', field[3].len)) /* no Slurm is known to, but one may */
        read_exit(field[3], row);
    else
        set_exit(row, number_in(field[3]));
    row->restarts = (uint32_t)number_in(field[4]);
    copy(field[5], row->reason, sizeof row->reason);
    copy(field[6], row->node, sizeof row->node);
    copy(field[7], row->name, sizeof row->name);
    row->several = n > 8 && is_list(field[8]);
    if (n > 9)
        read_sibling(field[9], row);
    return row->raw_id && *row->state;
}

bool slurm_next_queued(const char **at, struct slurm_row *row)
{
    struct field field[FIELDS];
    while (**at)
        if (read_queued(field, next_line(at, field), row))
            return true;
    return false;
}

static bool read_accounted(const struct field *field, int n, struct slurm_row *row)
{
    char id[64];
    *row = (struct slurm_row){0};
    if (n < 6)
        return false;
    copy(field[0], id, sizeof id);
    char *dot = strchr(id, '.'), *list = strstr(id, "_[");
    if (list) { /* those of an array that have not begun */
        row->elements = field[0].at + (list - id) + 2;
        *list = '\0';
    } else if (dot) {
        *dot = '\0';
        snprintf(row->step, sizeof row->step, "%.31s", dot + 1);
    }
    if (!slurm_read_id(id, &row->id))
        return false;
    copy(field[1], row->state, sizeof row->state);
    row->phase = slurm_phase(row->state);
    read_exit(field[2], row);
    copy(field[3], row->node, sizeof row->node);
    if (!strcmp(row->node, "None assigned"))
        row->node[0] = '\0';
    int64_t kb = memsize_used_kb(field[4].at, field[4].len);
    row->max_rss_kb = kb > 0 ? kb : 0;
    copy(field[5], row->name, sizeof row->name);
    if (!strcmp(row->name, "allocation")) /* the database has not heard of its beginning yet */
        row->name[0] = '\0';
    return *row->state;
}

bool slurm_next_accounted(const char **at, struct slurm_row *row)
{
    struct field field[FIELDS];
    while (**at)
        if (read_accounted(field, next_line(at, field), row))
            return true;
    return false;
}

const char slurm_request_format[] = "JobArrayID:|,QOS:|,Account:|,UserName:|,tres-alloc:|";

bool slurm_next_request(const char **at, struct slurm_request *request)
{
    struct field field[FIELDS];
    while (**at) {
        if (next_line(at, field) < 5 || !id_in(field[0], &request->id))
            continue;
        copy(field[1], request->qos, sizeof request->qos);
        copy(field[2], request->account, sizeof request->account);
        copy(field[3], request->user, sizeof request->user);
        copy(field[4], request->tres, sizeof request->tres);
        return true;
    }
    return false;
}

/* The value of KEY=value in a line, up to the next blank. */
static struct field value_of(const char *line, size_t len, const char *key)
{
    size_t n = strlen(key);
    for (const char *at = line; at + n < line + len; at++) {
        if ((at > line && at[-1] != ' ') || strncmp(at, key, n) || at[n] != '=')
            continue;
        const char *value = at + n + 1, *end = value;
        while (end < line + len && *end != ' ')
            end++;
        return (struct field){value, (size_t)(end - value)};
    }
    return (struct field){"", 0};
}

/* A number behind a sign, if the sign is there. False: the sign is, but no number. */
static bool read_behind(const char **at, char sign, int64_t *out)
{
    if (**at != sign)
        return true;
    (*at)++;
    return read_number(at, INT32_MAX - 1, out);
}

bool slurm_next_range(const char **list, struct slurm_range *range)
{
    int64_t first, last, step = 1;
    const char *at = *list + (**list == ',');
    if (!read_number(&at, INT32_MAX - 1, &first))
        return false;
    last = first;
    if (!read_behind(&at, '-', &last) || !read_behind(&at, ':', &step) || !step)
        return false;
    *range = (struct slurm_range){(int32_t)first, (int32_t)last, (int32_t)step};
    *list = at;
    return true;
}

static bool read_shown(const char *line, size_t len, struct slurm_row *row)
{
    *row = (struct slurm_row){0};
    struct field array = value_of(line, len, "ArrayJobId");
    struct field id = value_of(line, len, "JobId");
    row->raw_id = (uint32_t)number_in(id);
    if (array.len) {
        struct field elements = value_of(line, len, "ArrayTaskId");
        int64_t index = number_in(elements);
        row->id.job = (uint32_t)number_in(array);
        row->id.index = index > INT32_MAX ? -1 : (int32_t)index; /* 4294967294: none is left */
        row->elements = memchr(elements.at, '-', elements.len) || is_list(elements) ? elements.at
                                                                                    : NULL;
    } else {
        row->id = (struct slurm_id){row->raw_id, -1};
    }
    copy(value_of(line, len, "JobState"), row->state, sizeof row->state);
    row->phase = slurm_phase(row->state);
    read_exit(value_of(line, len, "ExitCode"), row);
    row->restarts = (uint32_t)number_in(value_of(line, len, "Restarts"));
    copy(value_of(line, len, "Reason"), row->reason, sizeof row->reason);
    copy(value_of(line, len, "NodeList"), row->node, sizeof row->node);
    if (!strcmp(row->node, "(null)"))
        row->node[0] = '\0';
    copy(value_of(line, len, "JobName"), row->name, sizeof row->name);
    row->several = is_list(value_of(line, len, "Partition"));
    read_sibling(value_of(line, len, "FedActiveSiblings"), row);
    return row->raw_id && row->id.job && *row->state;
}

bool slurm_next_shown(const char **at, struct slurm_row *row)
{
    for (struct line line; line_next(at, &line);)
        if (read_shown(line.at, line.len, row))
            return true;
    return false;
}

/* ---- configuration ---- */

/* What stands behind "KEY   = "; NULL if it is not there. */
static const char *config_value(const char *text, const char *key)
{
    size_t n = strlen(key);
    while (text && *text) {
        if (!strncasecmp(text, key, n)) {
            const char *at = text + n + strspn(text + n, " \t");
            if (*at == '=')
                return at + 1 + strspn(at + 1, " \t");
        }
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    return NULL;
}

int64_t slurm_config_number(const char *text, const char *key, int64_t otherwise)
{
    const char *at = config_value(text, key);
    int64_t n;
    return at && read_number(&at, INT64_MAX / 20, &n) ? n : otherwise;
}

void slurm_config_word(const char *text, const char *key, char *out, size_t size)
{
    const char *at = config_value(text, key);
    copy((struct field){at ? at : "", at ? strcspn(at, " \t\r\n") : 0}, out, size);
}

bool slurm_config_is(const char *text, const char *key, const char *word)
{
    const char *at = config_value(text, key);
    size_t n = strlen(word);
    return at && !strncasecmp(at, word, n) && (!at[n] || isspace((unsigned char)at[n]));
}

/* ---- refusals ---- */

/* Texts of Slurm's own messages, and what follows from them. */
static const struct {
    const char *text;
    enum slurm_trouble trouble;
    const char *resource; /* that is to blame */
} troubles[] = {
    {"QOSMaxSubmitJob", TROUBLE_LIMIT, NULL},
    {"AssocMaxSubmitJob", TROUBLE_LIMIT, NULL},
    {"AssocGrpSubmitJob", TROUBLE_LIMIT, NULL},
    {"QOSGrpSubmitJob", TROUBLE_LIMIT, NULL},
    {"MaxSubmitJobs", TROUBLE_LIMIT, NULL},
    {"job submit limit", TROUBLE_REJECTED, NULL},
    {"temporarily unable to accept job", TROUBLE_FULL, NULL},
    {"job queue full", TROUBLE_FULL, NULL},
    {"MaxJobCount limit reached", TROUBLE_FULL, NULL}, /* since 26.05 */
    {"Unable to create job record, try again", TROUBLE_FULL, NULL},
    {"Job creation temporarily disabled", TROUBLE_BUSY, NULL},
    {"Job update not available right now", TROUBLE_BUSY, NULL},
    {"Rate limit exceeded", TROUBLE_BUSY, NULL},         /* since 23.02 */
    {"known by database", TROUBLE_REJECTED, "clusters"}, /* a cluster is not; it says both */
    {"be reached now", TROUBLE_BUSY, NULL},              /* its controller is down */
    {"Slurm controller not responding", TROUBLE_AMBIGUOUS, NULL},
    {"Unable to contact slurm controller", TROUBLE_AMBIGUOUS, NULL},
    {"Socket timed out", TROUBLE_AMBIGUOUS, NULL},
    {"Unexpected message received", TROUBLE_AMBIGUOUS, NULL},
    {"Zero Bytes were transmitted", TROUBLE_AMBIGUOUS, NULL},
    {"Connection refused", TROUBLE_AMBIGUOUS, NULL},
    {"Connection timed out", TROUBLE_AMBIGUOUS, NULL},
    {"Connection reset", TROUBLE_AMBIGUOUS, NULL},
    {"Broken pipe", TROUBLE_AMBIGUOUS, NULL},
    {"Transport endpoint", TROUBLE_AMBIGUOUS, NULL},
    {"controller in standby mode", TROUBLE_AMBIGUOUS, NULL},
    {"talking to the database", TROUBLE_AMBIGUOUS, NULL}, /* whatever it says behind that */
    {"Unable to connect to database", TROUBLE_AMBIGUOUS, NULL},
    {"Protocol authentication error", TROUBLE_AMBIGUOUS, NULL},
    {"resolve_ctls_from_dns_srv", TROUBLE_BUSY,
     NULL}, /* it has found no slurm.conf: asked nobody */
    {"Could not establish a configuration source", TROUBLE_BUSY, NULL},
    {"Resource temporarily unavailable", TROUBLE_AMBIGUOUS, NULL},
    {"Invalid account", TROUBLE_REJECTED, "slurm_account"},
    {"Invalid partition", TROUBLE_REJECTED, "slurm_partition"},
    {"invalid partition specified", TROUBLE_REJECTED, "slurm_partition"},
    {"Invalid qos", TROUBLE_REJECTED, "qos"},
    {"Invalid generic resource", TROUBLE_REJECTED, "gres"},
    {"Invalid gres", TROUBLE_REJECTED, "gres"},
    {"Invalid feature", TROUBLE_REJECTED, "constraint"},
    {"Invalid license", TROUBLE_REJECTED, "slurm_extra"},
    {"reservation is invalid", TROUBLE_REJECTED, "slurm_reservation"},
    {"Memory specification can not be satisfied", TROUBLE_REJECTED, "mem_mb"},
    {"Requested time limit", TROUBLE_REJECTED, "runtime"},
    {"QOSGrpGRES", TROUBLE_REJECTED, "gres"},
    {"QOSMaxGRES", TROUBLE_REJECTED, "gres"},
    {"QOSGrpMem", TROUBLE_REJECTED, "mem_mb"},
    {"QOSMaxMem", TROUBLE_REJECTED, "mem_mb"},
    {"QOSGrpCpu", TROUBLE_REJECTED, "cpus_per_task"},
    {"QOSMaxCpu", TROUBLE_REJECTED, "cpus_per_task"},
    {"More processors requested", TROUBLE_REJECTED, "cpus_per_task"},
    {"Node count specification invalid", TROUBLE_REJECTED, "nodes"},
    {"unrecognized option", TROUBLE_REJECTED, "slurm_extra"},
    {"invalid option", TROUBLE_REJECTED, "slurm_extra"},
};
enum { TROUBLES = sizeof troubles / sizeof *troubles };

enum slurm_trouble slurm_trouble(const char *err)
{
    for (size_t i = 0; i < TROUBLES; i++)
        if (strstr(err, troubles[i].text))
            return troubles[i].trouble;
    return TROUBLE_REJECTED;
}

const char *slurm_blamed_resource(const char *complaint)
{
    for (size_t i = 0; i < TROUBLES; i++)
        if (troubles[i].resource && strstr(complaint, troubles[i].text))
            return troubles[i].resource;
    return NULL;
}

/* Skips "sbatch: error: Batch job submission failed: " and the like. */
static const char *skip_prefix(const char *line, const char *end)
{
    static const char *const known[] = {
        "sbatch: ",         "srun: ",  "scancel: ", "squeue: ",
        "slurm_load_jobs ", "error: ", "fatal: ",   "Batch job submission failed: "};
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            if (line + strlen(known[i]) <= end && starts(line, known[i])) {
                line += strlen(known[i]);
                again = true;
            }
    }
    return line;
}

void slurm_complaint(const char *err, char *out, size_t size)
{
    size_t len = 0;
    out[0] = '\0';
    for (struct line line; len + 3 < size && line_next(&err, &line);) {
        const char *end = line.at + line.len, *at = skip_prefix(line.at, end);
        size_t n = (size_t)(end - at);
        if (n && len)
            len += (size_t)snprintf(out + len, size - len, "; ");
        n = n < size - len - 1 ? n : size - len - 1;
        memcpy(out + len, at, n);
        len += n;
        out[len] = '\0';
    }
}

/* ---- reasons ---- */

static const struct {
    const char *reason; /* or how it begins */
    const char *part;   /* which it contains further on */
    enum slurm_wait wait;
    const char *meaning;
} waits[] = {
    {"DependencyNeverSatisfied", "", WAIT_NEVER, "a job that it depends on has failed"},
    {"PartitionConfig", "", WAIT_UNFIT,
     "the partition has no node as large as that, or is not for this account"},
    {"PartitionNodeLimit", "", WAIT_UNFIT, "the partition does not allow so many nodes"},
    {"PartitionTimeLimit", "", WAIT_UNFIT, "runtime is longer than the partition allows"},
    {"AccountNotAllowed", "", WAIT_UNFIT, "the account may not use this partition"},
    {"AccountingPolicy", "", WAIT_NEVER, "the request goes against an accounting policy"},
    {"InvalidAccount", "", WAIT_NEVER, "the account does not exist any more, or not for this user"},
    {"InvalidQOS", "", WAIT_NEVER, "the QOS does not exist any more, or not for this account"},
    {"Job's QOS not", "", WAIT_UNFIT, "the QOS may not be used in this partition"},
    {"uid ", "not in group", WAIT_UNFIT, "the partition is not for this user"},
    {"QOSNotAllowed", "", WAIT_UNFIT, "the QOS may not be used there"},
    {"BadConstraints", "", WAIT_NEVER, "no node satisfies the constraints"},
    {"MaxMemPerLimit", "", WAIT_UNFIT, "more memory than the partition allows"},
    {"QOSMin", "", WAIT_UNFIT, "less than the QOS asks a job to use"},
    {"QOSMaxWall", "PerJob", WAIT_UNFIT, "runtime is longer than the QOS allows"},
    {"AssocMaxWall", "PerJob", WAIT_NEVER, "runtime is longer than the account allows"},
    {"QOSMaxMemory", "PerJob", WAIT_UNFIT, "mem_mb is more than the QOS allows for one job"},
    {"QOSMaxCpuPerJob", "", WAIT_UNFIT, "more CPUs than the QOS allows for one job"},
    {"QOSMaxGRESPerJob", "", WAIT_UNFIT, "more GPUs than the QOS allows for one job"},
    {"QOSMaxNodePerJob", "", WAIT_UNFIT, "more nodes than the QOS allows for one job"},
    {"QOSMax", "PerJob", WAIT_UNFIT, "more than the QOS allows for one job"},
    {"QOSMax", "PerNode", WAIT_UNFIT, "more than the QOS allows a job on one node"},
    {"AssocMax", "PerJob", WAIT_NEVER, "more than the account allows for one job"},
    {"AssocMax", "PerNode", WAIT_NEVER, "more than the account allows a job on one node"},
    {"JobHeldUser", "", WAIT_RELEASE, "it is held"},
    {"JobHeldAdmin", "", WAIT_HELD, "an administrator holds it and must release it"},
    {"JobHoldMaxRequeue", "", WAIT_RELEASE, "it was started too often and Slurm holds it"},
    {"launch", "requeued", WAIT_RELEASE, "its start failed on a node and Slurm holds it"},
    {"job", "held", WAIT_RELEASE, "it was requeued and is held"},
    {"ReservationDeleted", "", WAIT_RELEASE, "its reservation was deleted and Slurm holds it"},
    {"Reservation", "", WAIT_HELD, "its reservation has not begun"},
    {"PartitionDown", "", WAIT_HELD, "the partition is down"},
    {"Nodes required for job", "", WAIT_HELD, "the nodes that it could use are down or drained"},
    {"Nodes_required_for_job", "", WAIT_HELD, "the nodes that it could use are down or drained"},
    {"ReqNodeNotAvail", "", WAIT_HELD, "the nodes that it could use are down or reserved"},
    {"PartitionInactive", "", WAIT_HELD, "the partition is closed"},
    {"QOSGrpMem", "", WAIT_QUOTA, "the group's memory is in use"},
    {"QOSGrpCpu", "", WAIT_QUOTA, "the group's CPUs are in use"},
    {"QOSGrpGRES", "", WAIT_QUOTA, "the group's GPUs are in use"},
    {"QOSGrp", "", WAIT_QUOTA, "a limit of the group is reached"},
    {"AssocGrp", "", WAIT_QUOTA, "a limit of the account is reached"},
    {"QOSMax", "", WAIT_QUOTA, "a limit of the user in this QOS is reached"},
    {"AssocMax", "", WAIT_QUOTA, "a limit of the user in this account is reached"},
    {"Max", "PerAccount", WAIT_QUOTA, "a limit of the account in this QOS is reached"},
};
enum { WAITS = sizeof waits / sizeof *waits };

/* The row of a reason; WAITS: there is none. */
static size_t wait_row(const char *reason)
{
    size_t i = 0;
    while (i < WAITS && !(starts(reason, waits[i].reason) &&
                          strstr(reason + strlen(waits[i].reason), waits[i].part)))
        i++;
    return i;
}

enum slurm_wait slurm_wait(const char *reason)
{
    size_t i = wait_row(reason);
    return i < WAITS ? waits[i].wait : WAIT_TURN;
}

const char *slurm_wait_meaning(const char *reason)
{
    size_t i = wait_row(reason);
    return i < WAITS ? waits[i].meaning : NULL;
}

/* The next "name=number" of a list; the number in MB where a unit is given, -1 for N (no limit).
 * False: no more. */
static bool next_tres(const char **at, struct field *name, double *number)
{
    const char *p = *at + strspn(*at, ",");
    size_t len = strcspn(p, "=, \n");
    if (!len || p[len] != '=')
        return false;
    *name = (struct field){p, len};
    const char *value = p + len + 1;
    size_t n = strcspn(value, "(, \n");
    bool unit = n && isalpha((unsigned char)value[n - 1]);
    if (*value == 'N')
        *number = -1;
    else if (!isdigit((unsigned char)*value))
        return false;
    else
        *number = unit ? (double)memsize_mb(value, n) : strtod(value, NULL);
    *at = p + strcspn(p, ", \n");
    return true;
}

/* What a list says of a name; -1: nothing. */
static double tres_of(const char *list, struct field wanted)
{
    struct field name;
    double number;
    while (next_tres(&list, &name, &number))
        if (is_same(name, wanted))
            return number;
    return -1;
}

/* The value of a key without the number behind it: "clive(2)". */
static struct field name_in(const char *line, size_t len, const char *key)
{
    struct field value = value_of(line, len, key);
    const char *number = memchr(value.at, '(', value.len);
    return (struct field){value.at, number ? (size_t)(number - value.at) : value.len};
}

/* Of a record of the association manager, which is a line. */
static struct field named(struct line record, const char *key)
{
    return name_in(record.at, record.len, key);
}

bool slurm_next_parent(const char **answer, char parent[64])
{
    for (struct line record; line_next(answer, &record);) {
        copy(named(record, "ParentAccount"), parent, 64);
        if (*parent)
            return true;
    }
    return false;
}

/* What an answer says of an account, not of one of its users. False: nothing. */
static bool find_account(const char *answer, struct field account, struct line *record)
{
    while (line_next(&answer, record))
        if (is_same(named(*record, "Account"), account) && !named(*record, "UserName").len)
            return true;
    return false;
}

bool slurm_shows_account(const char *answer, const char *account)
{
    struct line record;
    return find_account(answer, (struct field){account, strlen(account)}, &record);
}

const char slurm_association_format[] = "format=account,user,parentname,grptres";

void slurm_add_associations(const char *text, struct buf *answer)
{
    struct field f[FIELDS];
    while (*text)
        if (next_line(&text, f) >= 4)
            buf_printf(answer, "Account=%.*s UserName=%.*s ParentAccount=%.*s GrpTRES=%.*s\n",
                       (int)f[0].len, f[0].at, (int)f[1].len, f[1].at, (int)f[2].len, f[2].at,
                       (int)f[3].len, f[3].at);
}

/* An account and those above it. */
struct line_of_accounts {
    struct field name[32];
    uint32_t n;
};

static struct field parent_of(const char *answer, struct field account)
{
    struct line record;
    return find_account(answer, account, &record) ? named(record, "ParentAccount")
                                                  : (struct field){"", 0};
}

static struct line_of_accounts accounts_above(const char *answer, const char *account)
{
    struct line_of_accounts line = {{{account, strlen(account)}}, 1};
    while (line.n < sizeof line.name / sizeof *line.name) {
        struct field parent = parent_of(answer, line.name[line.n - 1]);
        if (!parent.len)
            break;
        line.name[line.n++] = parent;
    }
    return line;
}

/* Whether a record is that of one of these accounts, or of the user in the first:
 * "ClusterName=c Account=clive UserName=smith(1001) ...". */
static bool is_association(struct line record, const struct line_of_accounts *line,
                           const char *user)
{
    struct field account = named(record, "Account"), whose = named(record, "UserName");
    for (uint32_t i = 0; account.len && i < line->n; i++)
        if (is_same(account, line->name[i]))
            return !whose.len || (!i && is_word(whose, user));
    return false;
}

/* The limits of what jobs ask for together. */
static const struct bound {
    const char *key;
    bool of_qos;
    const char *whom;
} bounds[] = {{"GrpTRES", true, ""},
              {"MaxTRESPU", true, " a user"},
              {"MaxTRESPA", true, " an account"},
              {"GrpTRES", false, ""}};
enum { BOUNDS = sizeof bounds / sizeof *bounds };

/* The least limit of something, -1: there is none; and who has it. */
static double limit_of(const char *answer, const struct slurm_request *request,
                       const struct line_of_accounts *line, const struct bound *bound,
                       struct field tres, struct field *who)
{
    double least = -1;
    for (struct line record; line_next(&answer, &record);) {
        bool is_its = bound->of_qos ? is_word(named(record, "QOS"), request->qos)
                                    : is_association(record, line, request->user);
        struct field limits = is_its ? value_of(record.at, record.len, bound->key)
                                     : (struct field){"", 0};
        double most = limits.len ? tres_of(limits.at, tres) : -1;
        if (most < 0 || (least >= 0 && most >= least))
            continue;
        least = most;
        *who = named(record, bound->of_qos ? "QOS" : "Account");
    }
    return least;
}

bool slurm_exceeds(const struct slurm_request *request, const char *answer, char *what, size_t size)
{
    const char *asks = request->tres;
    struct line_of_accounts line = accounts_above(answer, request->account);
    struct field name, who = {"", 0};
    double asked;
    while (next_tres(&asks, &name, &asked)) {
        bool of_qos = false; /* what it says of the group counts instead of the accounts' */
        for (const struct bound *bound = bounds; bound < bounds + BOUNDS; bound++) {
            double most = bound->of_qos || !of_qos
                              ? limit_of(answer, request, &line, bound, name, &who)
                              : -1;
            of_qos |= bound == bounds && most >= 0;
            if (most < 0 || asked <= most)
                continue;
            snprintf(what, size, "the %s %.*s for %.0f %.*s%s, of which it allows%s %.0f",
                     bound->of_qos ? "QOS" : "account", (int)who.len, who.at, asked, (int)name.len,
                     name.at, is_word(name, "mem") ? " (MB)" : "", bound->whom, most);
            return true;
        }
    }
    return false;
}
