// SPDX-License-Identifier: MIT
#include "exec/slurm_script.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/hash.h"
#include "exec/generic_script.h"

/* Removes these, many at a time: the shell needs a kilobyte and more for each command. */
static void add_removal(const char *const *paths, struct buf *out)
{
    enum { MOST = 16384 };
    size_t full = out->len;
    for (; paths && *paths; paths++) {
        if (out->len >= full) {
            buf_str(out, "\nrm -rf --");
            full = out->len + MOST;
        }
        buf_char(out, ' ');
        buf_shell_word(out, *paths);
    }
}

bool slurm_element(const struct launch *launch, const char *body, bool afresh, struct buf *out)
{
    struct arena scratch = {0};
    buf_printf(out, "kf_afresh=%d\nkf_clean() {\n:", afresh);
    add_removal(launch->outputs, out);
    buf_str(out, "\n}\nkf_body() {\ncd ");
    buf_shell_word(out, launch->cwd ? launch->cwd : fs_cwd(&scratch));
    buf_str(out, " || exit 211\n");
    script_exports(launch, out);
    bool good = script_command(launch, body, true, out);
    buf_str(out, "}\n");
    arena_free(&scratch);
    return good;
}

static const char head[] =
    "# kintsugi-flow: one attempt at one job\n"
    "kf_attempt=$kf_token.${SLURM_ARRAY_TASK_ID:-0}\n"
    "kf_me=\"$SLURM_JOB_ID ${SLURM_RESTART_COUNT:-0}\"\n"
    "kf_claim=$kf_dir/claim/$kf_attempt\n"
    "kf_done=$kf_dir/done/$kf_attempt\n"
    "kf_owner() { kf_is=; read -r kf_is 2>/dev/null <\"$kf_claim\"; }\n"
    "if ! (set -C; echo \"$kf_me\" >\"$kf_claim\") 2>/dev/null; then\n"
    "    kf_owner\n"
    "    if [ \"${kf_is% *}\" = \"$SLURM_JOB_ID\" ]; then\n" /* Slurm has started it once more */
    "        echo \"$kf_me\" >\"$kf_claim.$$\" && mv \"$kf_claim.$$\" \"$kf_claim\"\n"
    "    elif [ -n \"$kf_is\" ]; then\n"
    "        echo \"kintsugi-flow: this attempt was given up before it began; it does nothing\" "
    ">&2\n"
    "        exit 0\n"
    "    else\n"
    "        echo \"kintsugi-flow: $kf_dir is not there or cannot be written on $(uname -n)\" >&2\n"
    "        exit 212\n"
    "    fi\n"
    "fi\n"
    "rm -f \"$kf_done\" \"$kf_done.$$\"\n";

static const char from_manifest[] =
    "kf_element() {\n"
    "    set -- $(sed -n \"$((SLURM_ARRAY_TASK_ID + 1)){p;q;}\" \"$kf_dir/jobs/$kf_token\")\n"
    "    tail -c +\"$1\" \"$kf_dir/jobs/$kf_token\" | head -c \"$2\"\n"
    "}\n"
    "eval \"$(kf_element)\"\n";

/* Job control gives the body a process group of its own, so that SIGTERM reaches all of it. Other
 * signals (--signal=B:USR1@60, scancel -b) are for its shell alone, which may have a trap: other
 * processes would end. wait is interrupted by a trap, and bash 5.2 forgets the status of a child
 * that ends at that very moment, as most do of the SIGTERM that comes to all of a job. So a shell
 * in between, which does not use wait, writes the status down; that shell outlives signals. Slurm
 * may signal the body first, which may be over before this shell hears of it: SIGTERM is heard
 * until the end is written, and after SIGCONT, which Slurm sends to all of the job before, waited
 * for. A trap for that would make bash lose a SIGTERM that comes with it while it waits: kf_ear has
 * stopped itself, and any SIGCONT lets it end. While traps are set nothing is substituted: bash 5.2
 * loses its place when a trap runs while it reads $(...). */
#define OTHER_SIGNALS "HUP INT QUIT USR1 USR2"
static const char tail[] =
    "[ \"$kf_afresh\" = 0 ] && [ \"${SLURM_RESTART_COUNT:-0}\" = 0 ] || kf_clean\n"
    "[ -z \"$SLURM_CPUS_PER_TASK\" ] || export SRUN_CPUS_PER_TASK=\"$SLURM_CPUS_PER_TASK\"\n"
    "unset SLURM_TRES_PER_TASK SLURM_NTASKS_PER_GPU\n"
    "kf_signal() { kill -s \"$1\" -- \"-$kf_pid\" 2>/dev/null || kill -s \"$1\" \"$kf_pid\" "
    "2>/dev/null; }\n"
    "kf_told=untold\n"
    "kf_start=$(date +%s)\n"
    "kf_host=${SLURMD_NODENAME:-$(uname -n)}\n"
    "trap 'kf_told=told; kf_signal TERM; kf_signal CONT; "
    "[ ! -e \"$kf_claim\" ] || echo told >>\"$kf_claim\"' TERM\n"
    "for kf_name in " OTHER_SIGNALS "; do\n"
    "    trap \"{ read -r kf_child </proc/\\$kf_pid/task/\\$kf_pid/children; "
    "kill -s $kf_name \\$kf_child; } 2>/dev/null\" $kf_name\n"
    "done\n"
    "set -m 2>/dev/null\n"
    "( trap : TERM " OTHER_SIGNALS "; set +m\n"
    "exec 3>&2 2>/dev/null\n" /* the shell has its own words for signals */
    "( exec 2>&3 3>&-; trap - TERM " OTHER_SIGNALS "; kf_body )\n"
    "kf_status=$?\n"
    "echo $kf_status >\"$kf_done.$$\"\n"
    "exit $kf_status ) </dev/null &\n"
    "kf_pid=$!\n"
    "[ $kf_told = untold ] || kf_signal TERM\n"
    "( trap - TERM " OTHER_SIGNALS "; while sleep 5 && kill -0 \"$kf_pid\" 2>/dev/null; do\n"
    "    kf_owner\n"
    "    [ -z \"$kf_is\" ] || [ \"$kf_is\" = \"$kf_me\" ] || kf_signal KILL\n"
    "done ) </dev/null >/dev/null 2>&1 &\n"
    "kf_watch=$!\n"
    "set +m 2>/dev/null\n"
    "sh -c 'kill -s STOP $$' </dev/null >/dev/null 2>&1 &\n"
    "kf_ear=$!\n"
    "{\n"
    "wait \"$kf_pid\"\n"
    "kf_status=$?\n"
    "while kill -0 \"$kf_pid\"; do wait \"$kf_pid\"; kf_status=$?; done\n"
    "read -r kf_again <\"$kf_done.$$\" && kf_status=$kf_again\n"
    "kill -s KILL -- \"-$kf_watch\" || kill -s KILL \"$kf_watch\"\n"
    "wait \"$kf_watch\"\n"
    "} 2>/dev/null\n"
    "trap '' " OTHER_SIGNALS "\n"
    "trap kf_told=told TERM\n"
    "kf_continued=0\n"
    "while kf_is=; read -r kf_is </proc/$kf_ear/stat; do\n"
    "    case $kf_is in\n"
    "    *') '[Tt]\" $$ \"*) break ;;\n"
    "    *') '[!ZX]\" $$ \"*) sleep 0.05 ;;\n" /* it is on its way */
    "    *) kf_is=; break ;;\n"                /* its number may be another's by now */
    "    esac\n"
    "done 2>/dev/null\n"
    "[ -z \"$kf_is\" ] && kf_continued=5 || { kill -s KILL $kf_ear; wait $kf_ear; } 2>/dev/null\n"
    "while [ $kf_told = untold ] && [ $kf_continued -gt 0 ]; do\n" /* seconds; or was it stopped? */
    "    sleep 1\n"
    "    kf_continued=$((kf_continued - 1))\n"
    "done\n"
    "kf_owner\n"
    "if [ \"$kf_is\" = \"$kf_me\" ]; then\n"
    "    date +%s >\"$kf_done.$$\"\n"
    "    read -r kf_end <\"$kf_done.$$\" || kf_end=$kf_start\n" /* date hears SIGTERM, too */
    "    trap '' TERM\n"
    "    { echo \"$kf_status $kf_me $kf_start $kf_end $kf_host $kf_told\"; times; } "
    ">\"$kf_done.$$\" && mv \"$kf_done.$$\" \"$kf_done\"\n"
    "else\n"
    "    rm -f \"$kf_done.$$\"\n"
    "fi\n"
    "exit $kf_status\n";

void slurm_script(const char *dir, const char *token, const char *element, struct buf *out)
{
    /* dash has no job control without a terminal. */
    buf_printf(out, "#!%s\n", fs_exists("/bin/bash") ? "/bin/bash" : "/bin/sh");
    buf_str(out, "kf_dir=");
    buf_shell_word(out, dir);
    buf_str(out, "\nkf_token=");
    buf_shell_word(out, token);
    buf_char(out, '\n');
    buf_str(out, head);
    buf_str(out, element ? element : from_manifest);
    buf_str(out, tail);
}

void slurm_manifest(const char *const *elements, uint32_t n, struct buf *out)
{
    enum { LINE = 22 };
    size_t at = (size_t)n * LINE + 1; /* tail -c counts from 1 */
    for (uint32_t i = 0; i < n; i++) {
        size_t len = strlen(elements[i]);
        buf_printf(out, "%010zu %010zu\n", at, len);
        at += len;
    }
    for (uint32_t i = 0; i < n; i++)
        buf_str(out, elements[i]);
}

/* ---- the done file ---- */

/* "0m1.25s 0m0.5s": what the children have used, user and system. Where the job's language has
 * decimal commas, the shell has, too. */
static void read_times(const char *text, struct slurm_done *done)
{
    int minutes[2];
    double seconds[2];
    char times[80] = "";
    const char *line = strchr(text, '\n');
    line = line ? strchr(line + 1, '\n') : NULL;
    if (line)
        snprintf(times, sizeof times, "%s", line + 1);
    for (char *comma = times; (comma = strchr(comma, ','));)
        *comma = '.';
    if (sscanf(times, "%dm%lfs %dm%lfs", &minutes[0], &seconds[0], &minutes[1], &seconds[1]) == 4) {
        done->user_s = 60.0 * minutes[0] + seconds[0];
        done->system_s = 60.0 * minutes[1] + seconds[1];
    }
}

bool slurm_read_done(const char *text, struct slurm_done *done)
{
    long long start, end;
    char told[8] = "";
    *done = (struct slurm_done){0};
    if (sscanf(text, "%d %u %u %lld %lld %127s %7s", &done->status, &done->job, &done->restarts,
               &start, &end, done->host, told) < 6 ||
        done->status < 0 || done->status > 255)
        return false;
    done->start_s = start;
    done->end_s = end;
    done->told = !strcmp(told, "told");
    read_times(text, done);
    return true;
}

/* ---- names ---- */

void slurm_file_name(const char *text, struct buf *out)
{
    enum { LONGEST = 120 };
    size_t len = strlen(text), shown = len < LONGEST ? len : LONGEST;
    bool changed = shown < len || !len || text[0] == '.';
    for (size_t i = 0; i < shown; i++) {
        bool fine = isalnum((unsigned char)text[i]) ||
                    (strchr("._=,+@-", text[i]) && (i || text[i] != '.'));
        buf_char(out, fine && (unsigned char)text[i] < 128 ? text[i] : '_');
        changed |= !fine;
    }
    if (changed)
        buf_printf(out, "-%08x", (unsigned)hash_bytes(text, len));
}
