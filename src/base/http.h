// SPDX-License-Identifier: MIT
/* http.h: files behind URLs. http:// is spoken here; https:// needs the program curl, because a
 * TLS library is a dependency that a login node may lack. Calls block, with a time limit. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"

/* How servers are asked. Zeroed: HEAD is understood, redirects are followed, nobody signs, at any
 * pace. */
struct http_manners {
    enum http_auth { HTTP_OPEN, HTTP_BASIC, HTTP_DIGEST } auth; /* digest needs the program curl */
    const char *user, *password; /* sent to the server of the URL, to none that it redirects to */
    bool no_head;                /* what is known of a file is asked by GET, its body left unread */
    bool stay;                   /* redirects are answers */
    struct pace *pace;           /* borrowed; NULL: none */
};

struct http_answer {
    int status;         /* 200, 404, ... of the last redirect */
    int64_t length;     /* Content-Length; less than 0: not said */
    int64_t mtime_ns;   /* Last-Modified; 0: not said */
    int64_t retry_s;    /* Retry-After; -1: not said */
    const char *coding; /* Content-Encoding, in the arena of who asks; NULL: not said */
    struct buf body;    /* owned; empty for a HEAD */
};

/* Whether text begins with http:// or https://. */
bool http_is_url(const char *text);
/* A URL as it may be told: user and password in front of the host are hidden. The URL itself, or in
 * the arena. */
const char *http_shown(struct arena *in, const char *url);
/* Asks for a URL, through up to 10 redirects, and again where the server says that it is too busy
 * just now; head: only what is known of it; manners: NULL: those of zero. False: there was no
 * answer, and *why (in the arena) says so in words. The caller frees answer->body either way. Any
 * thread may call it, with an arena of its own. */
bool http_ask(struct arena *in, const char *url, bool head, const struct http_manners *manners,
              struct http_answer *answer, const char **why);
/* Takes a turn of the manners' pace at the server of a URL: when it may be asked, in ns by the
 * monotonic clock. */
int64_t http_turn(const char *url, const struct http_manners *manners);
/* Whether the program curl does it; manners: or NULL. */
bool http_takes_curl(const char *url, const struct http_manners *manners);
/* An answer as it came over the connection, taken apart; text is NUL-terminated behind len bytes.
 * chunked: its body may be in chunks. *location: where it redirects to, in the arena, or NULL.
 * False: it is no HTTP. */
bool http_parse(struct arena *in, const char *text, size_t len, bool chunked,
                struct http_answer *out, const char **location);
/* GETs a file. False: no answer, or one of another status than 200 (answer->status); *why says it.
 * The caller frees answer->body either way. */
bool http_get(struct arena *in, const char *url, const struct http_manners *manners,
              struct http_answer *answer, const char **why);
/* The same into a file of that path, however long it is; answer->body is empty after a 200. What
 * the server has packed for the way is unpacked (gzip alone). What is left there after a failure is
 * for the caller to remove. */
bool http_save(struct arena *in, const char *url, const struct http_manners *manners,
               const char *path, struct http_answer *answer, const char **why);
/* The text alone, NUL-terminated, in the arena; NULL: *why says what is wrong. */
char *http_read(struct arena *in, const char *url, size_t *len, const char **why);
