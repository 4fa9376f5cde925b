// SPDX-License-Identifier: MIT
#include "report/log.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "base/memory.h"
#include "base/visible.h"

enum { FLUSH_AT = 1 << 16 };
enum { PIECE = 4096 }; /* what takes something takes as much (a page of a pipe) */
enum { BRIEF_MS = 2000, AGAIN_MS = 10, MOST_WAITING = 8 << 20 };

static const char *const color_on[] = {"", "\033[33m", "\033[32m", "\033[31m"};

/* A terminal that takes something may take less than a piece, and a write would wait for the rest.
 * Its own file must not be told otherwise: others have it, too. */
static int open_unwaited(FILE *out)
{
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(out));
    return open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
}

void log_open(struct log *log, FILE *out, unsigned quiet, bool nocolor)
{
    *log = (struct log){.out = out, .quiet = quiet, .opened_ns = clock_ns()};
    log->watched = isatty(fileno(out));
    log->unwaited = log->watched ? open_unwaited(out) : -1;
    log->terminal = fs_is_screen(fileno(out));
    log->color = !nocolor && fs_has_colors(fileno(out));
}

bool log_open_file(struct log *log, const char *dir)
{
    char name[80];
    int64_t now = clock_wall_ns();
    time_t seconds = (time_t)(now / 1000000000);
    struct tm tm;
    localtime_r(&seconds, &tm);
    size_t n = strftime(name, sizeof name, "%Y-%m-%dT%H%M%S", &tm);
    snprintf(name + n, sizeof name - n, ".%06d.snakemake.log", (int)(now / 1000 % 1000000));
    struct buf full = {0};
    buf_printf(&full, "%s/.snakemake/log/%s", dir, name);
    char *path = buf_take(&full);
    if (!fs_make_parent(path) || !(log->file = fopen(path, "we"))) {
        free(path);
        return false;
    }
    free(log->path);
    log->path = path;
    return true;
}

/* How long a reader is waited for now, who has yet to take so many bytes; -1: until a signal. */
static int patience_ms(struct log *log, size_t left)
{
    if (log->patience != LOG_BRIEF)
        return log->patience == LOG_NONE && left < MOST_WAITING ? 0 : -1;
    if (!log->give_up_ns)
        log->give_up_ns = clock_ns() + BRIEF_MS * INT64_C(1000000);
    int64_t ms = (log->give_up_ns - clock_ns()) / 1000000;
    return ms > 0 ? (int)ms : 0;
}

/* Whether a piece of what is left can be written now, or soon enough. */
static bool takes_more(struct log *log, size_t left)
{
    struct pollfd out = {fileno(log->out), POLLOUT, 0};
    return poll(&out, 1, patience_ms(log, left)) > 0;
}

/* Gives out as much of the text as it takes; false: something is left. */
static bool give_pieces(struct log *log)
{
    struct buf *text = &log->text;
    size_t given = 0;
    int fd = log->unwaited >= 0 ? log->unwaited : fileno(log->out);
    bool goes_on = true;
    while (goes_on && given < text->len && takes_more(log, text->len - given)) {
        size_t piece = text->len - given < PIECE ? text->len - given : PIECE;
        ssize_t n = write(fd, text->at + given, piece);
        if (n < 0 && errno == EAGAIN) /* room, but too little for an end of line */
            goes_on = patience_ms(log, text->len - given) && !poll(NULL, 0, AGAIN_MS);
        else if (n < 0 && errno != EINTR)
            given = text->len; /* nobody will ever read it */
        given += n > 0 ? (size_t)n : 0;
    }
    if (given < text->len && log->patience == LOG_UNTIL_SIGNAL)
        log->patience = LOG_BRIEF; /* one signal is enough for all that is still to be said */
    bool all = given == text->len || log->patience != LOG_NONE;
    if (all)
        buf_reset(text);
    else if (given)
        memmove(text->at, text->at + given, text->len -= given);
    return all;
}

bool log_flush(struct log *log)
{
    bool all = true;
    if (log->out != stdout)
        fflush(stdout); /* what a Snakefile prints stands where it was printed, also in a file */
    if (log->patience != LOG_ENDLESS) {
        all = give_pieces(log);
    } else if (log->text.len) {
        fwrite(log->text.at, 1, log->text.len, log->out);
        buf_reset(&log->text);
    }
    fflush(log->out);
    if (log->file)
        fflush(log->file);
    return all;
}

void log_close(struct log *log)
{
    log_progress(log, "");
    log_flush(log);
    if (log->file)
        fclose(log->file);
    if (log->unwaited >= 0)
        close(log->unwaited);
    free(log->path);
    buf_free(&log->text);
    log->unwaited = -1;
    log->file = NULL;
    log->path = NULL;
}

struct buf *log_event(struct log *log, const char *event)
{
    if (!log->json)
        return NULL;
    buf_printf(&log->text, "{\"event\": \"%s\", \"time\": %.6f", event,
               (double)clock_wall_ns() * 1e-9);
    return &log->text;
}

void log_event_end(struct log *log)
{
    buf_str(&log->text, "}\n");
}

/* Times and empty lines are for the eye. */
static void json_message(struct log *log, enum log_color color, const char *text, size_t len)
{
    if (!len || text == log->stamp)
        return;
    log_event(log, "message");
    buf_printf(&log->text, ", \"level\": \"%s\", \"msg\": \"",
               color == LOG_ERROR ? "error" : "info");
    buf_json(&log->text, text, len);
    buf_char(&log->text, '"');
    log_event_end(log);
}

/* A text that would fill the buffer anyway is not copied first. */
static void add_text(struct log *log, const char *text, size_t len)
{
    if (len < FLUSH_AT || log->patience != LOG_ENDLESS) {
        buf_add(&log->text, text, len);
        return;
    }
    log_flush(log);
    fwrite(text, 1, len, log->out);
}

/* What is written to a terminal must not steer it. */
static void add_message(struct log *log, const char *text, size_t len)
{
    if (log->watched)
        buf_visible(&log->text, text, len, log->color && log->own_colors);
    else
        add_text(log, text, len);
}

static void plain_message(struct log *log, enum log_color color, const char *text, size_t len)
{
    log_progress(log, "");
    if (log->color && color != LOG_PLAIN)
        buf_str(&log->text, color_on[color]);
    add_message(log, text, len);
    if (log->color && color != LOG_PLAIN)
        buf_str(&log->text, "\033[0m");
    buf_char(&log->text, '\n');
}

void log_text(struct log *log, enum log_color color, const char *text, size_t len)
{
    if (color == LOG_ERROR || log_wants(log, 0))
        (log->json ? json_message : plain_message)(log, color, text, len);
    if (log->file) {
        fwrite(text, 1, len, log->file);
        fputc('\n', log->file);
    }
    log->after_job = false;
    if (log->text.len >= FLUSH_AT)
        log_flush(log);
}

void log_say(struct log *log, enum log_color color, const char *format, ...)
{
    struct buf line = {0};
    va_list args;
    va_start(args, format);
    buf_vprintf(&line, format, args);
    va_end(args);
    log_text(log, color, buf_text(&line), line.len);
    buf_free(&line);
}

void log_stamp(struct log *log)
{
    int64_t now = clock_wall_ns(), second = now / 1000000000;
    if (second != log->stamp_second) {
        char text[32];
        clock_text(now, text);
        snprintf(log->stamp, sizeof log->stamp, "[%s]", text);
        log->stamp_second = second;
    }
    log_text(log, LOG_PLAIN, log->stamp, strlen(log->stamp));
}

void log_block(struct log *log, const char *text, size_t len, bool own_colors)
{
    if (!log->after_job)
        log_text(log, LOG_PLAIN, "", 0);
    log_stamp(log);
    log->own_colors = own_colors;
    log_text(log, LOG_JOB, text, len);
    log->own_colors = false;
    log->after_job = true;
}

bool log_wants(const struct log *log, unsigned quiet)
{
    return !(log->quiet & (quiet | QUIET_ALL));
}

void log_end(struct log *log)
{
    int64_t us = (clock_ns() - log->opened_ns) / 1000, s = us / 1000000;
    if (log->path)
        log_say(log, LOG_INFO, "Complete log(s): %s", log->path);
    log_say(log, LOG_INFO, "Elapsed time: %d:%02d:%02d.%06d", (int)(s / 3600), (int)(s / 60 % 60),
            (int)(s % 60), (int)(us % 1000000));
}

/* Bytes of a line in ASCII that a terminal shows in one row: a longer one would go on in the next,
 * and only that could be cleared. */
static size_t row_len(const struct log *log, const char *line)
{
    struct winsize size;
    size_t len = strlen(line);
    bool known = ioctl(fileno(log->out), TIOCGWINSZ, &size) == 0 && size.ws_col;
    return known && len >= size.ws_col ? size.ws_col - 1u : len;
}

void log_progress(struct log *log, const char *line)
{
    if (log->json || !log->terminal || (!*line && !log->progress_on))
        return;
    buf_str(&log->text, "\r\033[K");
    buf_add(&log->text, line, row_len(log, line));
    log->progress_on = *line;
}
