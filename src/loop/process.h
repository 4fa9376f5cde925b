// SPDX-License-Identifier: MIT
/* process.h: child processes of the loop. A child's ends of the pipes are read by the loop; its end
 * is reported once, after its pipes have closed (also those that it left to children of its own,
 * unless it ran into its time limit). Where loop_free comes first, nothing is reported and the
 * child lives on. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loop/loop.h"

struct process;

struct process_end {
    int status; /* exit status, or -1 when a signal ended it */
    int signal; /* the signal, or 0 */
    bool timed_out;
    double user_s, system_s; /* CPU time of the child */
    int64_t max_rss_kb;
    const char *out, *err; /* captured output, NUL-terminated; valid during the callback only */
    size_t out_len;
    bool out_cut; /* more was written than capture_max */
};

struct process_options {
    const char *const *argv; /* NULL-terminated; argv[0] is looked up on PATH */
    const char *const *env;  /* NULL-terminated "K=V"; NULL: inherited */
    const char *cwd;         /* NULL: inherited */
    const char *stdin_text;  /* written to its stdin, then closed; NULL: stdin is /dev/null */
    size_t stdin_len;
    /* It stays open behind stdin_text, for process_write. When the child has ended, others that
     * have its stdout are not waited for. */
    bool keep_stdin;
    bool inherit_stdin;
    bool capture_out, capture_err; /* else inherited, or */
    int out_fd;                    /* what becomes its stdout, the caller's to close; 0: none */
    size_t capture_max;            /* bytes kept of each; 0: 64 MiB */
    uint64_t timeout_ms;           /* then SIGTERM, 5 s later SIGKILL; 0: none */
    uint64_t late_ms;              /* less than that: when on_late is called, once; 0: never */
    bool new_session;              /* setsid: a terminal's Ctrl-C does not reach it */
    bool new_group; /* own process group, so that process_kill reaches its children */
    /* With a group of its own: where it was killed or ended badly, its end is that of all the
     * group. What is left of it gets SIGTERM after a second, if it has got none, and SIGKILL 30 s
     * later. */
    bool whole_group;
    /* More of its captured stdout has come: all that is kept so far. May be NULL. */
    void (*on_output)(void *user, const char *out, size_t len);
    void (*on_late)(void *user);
    void (*on_end)(void *user, const struct process_end *end);
    void *user;
};

/* Starts a child; NULL and errno if it could not be started (on_end is not called then): no such
 * program, no such cwd, no more processes. The process frees itself after on_end. Nothing of
 * options is kept. */
struct process *process_start(struct loop *loop, const struct process_options *options);
/* Whether what kept a child from being started may pass: this machine is short of something. */
bool process_error_passes(int error);
/* Its process id, also when it has ended. */
int process_pid(const struct process *process);
/* Writes more to the stdin of one that keeps it; where nobody reads there any more, its end tells.
 * The bytes are copied. */
void process_write(struct process *process, const char *bytes, size_t len);
/* False: its stdin is closed, as it has ended or was killed, though on_end was not called yet. */
bool process_listens(const struct process *process);
/* That was all: it reads the end of its stdin. */
void process_close_stdin(struct process *process);
/* Sends a signal to the child (to its group if it has one of its own). */
void process_kill(struct process *process, int signum);
/* Nobody is told of its end; it goes on, and is still waited for. */
void process_forget(struct process *process);
