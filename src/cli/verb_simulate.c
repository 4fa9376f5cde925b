// SPDX-License-Identifier: MIT
/* verb_simulate.c: kintsugi-flow simulate: its command line, and what it prints of each policy.
 * Each reads the workflow anew, as its config differs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/fs.h"
#include "cli/session.h"
#include "cli/simulation.h"
#include "cli/verbs.h"

struct options_here {
    bool now, json, help;
    const char *scenario, *only, *timeline;
    VEC(struct scenario_time) times;
    VEC(const char *) rest; /* for the run */
    struct arena arena;
};

/* ---- what is printed ---- */

static const char *duration(double s, char out[32])
{
    int64_t n = (int64_t)(s + 0.5);
    snprintf(out, 32, "%lld:%02lld:%02lld", (long long)(n / 3600), (long long)(n / 60 % 60),
             (long long)(n % 60));
    return out;
}

static double part(double used_s, int64_t limit, double makespan_s)
{
    return limit > 0 && makespan_s > 0 ? 100 * used_s / ((double)limit * makespan_s) : 0;
}

static void put_head(const struct scenario *scenario, const struct simulation_result *result)
{
    printf("%-15s %10s %6s %6s %6s %6s", "Policy", "Makespan", "Jobs", "Peak", "Waves", "Moved");
    for (uint32_t i = 0; i < result->accounts.len; i++)
        if (result->accounts.at[i].usable)
            printf("  %-16s", scenario->accounts.all.at[i].name);
    putchar('\n');
}

static void put_row(const struct scenario *scenario, const struct policy *policy,
                    const struct simulation_result *result)
{
    char text[32];
    printf("%-15s %10s %6u %6u %6u %6u", policy->name, duration(result->makespan_s, text),
           result->done, result->peak, result->waves, result->moved);
    for (uint32_t i = 0; i < result->accounts.len; i++) {
        const struct simulated_account *account = &result->accounts.at[i];
        struct tres limit = account_limit(&scenario->accounts, &scenario->accounts.all.at[i]);
        if (account->usable)
            printf("  GPU %3.0f%% CPU %3.0f%%",
                   part(account->use.gpu_s, limit.gpu, result->makespan_s),
                   part(account->use.cpu_s, limit.cpu, result->makespan_s));
    }
    putchar('\n');
    if (result->unknown)
        printf("  note: how long jobs of %u rule%s take is unknown: %d s are assumed (--time "
               "RULE=S)\n",
               result->unknown, result->unknown == 1 ? "" : "s", SIMULATION_GUESS_S);
    fflush(stdout);
}

static void put_json_account(const char *name, const struct model_use *use, const char *comma)
{
    struct buf text = {0};
    buf_json(&text, name, strlen(name));
    printf("%s\"%s\": {\"jobs\": %u, \"gpu_s\": %.3f, \"cpu_s\": %.3f}", comma, buf_text(&text),
           use->jobs, use->gpu_s, use->cpu_s);
    buf_free(&text);
}

static void put_json(const struct scenario *scenario, const struct policy *policy,
                     const struct simulation_result *result)
{
    const char *comma = "";
    printf("{\"policy\": \"%s\", \"makespan_s\": %.3f, \"jobs\": %u, \"total\": %u, \"peak\": %u, "
           "\"waves\": %u, \"moved\": %u, \"wall_s\": %.3f, \"accounts\": {",
           policy->name, result->makespan_s, result->done, result->total, result->peak,
           result->waves, result->moved, result->wall_s);
    for (uint32_t i = 0; i < result->accounts.len; i++) {
        const struct simulated_account *account = &result->accounts.at[i];
        if (!account->usable && !account->use.jobs)
            continue;
        put_json_account(scenario->accounts.all.at[i].name, &account->use, comma);
        comma = ", ";
    }
    puts("}}");
    fflush(stdout);
}

/* ---- the command line ---- */

static const char usage_text[] =
    "usage: kintsugi-flow simulate [TARGET ...] (--scenario FILE | --now) [OPTIONS of run]\n\n"
    "Plays the workflow on a simulated cluster and shows how long it would take under each "
    "policy.\n"
    "Nothing is executed or written. docs/accounts.md describes the file.\n\n"
    "  --scenario FILE   describes the cluster: accounts, limits, what others run, times of rules\n"
    "  --now             take the accounts as they are now\n"
    "  --time RULE=S     jobs of this rule take S seconds (on a GPU, if they use one)\n"
    "  --policy NAME     only this policy (several: a,b)\n"
    "  --timeline FILE   write what runs when, as a table\n"
    "  --json            print a line of JSON per policy\n\nPolicies:\n";

static void usage(FILE *out)
{
    fputs(usage_text, out);
    for (int i = 0; i < POLICIES; i++)
        fprintf(out, "  %-15s   %s\n", policies[i].name, policies[i].help);
}

/* Whether a list of names, behind commas, has this one. */
static bool lists(const char *names, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = names; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (!strncmp(at, name, n) && (at[n] == ',' || !at[n]))
            return true;
    return false;
}

static bool is_policy(const char *name, size_t len)
{
    for (int i = 0; i < POLICIES; i++)
        if (strlen(policies[i].name) == len && !memcmp(policies[i].name, name, len))
            return true;
    return false;
}

static bool check_policies(const char *names)
{
    for (const char *at = names; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        size_t n = strcspn(at, ",");
        if (is_policy(at, n))
            continue;
        fprintf(stderr, "error: there is no policy '%.*s'\n  hint: known are", (int)n, at);
        for (int i = 0; i < POLICIES; i++)
            fprintf(stderr, "%s %s", i ? "," : "", policies[i].name);
        fputc('\n', stderr);
        return false;
    }
    return true;
}

static bool add_time(struct options_here *out, const char *word)
{
    const char *equal = strchr(word, '=');
    char *end = NULL;
    double seconds = equal ? strtod(equal + 1, &end) : 0;
    if (!equal || equal == word || end == equal + 1 || *end || !(seconds > 0) || seconds > 1e9) {
        fprintf(stderr, "error: --time needs RULE=SECONDS, not '%s'\n", word);
        return false;
    }
    const char *rule = arena_copy(&out->arena, word, (size_t)(equal - word));
    vec_push(&out->times, ((struct scenario_time){rule, {[DEVICE_GPU] = seconds}}));
    return true;
}

enum own { NOT_OWN, OWN, OWN_WRONG };

/* An option of simulate's own at argv[*i] that takes a word. */
static enum own own(const char *name, const char *form, int *i, int argc, const char *const *argv,
                    const char **out)
{
    size_t n = strlen(name);
    if (!strncmp(argv[*i], name, n) && argv[*i][n] == '=') {
        *out = argv[*i] + n + 1;
        return OWN;
    }
    if (strcmp(argv[*i], name))
        return NOT_OWN;
    if (*i + 1 == argc) {
        fprintf(stderr, "error: %s needs a value: %s\n", name, form);
        return OWN_WRONG;
    }
    *out = argv[++*i];
    return OWN;
}

/* Those that take a word. */
static enum own parse_word(struct options_here *out, int *i, int argc, const char *const *argv)
{
    const char *time = NULL;
    const struct {
        const char *name, *form, **word;
    } table[] = {{"--scenario", "FILE", &out->scenario},
                 {"--timeline", "FILE", &out->timeline},
                 {"--policy", "NAME", &out->only},
                 {"--time", "RULE=SECONDS", &time}};
    enum own found = NOT_OWN;
    for (size_t k = 0; k < sizeof table / sizeof *table && found == NOT_OWN; k++)
        found = own(table[k].name, table[k].form, i, argc, argv, table[k].word);
    return time && !add_time(out, time) ? OWN_WRONG : found;
}

static bool parse(struct options_here *out, int argc, const char *const *argv)
{
    for (int i = 0; i < argc; i++) {
        enum own found = NOT_OWN;
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
            out->help = true;
        else if (!strcmp(argv[i], "--now"))
            out->now = true;
        else if (!strcmp(argv[i], "--json"))
            out->json = true;
        else if ((found = parse_word(out, &i, argc, argv)) == OWN_WRONG)
            return false;
        else if (found == NOT_OWN)
            vec_push(&out->rest, argv[i]);
    }
    vec_push(&out->rest, NULL);
    out->rest.len--;
    if (out->help || !check_policies(out->only))
        return out->help;
    if (!out->scenario == !out->now) {
        fputs("error: name the cluster: --scenario FILE, or --now\n", stderr);
        return false;
    }
    return true;
}

static bool simulate_all(const char *self, const struct options_here *options,
                         const struct scenario *scenario)
{
    bool good = true, begun = false, headed = options->json, idle = false;
    struct simulation_options one = {.self = self,
                                     .nwords = (int)options->rest.len,
                                     .words = options->rest.at,
                                     .scenario = scenario,
                                     .times = options->times.at,
                                     .ntimes = options->times.len};
    one.timeline = options->timeline ? fopen(options->timeline, "w") : NULL;
    if (options->timeline && !one.timeline) {
        fprintf(stderr, "error: cannot write '%s': %s\n", options->timeline, strerror(errno));
        return false;
    }
    if (one.timeline)
        fputs("policy\tseconds\tgpu\tcpu\n", one.timeline);
    for (int i = 0; good && i < POLICIES; i++) {
        struct simulation_result result = {0};
        if (options->only && !lists(options->only, policies[i].name))
            continue;
        one.policy = &policies[i];
        one.quiet = begun;
        begun = true;
        good = simulation_run(&one, &result);
        if (good && !headed)
            put_head(scenario, &result);
        headed |= good;
        if (good)
            (options->json ? put_json : put_row)(scenario, &policies[i], &result);
        idle = !result.total;
        simulation_result_free(&result);
    }
    if (good && idle)
        fputs("note: no job has to run, as everything is up to date: --forceall plays all jobs\n",
              stderr);
    return (!one.timeline || !fclose(one.timeline)) && good;
}

static int with_scenario(const char *self, const struct options_here *options)
{
    struct arena arena = {0};
    struct sources *sources = sources_new();
    struct diags *dx = diags_new(sources);
    struct scenario scenario = {0};
    bool good = options->now ? scenario_of_now(dx, fs_username(), &scenario)
                             : scenario_read(&arena, dx, options->scenario, &scenario);
    diag_print(dx, stderr, fs_has_colors(2));
    good = good && simulate_all(self, options, &scenario);
    scenario_free(&scenario);
    diags_free(dx);
    sources_free(sources);
    arena_free(&arena);
    return good ? EXIT_OK : EXIT_BAD;
}

int verb_simulate(const char *self, int argc, const char *const *argv)
{
    struct options_here options = {0};
    int status = EXIT_USAGE;
    bool good = parse(&options, argc, argv);
    if (options.help) {
        usage(stdout);
        status = EXIT_OK;
    } else if (good) {
        status = with_scenario(self, &options);
    }
    vec_free(&options.times);
    vec_free(&options.rest);
    arena_free(&options.arena);
    return status;
}
