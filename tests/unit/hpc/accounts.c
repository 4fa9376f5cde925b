// SPDX-License-Identifier: MIT
/* Readers of Slurm's output, on what Slurm 22.05 printed and on the forms that other versions
 * have. */
#include "hpc/accounts.h"
#include "test.h"

/* Slurm 22.05, sacctmgr -nP show assoc user=smith
 * format=account,user,partition,qos,defaultqos,grptres */
static const char associations[] = "brusko|smith||brusko|brusko|\n"
                                   "clive-b|smith||clive-b|clive-b|\n"
                                   "maigan|smith||maigan|maigan|\n"
                                   "clive|smith|hpg-b200|clive|clive|\n"
                                   "clive|smith|hpg-default|clive|clive|\n";

/* Slurm 22.05, scontrol -o show assoc_mgr flags=assoc,qos, cut down to two accounts. */
static const char manager[] =
    "Current Association Manager state\n"
    "Association Records\n"
    "ClusterName=kftest Account=clive UserName= Partition= Priority=0 ID=3 ParentAccount=root(1) "
    "Lft=14 DefAssoc=No "
    "GrpJobs=N(1) GrpTRES=cpu=N(8),mem=N(262144),node=N(1),gres/gpu=N(0) "
    "GrpTRESMins=cpu=N(0),mem=N(0) MaxJobs= "
    "MaxTRESPJ= MinPrioThresh=\n"
    "ClusterName=kftest Account=clive UserName=smith(1001) Partition= Priority=0 ID=4 "
    "GrpTRES=cpu=16(0),mem=N(0) MaxJobs=\n"
    "QOS Records\n"
    "QOS=clive(2) UsageRaw=9.0 GrpJobs=N(3) GrpJobsAccrue=N(0) GrpSubmitJobs=N(10) "
    "GrpWall=N(10.08) "
    "GrpTRES=cpu=40(16),mem=319488(280576),energy=N(0),node=N(2),gres/gpu=1(1) "
    "GrpTRESMins=cpu=N(3) MaxWallPJ= "
    "PreemptMode=OFF Priority=0 Account Limits= clive={MaxJobsPA=N(3) MaxTRESPA=cpu=N(16)} User "
    "Limits= "
    "4000000001={MaxJobsPU=N(1) MaxJobsAccruePU=N(0) MaxSubmitJobsPU=5(1) "
    "MaxTRESPU=cpu=N(8),mem=N(262144),gres/gpu=N(0)} "
    "4000000002={MaxJobsPU=N(2) MaxTRESPU=cpu=N(8),mem=N(18432),gres/gpu=N(1)}\n"
    "QOS=maigan(3) GrpJobs=N(1) GrpTRES=cpu=80(4),mem=640000(32768),gres/gpu=2(0) MaxWallPJ=\n";

/* Newer versions write names before the ids; the long form has a record over many lines. */
static const char manager_long[] = "QOS Records\n\nQOS=clive(2)\n    UsageRaw=9.000000\n"
                                   "    GrpTRES=cpu=40(16),mem=319488(280576),gres/gpu:b200=1(1)\n"
                                   "    Account Limits\n      clive\n        MaxTRESPA=cpu=N(16)\n"
                                   "    User Limits\n      drew(1002)\n        MaxJobsPU=N(1)\n"
                                   "        MaxTRESPU=cpu=N(8),mem=N(262144)\n";

/* squeue -O Account:|,QOS:|,State:|,UserName:|,tres-alloc:| */
static const char queue[] =
    "clive|clive|RUNNING|drew|cpu=8,mem=256G,node=1,billing=8|\n"
    "clive|clive|COMPLETING|erin|cpu=8,mem=18G,node=1,billing=8,gres/gpu=1,gres/gpu:b200=1|\n"
    "clive|clive|RESV_DEL_HOLD|smith|cpu=4,mem=100G,node=1,billing=4|\n"
    "clive|clive|PENDING|smith|cpu=4,mem=100G,node=1,billing=4|\n"
    "other|other|RUNNING|zoe|cpu=99,mem=1T|\n";

/* Older ones, squeue -o %a|%q|%T|%u|%D|%C|%m|%b */
static const char queue_old[] = "clive|clive|RUNNING|drew|2|16|128G|gres:gpu:1\n"
                                "maigan|maigan|PENDING|smith|1|4|32000M|gpu:b200:2\n"
                                "maigan|maigan|RUNNING|smith|1|4|32000M|N/A\n";

static struct accounts start(void)
{
    struct accounts accounts = {0};
    accounts_read_associations(&accounts, associations);
    return accounts;
}

static const struct account *get(const struct accounts *accounts, const char *name)
{
    return accounts_find(accounts, name, strlen(name));
}

static void test_associations(void)
{
    struct accounts accounts = start();
    ok(accounts.all.len == 4, "every account once");
    is(accounts.all.at[3].name, "clive", "in their order");
    is(accounts.all.at[3].qos, "clive", "with their QOS");
    ok(accounts.all.at[1].burst && !account_usable(&accounts.all.at[1]),
       "burst accounts are left out");
    accounts_read_associations(&accounts,
                               "lab|smith||fast,lab,slow||cpu=7\nother|smith||fast,slow||\n");
    is(get(&accounts, "lab")->qos, "lab", "without a default the QOS of the account's name");
    is(get(&accounts, "other")->qos, "fast", "else the first");
    ok(get(&accounts, "lab")->own_limit.cpu == 7, "with the limit of the association");
    accounts_free(&accounts);
}

static void test_manager(void)
{
    struct accounts accounts = start();
    ok(accounts_read_assoc_mgr(&accounts, manager, NULL), "the controller's records");
    accounts_finish(&accounts);
    const struct account *clive = get(&accounts, "clive");
    ok(clive->limit.cpu == 40 && clive->limit.mem_mb == 319488 && clive->limit.gpu == 1,
       "limits of the QOS");
    ok(clive->running.cpu == 16 && clive->running.mem_mb == 280576 && clive->running.gpu == 1,
       "use of the QOS");
    ok(clive->counted.len == 2 && clive->counted.at[0].running.mem_mb == 262144, "use by user");
    is(clive->counted.at[0].user, "4000000001", "named by number where nobody knows a name");
    is(accounts.cluster_name, "kftest", "the cluster");
    struct buf text = {0};
    account_holders_text(clive, &text);
    is(buf_text(&text), "4000000002 1 GPU, 18 GB, 8 CPUs; 4000000001 256 GB, 8 CPUs",
       "who holds it");
    accounts.all.at[3].running.cpu = 0; /* what squeue shows may be newer */
    accounts.all.at[3].pending.cpu = 4;
    accounts_table(&accounts, "smith", &text);
    ok(strstr(buf_text(&text), "256 GB, 8 CPUs; waiting: 4 CPUs\n"), "and what waits");
    buf_free(&text);
    accounts_free(&accounts);

    accounts = (struct accounts){0};
    ok(accounts_read_assoc_mgr(&accounts, manager, "smith") && accounts.all.len == 1,
       "accounts of the user's associations");
    accounts_finish(&accounts);
    ok(get(&accounts, "clive")->own_limit.cpu == 16,
       "with the limit of the user's own association");
    accounts_free(&accounts);

    accounts = start();
    accounts_read_assoc_mgr(&accounts, manager_long, NULL);
    accounts_finish(&accounts);
    clive = get(&accounts, "clive");
    ok(clive->limit.gpu == 1 && clive->running.gpu == 1, "typed GPUs in the long form");
    is(clive->counted.len ? clive->counted.at[0].user : "", "drew", "with names of users");
    ok(clive->counted.at[0].nrunning == 1, "and their jobs");
    accounts_free(&accounts);
}

/* Two levels above the account: the laboratory's limit is nearly used up by another group, the
 * institute's is not. */
static void test_parents(void)
{
    static const char *const answers[] = {
        "ClusterName=c Account=clive UserName= Partition= Priority=0 ID=5 ParentAccount=lab(4) "
        "GrpTRES=cpu=N(8),mem=N(8192)\n"
        "QOS=clive(2) GrpTRES=cpu=40(8),mem=319488(8192),gres/gpu=1(0)\n",
        "ClusterName=c Account=lab UserName= Partition= Priority=0 ID=4 ParentAccount=inst(3) "
        "GrpTRES=cpu=60(48),mem=N(90000),gres/gpu=N(3)\n"
        "ClusterName=c Account=lab UserName=erin(1003) Partition= Priority=0 ID=9 ParentAccount= "
        "GrpTRES=cpu=1(1)\n",
        "ClusterName=c Account=inst UserName= Partition= Priority=0 ID=3 ParentAccount=root(1) "
        "GrpTRES=cpu=100(50),mem=200000(0)\n",
        "ClusterName=c Account=root UserName= Partition= Priority=0 ID=1 ParentAccount= "
        "GrpTRES=cpu=N(50)\n"};
    struct accounts accounts = start();
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        accounts_read_assoc_mgr(&accounts, answers[i], NULL);
    accounts_finish(&accounts);
    const struct account *clive = get(&accounts, "clive");
    is(clive->parent, "lab", "the account above");
    ok(accounts.parents.len == 3, "and all above it");
    ok(clive->limit.cpu == 40 && clive->running.cpu == 28,
       "what the laboratory has left is left: 12 CPUs of 40");
    ok(clive->limit.mem_mb == 200000 && clive->running.mem_mb == 8192,
       "a tighter limit above is the limit");
    ok(clive->limit.gpu == 1 && clive->running.gpu == 0, "no limit above bounds nothing");
    accounts_forget_use(&accounts);
    ok(!accounts.parents.at[0].asked && accounts.parents.at[2].asked,
       "those without limits are not asked for again");
    accounts_free(&accounts);
}

/* PrivateData=usage: scontrol shows the user's own association and the QOS, sacctmgr the others. */
static void test_hidden(void)
{
    struct accounts accounts = start();
    accounts_read_assoc_mgr(&accounts,
                            "ClusterName=c Account=clive UserName=smith(1001) ParentAccount= "
                            "GrpTRES=cpu=N(4)\nQOS=clive(2) GrpTRES=cpu=N(9),mem=N(0)\n",
                            NULL);
    accounts_read_queue(&accounts, "clive|clive|RUNNING|drew|cpu=6,mem=2G|\n");
    ok(!get(&accounts, "clive")->told, "its limit is not known yet");
    ok(accounts_read_account_limits(&accounts, "clive||lab|cpu=30\nclive|smith||\n") &&
           get(&accounts, "clive")->told && !accounts.parents.at[0].told,
       "sacctmgr tells it, and which account is above");
    ok(accounts_read_account_limits(&accounts, "lab||root|cpu=20,mem=10G\n"),
       "whose limit it tells");
    ok(!accounts_read_account_limits(&accounts, "other||lab|cpu=1\nlab|cpu=1\n"), "no others");
    accounts_finish(&accounts);
    ok(get(&accounts, "clive")->limit.cpu == 20 && get(&accounts, "clive")->limit.mem_mb == 10240,
       "the limit is that of the account above");
    ok(get(&accounts, "clive")->running.cpu == 6 &&
           get(&accounts, "clive")->use_from == FROM_SQUEUE,
       "use is what squeue shows");
    accounts_free(&accounts);
}

static void test_queue(void)
{
    struct accounts accounts = start();
    accounts_read_qos(&accounts,
                      "clive|cpu=40,gres/gpu=1,mem=312.50G\nmaigan|cpu=80,gres/gpu=2,mem=625G\n");
    accounts_read_queue(&accounts, queue);
    accounts_finish(&accounts);
    const struct account *clive = get(&accounts, "clive");
    ok(clive->limit.mem_mb == 320000, "limits from sacctmgr");
    ok(clive->running.cpu == 16 && clive->running.gpu == 1, "running and completing jobs use");
    ok(clive->pending.cpu == 8 && clive->pending.mem_mb == 204800,
       "each pending task is waited for");
    ok(clive->holders.len == 3, "users");
    struct slots slots = account_slots(&accounts, clive);
    ok(slots.gpu == 1 && slots.cpu == 4, "slots: GPUs, and 85%% of the CPUs in eights");
    ok(slots.gpu_free == 0 && slots.cpu_free == 0 && slots.mem_free_gb == 0,
       "free slots, pending counted");
    struct buf json = {0};
    accounts_json(&accounts, &json);
    is(buf_text(&json),
       "[{\"name\":\"brusko\",\"gpu_avail\":0,\"cpu_avail\":0,\"mem_avail_gb\":0},"
       "{\"name\":\"maigan\",\"gpu_avail\":2,\"cpu_avail\":8,\"mem_avail_gb\":625},"
       "{\"name\":\"clive\",\"gpu_avail\":0,\"cpu_avail\":0,\"mem_avail_gb\":0}]",
       "as live_accounts");
    buf_free(&json);
    accounts_free(&accounts);

    accounts = start();
    accounts.mem_per_job_gb = 128;
    accounts_read_qos(&accounts,
                      "clive|cpu=40,gres/gpu=1,mem=312G\nmaigan|cpu=80,gres/gpu=2,mem=625G\n");
    accounts_read_queue(&accounts, queue_old);
    accounts_finish(&accounts);
    const struct account *maigan = get(&accounts, "maigan");
    ok(maigan->pending.gpu == 2 && maigan->running.mem_mb == 32000, "the old form");
    ok(get(&accounts, "clive")->running.gpu == 2 &&
           get(&accounts, "clive")->running.mem_mb == 262144,
       "which counts by node");
    ok(account_slots(&accounts, maigan).cpu_free == 4, "CPU slots bounded by memory");
    accounts_free(&accounts);
}

static void test_site(void)
{
    struct accounts accounts = start();
    accounts_read_slurminfo(
        &accounts, "Allocation summary:    Time Limit             Hardware Resources\n"
                   "   Investment QOS           Hours          CPU     MEM(GB)     GPU\n"
                   "----------------------------------------------------------------\n"
                   "            clive             744           40         312       1\n"
                   "CPU/MEM Usage:              Running        Pending         Total\n"
                   "      Investment (clive):   8      256      4      100     12     356\n");
    accounts_finish(&accounts);
    const struct account *clive = get(&accounts, "clive");
    ok(clive->limit.cpu == 40 && clive->limit.gpu == 1 && clive->limit.mem_mb == 319488,
       "limits from slurmInfo");
    ok(clive->running.mem_mb == 262144 && clive->pending.cpu == 4, "use from slurmInfo");
    accounts_read_nodes(
        &accounts, "NodeName=a CfgTRES=cpu=64,mem=1000000M,billing=64,gres/gpu=4 AllocTRES=cpu=8\n"
                   "NodeName=b CfgTRES=cpu=96,mem=1T,billing=96 AllocTRES=\n");
    struct tres limit = account_limit(&accounts, get(&accounts, "brusko"));
    ok(limit.cpu == 160 && limit.gpu == 4 && limit.mem_mb == 2048576,
       "without limits the cluster is the limit");
    accounts_free(&accounts);
}

static void test_blocked(void)
{
    struct accounts accounts = start();
    struct blocked blocked[] = {{"clive", "full of the group's jobs", "2026-04-12", "user.yaml"},
                                {"clive", "again", "2026-05-01", "project.yaml"},
                                {"nobody", "x", "2026-05-01", "project.yaml"}};
    struct buf text = {0};
    accounts_block(&accounts, blocked, 3);
    ok(!account_usable(get(&accounts, "clive")) && account_usable(get(&accounts, "maigan")),
       "one is blocked");
    accounts_finish(&accounts);
    accounts_table(&accounts, "smith", &text);
    ok(strstr(buf_text(&text), "blocked since 2026-04-12: full of the group's jobs (user.yaml)"),
       "the table says why");
    ok(strstr(buf_text(&text), "clive-b  left out"), "and names those left out");
    ok(strstr(buf_text(&text), "Total concurrent:"), "and the total");
    buf_free(&text);
    accounts_free(&accounts);
}

/* An association whose QOS is gone, beside whole ones; on a site without QOS it is as it should
 * be. */
static void test_half_deleted(void)
{
    struct accounts accounts = {0};
    struct buf text = {0};
    accounts_read_associations(&accounts, "clive|smith||clive|clive|\ngone|smith||||\n"
                                          "split|smith|a|||\nsplit|smith|b|s|s|\n");
    accounts_finish(&accounts);
    accounts_table(&accounts, "smith", &text);
    ok(!account_usable(get(&accounts, "gone")) && account_usable(get(&accounts, "clive")),
       "no QOS: not used");
    ok(account_usable(get(&accounts, "split")) && !strcmp(get(&accounts, "split")->qos, "s"),
       "unless one association has one");
    ok(strstr(buf_text(&text), "gone     left out: it has no QOS"), "and the table says so");
    accounts_free(&accounts);
    buf_free(&text);
    accounts = (struct accounts){0};
    accounts_read_associations(&accounts, "a|smith||||\nb|smith|\n");
    ok(account_usable(get(&accounts, "a")) && accounts.all.len == 1,
       "a site without QOS; a row that is cut off");
    accounts_free(&accounts);
}

/* What `scontrol -o show assoc_mgr` prints of one account and one user, by version. 17.11 knows no
 * GrpJobsAccrue; since 23.11 there is a Lineage; then a Comment, which may hold anything; names
 * stand before the ids of users in User Limits since 21.08. */
static const struct {
    const char *version, *text;
} managers[] = {
    {"17.11",
     "Current Association Manager state\nAssociation Records\n"
     "ClusterName=c Account=lab UserName= Partition= ID=3 "
     "SharesRaw/Norm/Level/Factor=1/0.20/5/0.00 "
     "UsageRaw/Norm/Efctv=0.00/1.00/0.00 ParentAccount=root(1) Lft=14 DefAssoc=No GrpJobs=N(1) "
     "GrpSubmitJobs=N(1) "
     "GrpWall=N(0.00) GrpTRES=cpu=N(8),mem=N(16384),energy=N(0),node=N(1) GrpTRESMins= MaxJobs=\n"
     "QOS Records\nQOS=lab(4) UsageRaw=0.000000 GrpJobs=N(1) GrpSubmitJobs=N(1) GrpWall=N(0.00) "
     "GrpTRES=cpu=64(8),mem=256000(16384),energy=N(0),node=N(1),gres/gpu=4(1) MaxWallPJ= Account "
     "Limits=No "
     "Accounts User Limits= 4000000001={MaxJobsPU=N(1) MaxSubmitJobsPU=N(1) "
     "MaxTRESPU=cpu=N(8),mem=N(16384),gres/gpu=N(1)}\n"},
    {"20.11",
     "Current Association Manager state\nQOS Records\nQOS=lab(4) UsageRaw=9.000000 GrpJobs=N(1) "
     "GrpJobsAccrue=N(0) GrpSubmitJobs=N(1) GrpWall=N(0.00) "
     "GrpTRES=cpu=64(8),mem=256000(16384),energy=N(0),node=N(1),billing=N(8),fs/"
     "disk=N(0),vmem=N(0),"
     "pages=N(0),gres/gpu=4(1) "
     "GrpTRESMins=cpu=N(3) MaxTRESPJ= Account Limits= lab={MaxJobsPA=N(1) "
     "MaxTRESPA=cpu=N(8),mem=N(16384)} "
     "User Limits= 4000000001={MaxJobsPU=N(1) MaxJobsAccruePU=N(0) MaxSubmitJobsPU=N(1) "
     "MaxTRESPU=cpu=N(8),mem=N(16384),gres/gpu=N(1)}\n"},
    {"24.05",
     "Current Association Manager state\nAssociation Records\n"
     "ClusterName=c Account=lab UserName= Partition= Priority=0 ID=3 ParentAccount=root(1) "
     "Lineage=/lab/ "
     "DefAssoc=No GrpJobs=N(1) GrpTRES=cpu=N(8),mem=N(16384) Comment=QOS=lab(4) GrpTRES=cpu=1(1)\n"
     "QOS Records\nQOS=lab(4) UsageRaw=9.000000 GrpJobs=N(1) GrpJobsAccrue=N(0) GrpSubmitJobs=N(1) "
     "GrpWall=N(0.00) "
     "GrpTRES=cpu=64(8),mem=256000(16384),billing=N(8),gres/gpu=N(1),gres/gpu:b200=4(1),gres/"
     "gpumem=N(0),"
     "gres/gpuutil=N(0) MaxTRESPJ= Priority=0 Account Limits= lab={MaxJobsPA=N(1)} User Limits= "
     "smith.j(4000000001)={MaxJobsPU=N(1) "
     "MaxTRESPU=cpu=N(8),mem=N(16384),gres/gpu=N(1),gres/gpu:b200=N(1)}\n"},
    {"24.05 in the long form",
     "Current Association Manager state\n\nQOS Records\n\nQOS=lab(4)\n    UsageRaw=9.000000\n"
     "    GrpJobs=N(1) GrpJobsAccrue=N(0) GrpSubmitJobs=N(1) GrpWall=N(0.00)\n"
     "    GrpTRES=cpu=64(8),mem=256000(16384),gres/gpu=4(1)\n"
     "    GrpTRESMins=cpu=N(3)\n"
     "    PreemptMode=OFF\n    Priority=0\n    Account Limits\n        No Accounts\n    User "
     "Limits\n"
     "      smith.j(4000000001)\n        MaxJobsPU=N(1) MaxJobsAccruePU=N(0) MaxSubmitJobsPU=N(1)\n"
     "        MaxTRESPU=cpu=N(8),mem=N(16384),gres/gpu=N(1)\n        MaxTRESRunMinsPU=cpu=N(0)\n"},
};

static void test_versions(void)
{
    for (size_t i = 0; i < sizeof managers / sizeof *managers; i++) {
        struct accounts accounts = {0};
        accounts_read_associations(&accounts, "lab|smith||lab|lab|\n");
        accounts_read_assoc_mgr(&accounts, managers[i].text, NULL);
        accounts_finish(&accounts);
        const struct account *lab = get(&accounts, "lab");
        ok(lab->limit.cpu == 64 && lab->limit.mem_mb == 256000 && lab->limit.gpu == 4,
           "limits, as Slurm %s prints them", managers[i].version);
        ok(lab->running.cpu == 8 && lab->running.mem_mb == 16384 && lab->running.gpu == 1,
           "what is used of them");
        ok(lab->counted.len == 1 && lab->counted.at[0].nrunning == 1 &&
               lab->counted.at[0].running.gpu == 1,
           "and by whom");
        accounts_free(&accounts);
    }
}

/* Limits by sacctmgr: memory in MB before 20.11, then with a unit; "N/A" and nothing; typed
 * GPUs. */
static void test_limits_of_versions(void)
{
    static const struct {
        const char *text;
        struct tres limit;
    } cases[] = {
        {"lab|cpu=64,mem=256000,gres/gpu=4\n", {64, 256000, 4}},
        {"lab|cpu=64,gres/gpu=4,mem=250G\n", {64, 256000, 4}},
        {"lab|cpu=64,gres/gpu:a100=4,mem=0.25T\n", {64, 262144, 4}},
        {"lab|billing=9,cpu=64,gres/gpu:a100=2,gres/gpu:b200=2,mem=262144000K|\n", {64, 256000, 4}},
        {"lab|\n", {-1, -1, -1}},
        {"lab|N/A\n", {-1, -1, -1}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct accounts accounts = {0};
        accounts_read_associations(&accounts, "lab|smith||lab|lab|\n");
        accounts_read_qos(&accounts, cases[i].text);
        accounts_finish(&accounts);
        ok(!memcmp(&get(&accounts, "lab")->limit, &cases[i].limit, sizeof(struct tres)),
           "limits of %s", cases[i].text);
        accounts_free(&accounts);
    }
}

/* One accounting for several clusters: what another one has is not to be had here. */
static void test_other_clusters(void)
{
    static const char both[] = "far|smith||normal|normal|cpu=9|hpg2\n"
                               "lab|smith||normal|normal|cpu=3|hpg2\n"
                               "lab|smith||lab|lab|cpu=16|hpg\n";
    struct accounts accounts = {0};
    ok(!accounts_read_config(&accounts, "BOOT_TIME = 2026\nClusterName\n") &&
           !accounts.cluster_name,
       "a line without a value");
    ok(accounts_read_config(&accounts,
                            "CliFilterPlugins        = (null)\n"
                            "ClusterName             = hpg\nCommunicationParameters =\n"),
       "this cluster");
    is(accounts.cluster_name, "hpg", "its name");
    accounts_read_associations(&accounts, both);
    accounts_finish(&accounts);
    ok(accounts.all.len == 1, "its accounts alone");
    is(get(&accounts, "lab")->qos, "lab", "with the QOS that they have here");
    ok(get(&accounts, "lab")->own_limit.cpu == 16, "and the limit");
    accounts_free(&accounts);
    accounts_read_associations(&accounts, both);
    ok(accounts.all.len == 2, "all where its name is not known");
    accounts_free(&accounts);
}

/* What squeue prints that does not know separators is not taken for an empty queue. */
static void test_unreadable_queue(void)
{
    struct accounts accounts = start();
    ok(!accounts_read_queue(&accounts,
                            "clive               clive               RUNNING             drew\n") &&
           !accounts.queue_seen,
       "padded columns are not read");
    ok(accounts_read_queue(&accounts, "clive|clive|RUNNING|drew|1|8|256G|(null)\n"
                                      "clive|clive|PENDING|drew|2|8|4000Mc|gpu:a100:2\n") &&
           accounts.queue_seen,
       "the old form is");
    accounts_finish(&accounts);
    ok(get(&accounts, "clive")->running.mem_mb == 262144 &&
           get(&accounts, "clive")->pending.gpu == 4,
       "with what it holds");
    accounts_free(&accounts);
    accounts = start();
    ok(accounts_read_queue(&accounts, "") && accounts.queue_seen, "nothing runs and nothing waits");
    accounts_free(&accounts);
}

int main(void)
{
    test_half_deleted();
    test_versions();
    test_limits_of_versions();
    test_other_clusters();
    test_unreadable_queue();
    test_associations();
    test_manager();
    test_parents();
    test_hidden();
    test_queue();
    test_site();
    test_blocked();
    return done();
}
