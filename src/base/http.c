// SPDX-License-Identifier: MIT
/* http.c: HTTP/1.1, one connection a request ("Connection: close"): the whole answer is read, then
 * taken apart. What curl prints for https:// has the same form, its body already unchunked. */
#include "base/http.h"

#include <ctype.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/tool.h"

enum { TIMEOUT_S = 30, REDIRECTS = 10 };

bool http_is_url(const char *text)
{
    return !strncmp(text, "http://", 7) || !strncmp(text, "https://", 8);
}

/* ---- the transport ---- */

struct address {
    const char *host, *port, *path; /* path with its query, from the slash on */
};

/* http://host:port/path?query taken apart. */
static struct address split_url(struct arena *in, const char *url)
{
    const char *at = url + strlen("http://");
    size_t n = strcspn(at, "/?#");
    const char *host = arena_copy(in, at, n), *path = at + n;
    const char *user = strrchr(host, '@'), *colon;
    path = arena_copy(in, path, strcspn(path, "#"));
    host = user ? user + 1 : host;
    colon = strrchr(host, ':');
    return (struct address){.host = colon ? arena_copy(in, host, (size_t)(colon - host)) : host,
                            .port = colon ? colon + 1 : "80",
                            .path = *path == '/' ? path : arena_printf(in, "/%s", path)};
}

static int open_socket(const struct address *address, const char **why, struct arena *in)
{
    struct addrinfo want = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM}, *found = NULL;
    int error = getaddrinfo(address->host, address->port, &want, &found), fd = -1;
    struct timeval limit = {TIMEOUT_S, 0};
    *why = error ? gai_strerror(error) : "no address";
    for (struct addrinfo *a = found; a && fd < 0; a = a->ai_next) {
        fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol);
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
        setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
        if (fd >= 0 && connect(fd, a->ai_addr, a->ai_addrlen)) {
            *why = arena_str(in, strerror(errno));
            close(fd);
            fd = -1;
        }
    }
    if (found)
        freeaddrinfo(found);
    return fd;
}

static bool send_all(int fd, const char *text, size_t len)
{
    while (len) {
        ssize_t n = send(fd, text, len, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        text += n;
        len -= (size_t)n;
    }
    return true;
}

static bool ask_socket(struct arena *in, const char *url, bool head, struct buf *raw, const char **why)
{
    struct address address = split_url(in, url);
    int fd = open_socket(&address, why, in);
    if (fd < 0)
        return false;
    const char *request = arena_printf(in,
                                       "%s %s HTTP/1.1\r\nHost: %s%s%s\r\nUser-Agent: kintsugi-flow\r\n"
                                       "Accept: */*\r\nConnection: close\r\n\r\n",
                                       head ? "HEAD" : "GET", address.path, address.host,
                                       strcmp(address.port, "80") ? ":" : "",
                                       strcmp(address.port, "80") ? address.port : "");
    bool good = send_all(fd, request, strlen(request)) && fs_read_all(fd, raw);
    if (!good)
        *why = arena_str(in, strerror(errno));
    close(fd);
    return good;
}

/* "curl: (6) Could not resolve host: nowhere", the last line that it says, without its beginning; in the arena. */
static const char *curl_words(struct arena *in, const char *said, int status)
{
    const char *last = NULL;
    for (const char *at = said; (at = strstr(at, "curl: (")); at++)
        last = at;
    const char *words = last ? strstr(last, ") ") : NULL;
    return words ? arena_copy(in, words + 2, strcspn(words + 2, "\n")) : arena_printf(in, "curl ended with %d", status);
}

/* What the linker says of a curl that works stands before its answer. */
static void drop_noise(struct buf *raw)
{
    const char *answer = raw->len ? strstr(raw->at, "HTTP/") : NULL;
    if (!answer)
        return;
    raw->len -= (size_t)(answer - raw->at);
    memmove(raw->at, answer, raw->len + 1);
}

static bool ask_curl(struct arena *in, const char *url, bool head, struct buf *raw, const char **why)
{
    struct buf command = {0};
    buf_printf(&command, "curl --silent --show-error --http1.1 --max-time %d --%s ", 10 * TIMEOUT_S,
               head ? "head" : "include");
    buf_shell_quote(&command, url, strlen(url));
    buf_str(&command, " 2>&1");
    int status;
    bool ran = tool_run("sh", buf_text(&command), false, raw, &status);
    buf_free(&command);
    *why = !ran            ? arena_str(in, strerror(errno))
           : status == 127 ? "https:// needs the program curl, which is not installed"
                           : curl_words(in, buf_text(raw), status);
    if (!ran || status)
        return false;
    drop_noise(raw);
    return raw->len;
}

/* ---- the answer ---- */

/* The value of a header between at and end, in the arena, or NULL. */
static const char *header(struct arena *in, const char *at, const char *end, const char *name)
{
    size_t len = strlen(name);
    while (at < end) {
        const char *line_end = memchr(at, '\r', (size_t)(end - at));
        line_end = line_end ? line_end : end;
        if ((size_t)(line_end - at) > len && at[len] == ':' && !strncasecmp(at, name, len)) {
            at += len + 1;
            while (at < line_end && *at == ' ')
                at++;
            return arena_copy(in, at, (size_t)(line_end - at));
        }
        at = line_end + 2;
    }
    return NULL;
}

/* "Sun, 06 Nov 1994 08:49:37 GMT" */
static int64_t parse_time(const char *text)
{
    struct tm tm = {0};
    const char *end = text ? strptime(text, "%a, %d %b %Y %H:%M:%S", &tm) : NULL;
    int64_t seconds = end ? (int64_t)timegm(&tm) : 0;
    return seconds > 0 && seconds < INT64_MAX / 1000000000 ? seconds * 1000000000 : 0;
}

static bool unchunk(const char *at, const char *end, struct buf *body)
{
    while (at < end) {
        char *digits_end;
        unsigned long n = strtoul(at, &digits_end, 16);
        const char *data = memchr(digits_end, '\n', (size_t)(end - digits_end));
        if (digits_end == at || !data || n > (size_t)(end - data - 1))
            return false;
        if (!n)
            return true;
        buf_add(body, data + 1, n);
        at = data + 1 + n + 2;
    }
    return false;
}

bool http_parse(struct arena *in, const char *text, size_t len, bool chunked, struct http_answer *out,
                const char **location)
{
    const char *end = text + len, *gap = strstr(text, "\r\n\r\n"), *blank = strchr(text, ' ');
    *location = NULL;
    if (!gap || strncmp(text, "HTTP/", 5) || !blank)
        return false;
    out->status = atoi(blank);
    const char *length = header(in, text, gap, "Content-Length");
    const char *coding = header(in, text, gap, "Transfer-Encoding"), *data = gap + 4;
    *location = header(in, text, gap, "Location");
    out->length = length ? strtoll(length, NULL, 10) : -1;
    out->mtime_ns = parse_time(header(in, text, gap, "Last-Modified"));
    if (chunked && coding && !strcasecmp(coding, "chunked") && data < end)
        return unchunk(data, end, &out->body);
    buf_add(&out->body, data, (size_t)(end - data));
    return true;
}

/* A Location may be relative to the URL that gave it. */
static const char *redirected(struct arena *in, const char *url, const char *location)
{
    if (http_is_url(location))
        return location;
    size_t host = strcspn(url + 8, "/?#") + 8, dir = host;
    for (size_t i = host; url[i] && url[i] != '?' && url[i] != '#'; i++)
        dir = url[i] == '/' ? i + 1 : dir;
    return arena_printf(in, "%.*s%s%s", (int)(*location == '/' ? host : dir), url,
                        *location != '/' && dir == host ? "/" : "", location);
}

static bool ask_once(struct arena *in, const char *url, bool head, struct http_answer *answer,
                     const char **location, const char **why)
{
    struct buf raw = {0};
    bool plain = url[4] == ':';
    bool good = (plain ? ask_socket : ask_curl)(in, url, head, &raw, why);
    buf_char(&raw, 0);
    raw.len--;
    if (good && !(good = http_parse(in, raw.at, raw.len, plain, answer, location)))
        *why = "the answer is no HTTP";
    else if (good && !head && answer->length > (int64_t)answer->body.len) {
        *why = "the answer ends too early";
        good = false;
    }
    buf_free(&raw);
    return good;
}

bool http_ask(struct arena *in, const char *url, bool head, struct http_answer *answer, const char **why)
{
    *answer = (struct http_answer){0};
    *why = "too many redirects";
    for (int i = 0; i < REDIRECTS; i++) {
        const char *location = NULL;
        buf_reset(&answer->body);
        if (!ask_once(in, url, head, answer, &location, why))
            return false;
        if (answer->status / 100 != 3 || !location)
            return true;
        url = redirected(in, url, location);
        if (!http_is_url(url))
            break;
    }
    return false;
}

char *http_read(struct arena *in, const char *url, size_t *len, const char **why)
{
    struct http_answer answer;
    char *text = NULL;
    if (http_ask(in, url, false, &answer, why)) {
        if (answer.status == 200)
            text = arena_copy(in, buf_text(&answer.body), answer.body.len);
        else
            *why = arena_printf(in, "the server says %d", answer.status);
    }
    if (len)
        *len = text ? answer.body.len : 0;
    buf_free(&answer.body);
    return text;
}
