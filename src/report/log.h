// SPDX-License-Identifier: MIT
/* log.h: what people read while a workflow runs: lines on the terminal (stderr, or stdout for a dry
 * run) and the same in the run's log file. Text is gathered and written in large pieces; log_flush
 * makes it visible. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/buf.h"

enum quiet {
    QUIET_PROGRESS = 1,
    QUIET_RULES = 2,
    QUIET_HOST = 4,
    QUIET_REASON = 8,
    QUIET_ALL = 16
};

/* How long a reader of out who reads nothing (a pager, Ctrl-S, a connection that hangs) is waited
 * for. */
enum log_patience {
    LOG_ENDLESS,
    LOG_NONE,         /* the run goes on; log_flush gives what is taken at once */
    LOG_UNTIL_SIGNAL, /* then the rest is lost, and what is said afterwards is LOG_BRIEF */
    LOG_BRIEF         /* the same, or for 2 s in all */
};

struct log {
    FILE *out;        /* borrowed: stdout or stderr */
    int unwaited;     /* owned: a terminal out anew, written to without waiting; -1: none */
    FILE *file;       /* owned; NULL: no log file */
    char *path;       /* owned; of the log file */
    bool color;       /* escape sequences on out */
    bool json;        /* out gets one JSON object a line instead of text */
    bool watched;     /* out is a terminal of any kind */
    bool terminal;    /* it understands escape sequences: a progress line may be drawn */
    bool own_colors;  /* of the text that is being written, which a Snakefile gave */
    bool after_job;   /* the last thing written was a job: no blank line before the next */
    bool progress_on; /* a progress line stands at the end */
    unsigned quiet;   /* enum quiet */
    enum log_patience patience;
    int64_t give_up_ns;   /* when LOG_BRIEF ends; 0: not waited yet */
    int64_t opened_ns;    /* monotonic */
    struct buf text;      /* not written yet */
    int64_t stamp_second; /* time for which .stamp was made */
    char stamp[40];       /* "[Sat Nov 21 04:31:47 2026]" */
};

enum log_color { LOG_PLAIN, LOG_INFO, LOG_JOB, LOG_ERROR };

/* out as given; color: only if out is a terminal and TERM, NO_COLOR and --nocolor allow it. */
void log_open(struct log *log, FILE *out, unsigned quiet, bool nocolor);
/* Opens .snakemake/log/<time>.snakemake.log under dir, which is absolute; false with errno. */
bool log_open_file(struct log *log, const char *dir);
/* Ends it; the file stays. */
void log_close(struct log *log);
/* What is buffered goes to the terminal and the file. False: something is left, for want of
 * patience. */
bool log_flush(struct log *log);

/* Begins an event of a JSON log, which the caller fills with further members (", \"key\": value")
 * and ends by log_event_end; NULL: the log is none. */
struct buf *log_event(struct log *log, const char *event);
void log_event_end(struct log *log);
/* One message, a newline is added. With QUIET_ALL only errors reach the terminal. */
void log_say(struct log *log, enum log_color color, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same of text that ends its lines itself. */
void log_text(struct log *log, enum log_color color, const char *text, size_t len);
/* A job's block: a blank line before it unless another block stands there, the time, the text.
 * own_colors: those that are in it are meant. */
void log_block(struct log *log, const char *text, size_t len, bool own_colors);
/* The time stamp in brackets on a line of its own. */
void log_stamp(struct log *log);
/* Whether messages of a kind are wanted. */
bool log_wants(const struct log *log, unsigned quiet);
/* The last words: where the log file is, and the time since the log was opened. */
void log_end(struct log *log);
/* Draws or replaces the progress line on a terminal; "" removes it. Never in the log file. */
void log_progress(struct log *log, const char *line);
