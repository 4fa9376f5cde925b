// SPDX-License-Identifier: MIT
/* What Slurm 22.05 and others have really printed, and what must be read in it. */
#include "exec/slurm_text.h"

#include "test.h"

static void test_ids(void)
{
    static const struct {
        const char *text;
        uint32_t job;
        int index;
    } rows[] = {{"5487", 5487, -1},     {"5487_3", 5487, 3}, {"5487;hpg", 5487, -1},
                {"5487_0", 5487, 0},    {"", 0, 0},          {"0", 0, 0},
                {"5434_[2-5%1]", 0, 0}, {"x12", 0, 0},       {"12x", 0, 0},
                {"99999999999", 0, 0},  {"12_", 0, 0},       {"12_9999999999", 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct slurm_id id = {0, 0};
        bool good = slurm_read_id(rows[i].text, &id);
        ok(good == (rows[i].job != 0) && id.job == rows[i].job && id.index == rows[i].index,
           "the id '%s'", rows[i].text);
    }
}

static void test_submitted(void)
{
    static const struct {
        const char *out, *cluster;
        uint32_t job;
    } rows[] = {{"5487\n", "", 5487},
                {"5487;hpg\n", "hpg", 5487},
                {"*** Welcome 2026 ***\n\n  see 12 news\n5487\nhave a nice day 3\n", "", 5487},
                {"5487\r\n", "", 5487},
                {"5487", "", 5487},
                {"Submitted batch job 5487\n", "", 0},
                {"sbatch: error: 12\n", "", 0},
                {"", "", 0},
                {"0\n", "", 0},
                {"5487 ;x\n", "", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t job = 0;
        char cluster[64] = "";
        bool good = slurm_read_submitted(rows[i].out, &job, cluster);
        ok(good == (rows[i].job != 0) && job == rows[i].job && !strcmp(cluster, rows[i].cluster),
           "sbatch row %d", (int)i);
    }
}

static void test_queue(void)
{
    const char *at = "Warning: this controller is slow\n"
                     "5849_3|5849|PENDING|0|0|JobArrayTaskLimit||kf.ab12.7|\n"
                     "5849_1|5850|COMPLETED|768|0|NonZeroExitCode|cpu1|kf.ab12.7|\n"
                     "6000|6000|FAILED|9|2|JobLaunchFailure|gpu[1-2]|kf.ab12.8|\n"
                     "6001|6001|RUNNING|0|0|None|cpu2\n" /* a field is missing */
                     "6002|6002|FLYING|0|0|None|cpu2|x|\n"
                     "4227858433_2|4227858435|RUNNING|0|0|None|cpu2|x|\n"
                     "67108866|67108866|REVOKED|0|0|None||x|short|far|\n"
                     "67108867|67108867|REVOKED|0|0|None||x|short|NA|";
    struct slurm_row row;
    ok(slurm_next_queued(&at, &row) && row.id.job == 5849 && row.id.index == 3 &&
           row.phase == SLURM_PENDING,
       "a waiting element");
    is(row.reason, "JobArrayTaskLimit", "its reason");
    is(row.name, "kf.ab12.7", "its name");
    ok(slurm_next_queued(&at, &row) && row.raw_id == 5850 && row.phase == SLURM_DONE &&
           row.status == 3 && !row.signal,
       "a wait status is taken apart");
    ok(slurm_next_queued(&at, &row) && row.id.index == -1 && row.signal == 9 && row.restarts == 2,
       "a signal, and restarts");
    is(row.node, "gpu[1-2]", "its nodes");
    ok(slurm_next_queued(&at, &row) && row.id.job == 6002 && row.phase == SLURM_UNKNOWN,
       "an unknown state, behind a cut line");
    ok(!slurm_phase_is_end(row.phase), "is taken as alive");
    ok(slurm_next_queued(&at, &row) && row.id.job == 4227858433 && row.raw_id == 4227858435,
       "a federation's numbers take all 32 bits");
    ok(!*row.sibling, "it has not left");
    ok(slurm_next_queued(&at, &row) && !slurm_phase_is_end(row.phase), "it goes on elsewhere");
    is(row.sibling, "far", "there");
    ok(slurm_next_queued(&at, &row) && !*row.sibling, "nobody has it");
    ok(!slurm_next_queued(&at, &row), "the end");
}

static void test_accounting(void)
{
    const char *at = "5487_2|FAILED|1:0|cpu1||kf.a.1\n"
                     "5487_2.batch|FAILED|1:0|cpu1|12345K|batch\n"
                     "13|CANCELLED by 1001|0:0|None assigned||kf.a.2\n"
                     "14|OUT_OF_MEMORY|0:125|cpu2||kf.a.3\n"
                     "15|REQUEUED|0:0|cpu2||kf.a.4\n"
                     "sacct: error: something\n"
                     "16.0|COMPLETED|0:0|cpu2|1.50G|step\n"
                     "17_[0-1,3%2]|CANCELLED by 0|0:0|None assigned||kf.a.5\n"
                     "17|CANCELLED by 0|0:0|None assigned||kf.a.5\n"
                     "18|FAILED|3:0|cpu2||allocation\n";
    struct slurm_row row;
    struct slurm_range range;
    ok(slurm_next_accounted(&at, &row) && row.id.index == 2 && row.status == 1 && !*row.step,
       "a job");
    ok(slurm_next_accounted(&at, &row) && row.max_rss_kb == 12345, "its batch step's memory");
    is(row.step, "batch", "the step's name");
    ok(slurm_next_accounted(&at, &row) && row.phase == SLURM_KILLED, "cancelled by somebody");
    is(row.state, "CANCELLED by 1001", "by whom");
    ok(slurm_next_accounted(&at, &row) && row.phase == SLURM_FAILED && row.signal == 125,
       "out of memory");
    ok(slurm_next_accounted(&at, &row) && row.phase == SLURM_PENDING,
       "a requeued job has not ended");
    ok(slurm_next_accounted(&at, &row) && row.max_rss_kb == 1572864, "memory in gigabytes");
    ok(slurm_next_accounted(&at, &row) && row.id.job == 17 && row.elements && !*row.step &&
           !*row.node,
       "elements that waited");
    const char *list = row.elements;
    ok(slurm_next_range(&list, &range) && range.last == 1, "the first of them");
    ok(slurm_next_range(&list, &range) && range.first == 3 && !slurm_next_range(&list, &range),
       "the last of them");
    ok(slurm_next_accounted(&at, &row) && row.id.index == -1 && !row.elements,
       "those that were cancelled one by one");
    is(row.name, "kf.a.5", "their name");
    ok(slurm_next_accounted(&at, &row) && row.id.job == 18 && row.status == 3 && !*row.name,
       "of whose beginning the database does not know yet: no name");
    ok(!slurm_next_accounted(&at, &row), "the end");
}

static void test_shown(void)
{
    const char *at = "JobId=17 JobName=kf.a.5 UserId=smith(1001) GroupId=smith(1001) MCS_label=N/A "
                     "Priority=1 JobState=RUNNING "
                     "Reason=None Dependency=(null) Requeue=1 Restarts=1 BatchFlag=1 Reboot=0 "
                     "ExitCode=0:0 NodeList=cpu1 "
                     "Comment=JobState=FAILED \n"
                     "JobId=19 ArrayJobId=18 ArrayTaskId=4 JobName=kf.a.6 JobState=FAILED "
                     "Reason=NonZeroExitCode Restarts=0 "
                     "ExitCode=3:0 NodeList=cpu2\n";
    struct slurm_row row;
    ok(slurm_next_shown(&at, &row) && row.id.job == 17 && row.id.index == -1 && row.restarts == 1,
       "a running job");
    is(row.state, "RUNNING", "its state is the first");
    ok(slurm_next_shown(&at, &row) && row.id.job == 18 && row.id.index == 4 && row.raw_id == 19 &&
           row.status == 3,
       "an element");
    ok(!slurm_next_shown(&at, &row), "the end");
}

/* The elements of an array that wait are one record. */
static void test_shown_array(void)
{
    const char *at = "JobId=18 ArrayJobId=18 ArrayTaskId=5-7,11,20-24:2%3 JobName=kf.a.6 "
                     "UserId=smith(1001) JobState=PENDING Reason=BeginTime Restarts=0 "
                     "ExitCode=0:0 NodeList= BatchHost=(null)\n"
                     "JobId=18 ArrayJobId=18 ArrayTaskId=30%3 JobName=kf.a.6 JobState=PENDING "
                     "Reason=Resources NodeList=(null)\n"
                     "JobId=18 ArrayJobId=18 ArrayTaskId=4294967294 ArrayTaskThrottle=1 "
                     "JobName=kf.a.6 JobState=CANCELLED Reason=Resources NodeList=(null)\n";
    static const struct slurm_range ranges[] = {{5, 7, 1}, {11, 11, 1}, {20, 24, 2}};
    struct slurm_row row;
    struct slurm_range range;
    ok(slurm_next_shown(&at, &row) && row.id.job == 18 && row.elements, "elements that wait");
    const char *list = row.elements;
    for (size_t i = 0; i < 3; i++)
        ok(slurm_next_range(&list, &range) && range.first == ranges[i].first &&
               range.last == ranges[i].last && range.step == ranges[i].step,
           "range %d", (int)i);
    ok(!slurm_next_range(&list, &range), "no more ranges");
    ok(slurm_next_shown(&at, &row) && row.id.index == 30 && !row.elements && !*row.node,
       "the last that waits is one job; no node is none");
    ok(slurm_next_shown(&at, &row) && row.id.index == -1 && !row.elements,
       "what is left when all that waited are cancelled is no element");
    for (size_t i = 0; i < 6; i++) {
        static const char *const bad[] = {"", "x", "3-", "3-x", "3:0", "99999999999"};
        list = bad[i];
        ok(!slurm_next_range(&list, &range), "no range: '%s'", bad[i]);
    }
}

/* What later versions than 22.05 print, by their manuals. */
static void test_later(void)
{
    const char *queue = "7_1|8|SIGNALING|0|0|None|cpu1|kf.a.1|\n"
                        "7_2|9|EXPEDITING|0|1|None||kf.a.1|\n"
                        "7_3|10|FAILED|3:0|0|NonZeroExitCode|cpu1|kf.a.1|\n"
                        "11+0|11|RUNNING|0|0|None|cpu1|other|\n"
                        "12|12|STAGE_OUT|0|0|ReqNodeNotAvail, UnavailableNodes:cpu1|cpu1|kf.a.2|\n";
    const char *shown = "JobId=5 JobName=kf.a.3 UserId=s(1) JobState=RUNNING Reason=None "
                        "Dependency=(null) Requeue=0 Restarts=0 BatchFlag=1 Reboot=0 ExitCode=0:0 "
                        "SubmitLine=\"sbatch JobState=FAILED\" ReqNodeList=(null) "
                        "ExcNodeList=cpu2 NodeList=cpu1 ReqTRES=cpu=1,mem=50M AllocTRES=cpu=1\n";
    const char *accounted = "20|OUT_OF_MEMORY|0:125|cpu1||kf.a.4\n"
                            "20.batch|OUT_OF_MEMORY|0:125|cpu1|98M|batch\n"
                            "20.extern|COMPLETED|0:0|cpu1|0|extern\n"
                            "21_[3-9%2]|PENDING|0:0|None assigned||kf.a.5\n"
                            "22+0|RUNNING|0:0|cpu1||het\n"
                            "23|NODE_FAIL|1:0|cpu1||kf.a.6\n";
    struct slurm_row row;
    ok(slurm_next_queued(&queue, &row) && row.phase == SLURM_RUNNING, "it is being signalled");
    ok(slurm_next_queued(&queue, &row) && !slurm_phase_is_end(row.phase),
       "a state of tomorrow is taken as alive");
    ok(slurm_next_queued(&queue, &row) && row.status == 3 && !row.signal, "status and signal");
    ok(slurm_next_queued(&queue, &row) && row.id.job == 12 && row.phase == SLURM_RUNNING,
       "a part of a heterogeneous job is passed over");
    is(row.reason, "ReqNodeNotAvail, UnavailableNodes:cpu1", "a reason with a blank");
    ok(slurm_next_shown(&shown, &row) && row.phase == SLURM_RUNNING, "the command is no state");
    is(row.node, "cpu1", "its own node");
    ok(slurm_next_accounted(&accounted, &row) && row.phase == SLURM_FAILED && !*row.step,
       "out of memory");
    ok(slurm_next_accounted(&accounted, &row) && row.max_rss_kb == 98 << 10, "memory in MB");
    ok(slurm_next_accounted(&accounted, &row) && !row.max_rss_kb, "the extern step");
    ok(slurm_next_accounted(&accounted, &row) && row.id.job == 21 && row.phase == SLURM_PENDING &&
           row.elements,
       "what waits of an array");
    ok(slurm_next_accounted(&accounted, &row) && row.id.job == 23 && row.phase == SLURM_BROKEN,
       "parts of other jobs are passed over");
    ok(!slurm_next_accounted(&accounted, &row), "the end");
}

static void test_config(void)
{
    const char *text = "Configuration data as of 2026-11-21T04:00:00\nAccountingStorageType   = "
                       "accounting_storage/slurmdbd\n"
                       "MaxArraySize            = 1001\nMinJobAge               = 300 sec\n";
    ok(slurm_config_number(text, "MinJobAge", 1) == 300, "a number with a unit");
    ok(slurm_config_number(text, "MaxArraySize", 1) == 1001, "a number");
    ok(slurm_config_number(text, "Max", 7) == 7, "not the beginning of a key");
    ok(slurm_config_is(text, "AccountingStorageType", "accounting_storage/slurmdbd"), "a word");
    ok(!slurm_config_is(text, "AccountingStorageType", "accounting_storage"), "not a part of it");
    char word[30];
    slurm_config_word(text, "accountingstoragetype", word, sizeof word);
    is(word, "accounting_storage/slurmdbd", "that word");
    slurm_config_word(text, "ClusterName", word, sizeof word);
    is(word, "", "none where the key is not there");
}

static void test_trouble(void)
{
    static const struct {
        const char *err;
        enum slurm_trouble trouble;
        const char *resource, *complaint;
    } rows[] = {
        {"sbatch: error: Batch job submission failed: Invalid account or account/partition "
         "combination specified\n",
         TROUBLE_REJECTED, "slurm_account",
         "Invalid account or account/partition combination specified"},
        {"sbatch: error: Memory specification can not be satisfied\n"
         "sbatch: error: Batch job submission failed: Requested node configuration is not "
         "available\n",
         TROUBLE_REJECTED, "mem_mb",
         "Memory specification can not be satisfied; Requested node configuration is not "
         "available"},
        {"sbatch: error: QOSMaxSubmitJobPerUserLimit\nsbatch: error: Batch job submission failed: "
         "Job violates accounting/QOS "
         "policy (job submit limit, user's size and/or time limits)\n",
         TROUBLE_LIMIT, NULL, NULL},
        {"sbatch: error: QOSGrpCpuLimit\nsbatch: error: Batch job submission failed: Job violates "
         "accounting/QOS policy\n",
         TROUBLE_REJECTED, "cpus_per_task", NULL},
        {"sbatch: error: Slurm temporarily unable to accept job, sleeping and retrying\n",
         TROUBLE_FULL, NULL, NULL},
        {"sbatch: error: Slurm job queue full, sleeping and retrying\nsbatch: error: Batch job "
         "submission failed: MaxJobCount limit reached\n",
         TROUBLE_FULL, NULL, NULL},
        {"sbatch: Job creation temporarily disabled, retrying\nsbatch: error: Batch job submission "
         "failed: Requested nodes are busy\n",
         TROUBLE_BUSY, NULL, NULL},
        {"sacct: error: Sending PersistInit msg: Unable to connect to database\nsacct: error: "
         "Problem talking to the database: Unable to connect to database\n",
         TROUBLE_AMBIGUOUS, NULL, NULL},
        {"sbatch: error: Batch job submission failed: Rate limit exceeded, please retry later\n",
         TROUBLE_BUSY, NULL, NULL},
        {"sbatch: error: Batch job submission failed: Socket timed out on send/recv operation\n",
         TROUBLE_AMBIGUOUS, NULL, NULL},
        {"sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect "
         "failure)\n",
         TROUBLE_AMBIGUOUS, NULL, NULL},
        {"sbatch: error: resolve_ctls_from_dns_srv: res_nsearch error: Unknown host\n"
         "sbatch: fatal: Could not establish a configuration source\n",
         TROUBLE_BUSY, NULL, NULL},
        {"sbatch: error: 'far' can't be reached now, or it is an invalid entry for --cluster.\n",
         TROUBLE_BUSY, NULL, NULL},
        {"sbatch: error: No cluster 'far' known by database.\nsbatch: error: 'far' can't be "
         "reached "
         "now, or it is an invalid entry for --cluster.\n",
         TROUBLE_REJECTED, "clusters", NULL},
        {"", TROUBLE_REJECTED, NULL, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char complaint[200];
        const char *resource = slurm_blamed_resource(rows[i].err);
        slurm_complaint(rows[i].err, complaint, sizeof complaint);
        ok(slurm_trouble(rows[i].err) == rows[i].trouble, "trouble %d", (int)i);
        ok(resource == rows[i].resource ||
               (resource && rows[i].resource && !strcmp(resource, rows[i].resource)),
           "its resource");
        if (rows[i].complaint)
            is(complaint, rows[i].complaint, "its words");
    }
}

static void test_states(void)
{
    ok(slurm_phase("EXPEDITING") == SLURM_PENDING, "it is about to be started again at once");
    ok(slurm_phase("CANCELLED by 1001") == SLURM_KILLED, "by whom");
    ok(slurm_phase("HIBERNATING") == SLURM_UNKNOWN, "no such state yet");
}

/* Reasons that Slurm 22.05 knows. */
static void test_waits(void)
{
    static const struct {
        const char *reason;
        enum slurm_wait wait;
    } rows[] = {{"Priority", WAIT_TURN},
                {"BeginTime", WAIT_TURN},
                {"QOSGrpMemLimit", WAIT_QUOTA},
                {"AssocGrpCpuLimit", WAIT_QUOTA},
                {"QOSMaxCpuPerUserLimit", WAIT_QUOTA},
                {"QOSMaxJobsPerUserLimit", WAIT_QUOTA},
                {"AssocMaxJobsLimit", WAIT_QUOTA},
                {"MaxCpuPerAccount", WAIT_QUOTA},
                {"MaxGRESPerAccount", WAIT_QUOTA},
                {"PartitionTimeLimit", WAIT_UNFIT},
                {"MaxMemPerLimit", WAIT_UNFIT},
                {"QOSMinGRES", WAIT_UNFIT},
                {"QOSMaxCpuPerJobLimit", WAIT_UNFIT},
                {"QOSMaxCpuMinutesPerJobLimit", WAIT_UNFIT},
                {"QOSMaxMemoryPerNode", WAIT_UNFIT},
                {"QOSMaxWallDurationPerJobLimit", WAIT_UNFIT},
                {"AssocMaxCpuPerJobLimit", WAIT_NEVER},
                {"AssocMaxMemPerJob", WAIT_NEVER},
                {"AssocMaxGRESPerNode", WAIT_NEVER},
                {"AssocMaxWallDurationPerJobLimit", WAIT_NEVER},
                {"Job's QOS not permitted to use this partition (a allows b not c)", WAIT_UNFIT},
                {"uid 1001 not in group permitted to use this partition (a). groups allowed: b",
                 WAIT_UNFIT},
                {"InvalidAccount", WAIT_NEVER},
                {"JobHeldUser", WAIT_RELEASE},
                {"JobHeldAdmin", WAIT_HELD},
                {"launch failed requeued held", WAIT_RELEASE},
                {"job requeued in held state", WAIT_RELEASE},
                {"job_requeued_in_held_state", WAIT_RELEASE},
                {"Reservation", WAIT_HELD},
                {"Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority "
                 "partitions",
                 WAIT_HELD},
                {"Nodes_required_for_job_are_DOWN,_DRAINED_or_reserved", WAIT_HELD},
                {"ReqNodeNotAvail, UnavailableNodes:cpu1", WAIT_HELD},
                {"Resources", WAIT_TURN},
                {"JobHoldMaxRequeue", WAIT_RELEASE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ok(slurm_wait(rows[i].reason) == rows[i].wait &&
               (rows[i].wait == WAIT_TURN) == !slurm_wait_meaning(rows[i].reason),
           "what %s means", rows[i].reason);
}

/* Whether a request of smith's on account clive, QOS clive, is more than the limits allow. */
static bool exceeds(const char *tres, const char *answer, char *what, size_t size)
{
    char row[200];
    const char *at = row;
    struct slurm_request request;
    snprintf(row, sizeof row, "17_3|clive|clive|smith|%s|\n", tres);
    return slurm_next_request(&at, &request) && slurm_exceeds(&request, answer, what, size);
}

static void test_requests(void)
{
    const char *at = "12|normal|lab|smith|cpu=1,mem=500M,node=1,billing=1|\nnonsense\n"
                     "17_3|clive|clive-b|drew|cpu=48|";
    struct slurm_request request;
    ok(slurm_next_request(&at, &request) && request.id.job == 12 && request.id.index < 0,
       "a job that waits");
    is(request.tres, "cpu=1,mem=500M,node=1,billing=1", "what it asks for");
    ok(slurm_next_request(&at, &request) && request.id.job == 17 && request.id.index == 3,
       "an element; a line that is none is passed over");
    is(request.qos, "clive", "its QOS");
    is(request.account, "clive-b", "its account");
    is(request.user, "drew", "its user");
    ok(!slurm_next_request(&at, &request), "no more");
}

static void test_limits(void)
{
    const char *record =
        "Current Association Manager state\nAssociation Records\n"
        "ClusterName=c Account=clive UserName= Partition= GrpTRES=cpu=N(0),node=8(0) MaxJobs=\n"
        "ClusterName=c Account=clive UserName=drew(7) GrpTRES=cpu=2(0) MaxJobs=\n"
        "ClusterName=c Account=clive UserName=smith(8) GrpTRES=cpu=4(0),vmem=44(0) MaxJobs=\n"
        "ClusterName=c Account=maigan UserName= Partition= GrpTRES=cpu=1(0) MaxJobs=\n"
        "QOS Records\n"
        "QOS=clive-b(3) UsageRaw=0.0 GrpTRES=cpu=1(0) GrpTRESMins=cpu=1(2)\n"
        "QOS=clive(2) UsageRaw=163.9 GrpJobs=N(0) GrpWall=N(0.52) "
        "GrpTRES=cpu=40(0),mem=319488(0),energy=N(0),node=N(0),gres/gpu=1(0) "
        "GrpTRESMins=cpu=1(2)\n";
    char what[200] = "";
    ok(!exceeds("cpu=40,mem=312G,node=8,billing=40,gres/gpu=1", record, what, sizeof what),
       "as much as is allowed; limits of others do not count");
    ok(exceeds("cpu=42,mem=10M,node=1", record, what, sizeof what), "too many CPUs");
    is(what, "the QOS clive for 42 cpu, of which it allows 40", "in words");
    ok(exceeds("cpu=4,mem=313G", record, what, sizeof what) &&
           exceeds("cpu=1,gres/gpu=2", record, what, sizeof what),
       "too much memory, too many GPUs");
    ok(exceeds("cpu=4,node=9", record, what, sizeof what), "more than the account allows");
    is(what, "the account clive for 9 node, of which it allows 8", "in words");
    ok(exceeds("cpu=30,vmem=45", record, what, sizeof what), "more than its user may have there");
    is(what, "the account clive for 45 vmem, of which it allows 44", "in words");
    ok(!exceeds("cpu=", record, what, sizeof what) && !exceeds("cpu=99", "", what, sizeof what),
       "nothing to compare");
}

/* What a user may have in the QOS, or an account; and what accounts above allow. */
static void test_other_limits(void)
{
    const char *record =
        "ClusterName=c Account=clive UserName= Partition= ParentAccount=lab(3) GrpTRES=cpu=N(0)\n"
        "ClusterName=c Account=clive UserName=smith(8) ParentAccount= GrpTRES=cpu=N(0)\n"
        "ClusterName=c Account=lab UserName= Partition= ParentAccount=root(1) GrpTRES=node=8(0)\n"
        "ClusterName=c Account=lab UserName=smith(8) ParentAccount= GrpTRES=node=1(0)\n"
        "ClusterName=c Account=root UserName= Partition= ParentAccount= GrpTRES=node=9(0),vmem=5\n"
        "QOS=clive(2) GrpTRES=cpu=40(0),mem=N(0) MaxWallPJ= MaxTRESPJ=cpu=1 Account Limits= "
        "clive={MaxJobsPA=N(0) MaxTRESPA=cpu=30(0),mem=9(0)} User Limits= "
        "8={MaxJobsPU=N(0) MaxTRESPU=cpu=20(3),mem=N(0)}\n";
    static const struct {
        const char *tres, *what;
    } rows[] = {
        {"cpu=21", "the QOS clive for 21 cpu, of which it allows a user 20"},
        {"cpu=20,mem=10M", "the QOS clive for 10 mem (MB), of which it allows an account 9"},
        {"cpu=1,node=9", "the account lab for 9 node, of which it allows 8"},
        {"vmem=6", "the account root for 6 vmem, of which it allows 5"},
        {"cpu=20,mem=9M,node=8,vmem=5", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char what[200] = "";
        bool found = exceeds(rows[i].tres, record, what, sizeof what);
        ok(found == (rows[i].what != NULL), "whether there is too little for %s", rows[i].tres);
        is(what, rows[i].what ? rows[i].what : "", "of what");
    }
    const char *at = record;
    char parent[64];
    ok(slurm_next_parent(&at, parent) && !strcmp(parent, "lab") && slurm_next_parent(&at, parent) &&
           !strcmp(parent, "root") && !slurm_next_parent(&at, parent),
       "the accounts above are told");
}

/* Where the controller shows the user's own associations only, the database shows the others. */
static void test_database_limits(void)
{
    struct buf answer = {0};
    char what[200] = "";
    buf_str(&answer,
            "ClusterName=c Account=clive UserName=smith(8) ParentAccount= GrpTRES=cpu=N(0)\n"
            "QOS=clive(2) GrpTRES=mem=N(0) GrpTRESMins=\n");
    ok(!slurm_shows_account(buf_text(&answer), "clive"), "only a user of the account is shown");
    slurm_add_associations("clive||lab|\nclive|smith||\nnonsense\nlab||root|cpu=4,mem=1G\n",
                           &answer);
    ok(slurm_shows_account(buf_text(&answer), "clive") &&
           slurm_shows_account(buf_text(&answer), "lab"),
       "now the account is, and the one above it");
    ok(!exceeds("cpu=4,mem=1024M", buf_text(&answer), what, sizeof what), "as much as is allowed");
    ok(exceeds("cpu=5", buf_text(&answer), what, sizeof what), "too many CPUs");
    is(what, "the account lab for 5 cpu, of which it allows 4", "in words");
    buf_free(&answer);
}

int main(void)
{
    test_requests();
    test_limits();
    test_other_limits();
    test_database_limits();
    test_states();
    test_waits();
    test_ids();
    test_submitted();
    test_queue();
    test_accounting();
    test_shown();
    test_shown_array();
    test_later();
    test_config();
    test_trouble();
    return done();
}
