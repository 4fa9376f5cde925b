// SPDX-License-Identifier: MIT
/* http.c: HTTP/1.1, one connection a request ("Connection: close"): the whole answer is read, then
 * taken apart; a file may go to the disk meanwhile. What curl prints for https:// has the same
 * form, its body already unchunked. */
#include "base/http.h"

#include <ctype.h>
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "base/pace.h"
#include "base/tool.h"

enum { TIMEOUT_S = 30, REDIRECTS = 10, PATIENCE = 3, MOST_WAIT_S = 30, MOST_HEAD = 1 << 20 };
enum { NO_TRUST = 60 };  /* curl's exit status: nobody it trusts has signed the certificate */
enum { MOST_TRIES = 3 }; /* to get a file whole, as in Snakemake's plugins */
static const char not_http[] = "the answer is no HTTP";

bool http_is_url(const char *text)
{
    return !strncmp(text, "http://", 7) || !strncmp(text, "https://", 8);
}

const char *http_shown(struct arena *in, const char *url)
{
    const char *host = http_is_url(url) ? strstr(url, "://") + 3 : NULL;
    const char *sign = host ? memrchr(host, '@', strcspn(host, "/?#")) : NULL;
    return sign ? arena_printf(in, "%.*s***%s", (int)(host - url), url, sign) : url;
}

/* ---- who is asked, and how ---- */

struct address {
    bool secure;
    const char *host, *port, *path; /* path with its query, from the slash on */
    const char *user, *password;    /* that the URL holds; NULL: none */
    const char *bare;               /* the URL without them */
};

/* One thing that is asked. */
struct request {
    struct arena *in;
    const struct http_manners *manners;
    struct address to;
    bool head;        /* only what is known of the file */
    const char *into; /* the file that the body of a 200 goes to; NULL: the answer holds it */
    enum http_auth auth;
    const char *user, *password;
    bool vain; /* why it failed stands at another time, too */
};

/* "%40" is "@", in place. */
static const char *percent_decoded(char *text)
{
    char *to = text;
    for (const char *from = text; *from; to++)
        if (*from == '%' && isxdigit((unsigned char)from[1]) && isxdigit((unsigned char)from[2])) {
            *to = (char)strtol((const char[]){from[1], from[2], 0}, NULL, 16);
            from += 3;
        } else {
            *to = *from++;
        }
    *to = 0;
    return text;
}

/* A path as it may be sent: what no URL may hold is written as %20 and the like. */
static const char *sendable(struct arena *in, const char *path)
{
    struct buf out = {0};
    for (const unsigned char *at = (const unsigned char *)path; *at; at++)
        if (*at <= ' ' || *at >= 127 || strchr("\"<>\\^`{|}", *at) ||
            (*at == '%' && !(isxdigit(at[1]) && isxdigit(at[2]))))
            buf_printf(&out, "%%%02X", *at);
        else
            buf_char(&out, (char)*at);
    const char *text = arena_str(in, buf_text(&out));
    buf_free(&out);
    return text;
}

/* http://user:password@host:port/path?query taken apart. */
static struct address split_url(struct arena *in, const char *url)
{
    bool secure = url[4] == 's';
    const char *at = strstr(url, "://") + 3;
    size_t n = strcspn(at, "/?#");
    const char *host = arena_copy(in, at, n),
               *path = sendable(in, arena_copy(in, at + n, strcspn(at + n, "#"))), *colon;
    const char *sign = strrchr(host, '@');
    struct address to = {.secure = secure, .port = secure ? "443" : "80"};
    if (sign) {
        size_t user = strcspn(host, ":@");
        to.user = percent_decoded(arena_copy(in, host, user));
        to.password = host[user] == ':'
                          ? percent_decoded(
                                arena_copy(in, host + user + 1, (size_t)(sign - host) - user - 1))
                          : "";
        host = sign + 1;
    }
    to.bare = arena_printf(in, "%s://%s%s", secure ? "https" : "http", host, path);
    size_t bracket = *host == '[' ? strcspn(host, "]") : 0; /* of an IPv6 address */
    colon = strchr(host + bracket, ':');
    to.host = bracket ? arena_copy(in, host + 1, bracket - 1)
                      : arena_copy(in, host, strcspn(host, ":"));
    to.port = colon ? colon + 1 : to.port;
    to.path = *path == '/' ? path : arena_printf(in, "/%s", path);
    return to;
}

/* Whether what is meant for one server may be told the other; the same one may have moved to
 * https. */
static bool same_server(const struct address *a, const struct address *b)
{
    bool moved = !a->secure && b->secure && !strcmp(a->port, "80") && !strcmp(b->port, "443");
    return !strcasecmp(a->host, b->host) &&
           (moved || (a->secure == b->secure && !strcmp(a->port, b->port)));
}

static void sign(struct request *request, const struct address *first)
{
    const struct http_manners *manners = request->manners;
    bool known = manners->auth && same_server(first, &request->to);
    request->auth = known ? manners->auth : request->to.user ? HTTP_BASIC : HTTP_OPEN;
    request->user = known ? manners->user : request->to.user;
    request->password = known ? manners->password : request->to.password;
}

static bool asks_by_head(const struct request *request)
{
    return request->head && !request->manners->no_head;
}

/* ---- the transport ---- */

/* A socket with a time limit is woken by every stop and continuation of the process, handler or
 * not: what was begun then goes on. */

/* A connection that was interrupted is made all the same: its end is waited for. */
static bool connect_whole(int fd, const struct addrinfo *to)
{
    if (!connect(fd, to->ai_addr, to->ai_addrlen))
        return true;
    int64_t until = clock_ns() + TIMEOUT_S * INT64_C(1000000000);
    struct pollfd wait = {.fd = fd, .events = POLLOUT};
    int ready = -1;
    while (ready < 0 && errno == EINTR) {
        int64_t left = (until - clock_ns()) / 1000000;
        ready = poll(&wait, 1, left > 0 ? (int)left : 0);
    }
    if (ready <= 0) {
        errno = ready ? errno : EINPROGRESS;
        return false;
    }
    int error = 0;
    socklen_t len = sizeof error;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len))
        return false;
    errno = error;
    return !error;
}

static ssize_t read_stream(void *cookie, char *to, size_t n)
{
    ssize_t got;
    while ((got = recv((int)(intptr_t)cookie, to, n, 0)) < 0 && errno == EINTR)
        ;
    return got;
}

/* What comes from a socket, which the caller closes too. */
static FILE *open_stream(int fd)
{
    return fopencookie((void *)(intptr_t)fd, "r", (cookie_io_functions_t){.read = read_stream});
}

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

static const char *socket_words(struct arena *in)
{
    bool late = errno == EAGAIN || errno == EINPROGRESS; /* the latter: while it is called */
    return errno == EPIPE    ? "the answer ends too early"
           : errno == EPROTO ? not_http
           : late            ? arena_printf(in, "nothing came for %d s", TIMEOUT_S)
                             : arena_str(in, strerror(errno));
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
        if (fd >= 0 && !connect_whole(fd, a)) {
            *why = socket_words(in);
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

static void basic_header(const struct request *request, struct buf *out)
{
    const char *both = arena_printf(request->in, "%s:%s", request->user, request->password);
    buf_str(out, "Authorization: Basic ");
    buf_base64(out, both, strlen(both), false);
    buf_str(out, "\r\n");
}

static int status_of(const char *head)
{
    const char *blank = strchr(head, ' ');
    return blank ? atoi(blank) : 0;
}

/* What Content-Length says; -1: nothing; -2: no number. */
static int64_t length_of(struct arena *in, const char *head, const char *end)
{
    const char *text = header(in, head, end, "Content-Length");
    if (!text)
        return -1;
    return *text && !text[strspn(text, "0123456789")] ? strtoll(text, NULL, 10) : -2;
}

/* Reads the head of an answer with the blank line behind it, all lines with "\r\n"; those that only
 * say that another comes are dropped. False with errno, EPIPE: it ends too early. */
static bool read_head(FILE *from, struct buf *raw)
{
    char block[4096];
    size_t line = 0; /* where it begins */
    bool is_http = true;
    while (is_http && raw->len < MOST_HEAD && fgets(block, sizeof block, from)) {
        buf_str(raw, block);
        if (!strchr(block, '\n'))
            continue;
        while (raw->len > line && strchr("\r\n", raw->at[raw->len - 1]))
            raw->len--;
        bool blank = raw->len == line;
        buf_str(raw, "\r\n");
        line = raw->len;
        is_http = !strncmp(buf_text(raw), "HTTP/", 5);
        if (!blank || !is_http)
            continue;
        if (status_of(raw->at) / 100 != 1)
            return true;
        buf_reset(raw);
        line = 0;
    }
    if (!ferror(from))
        errno = is_http && raw->len < MOST_HEAD ? EPIPE : EPROTO;
    return false;
}

/* Copies n bytes, or (-1) all that come. */
static bool copy_bytes(FILE *from, int64_t n, FILE *to)
{
    char block[64 << 10];
    while (n) {
        size_t most = n > 0 && n < (int64_t)sizeof block ? (size_t)n : sizeof block;
        size_t got = fread(block, 1, most, from);
        if (fwrite(block, 1, got, to) < got)
            return false;
        if (got < most && (n > 0 || ferror(from))) {
            errno = ferror(from) ? errno : EPIPE;
            return false;
        }
        if (!got)
            break;
        n -= n > 0 ? (int64_t)got : 0;
    }
    return true;
}

static bool copy_chunks(FILE *from, FILE *to)
{
    char line[256];
    bool good = true;
    while (good && fgets(line, sizeof line, from)) {
        unsigned long n = strtoul(line, NULL, 16);
        good = isxdigit((unsigned char)*line) && n <= INT64_MAX;
        if (good && !n)
            return true;
        if (good && !copy_bytes(from, (int64_t)n, to))
            return false;
        if (good && !fgets(line, sizeof line, from))
            break;
        good = good && (*line == '\r' || *line == '\n');
    }
    if (!ferror(from))
        errno = good ? EPIPE : EPROTO;
    return false;
}

/* Saves what follows the head of a 200. */
static bool save_body(FILE *from, const struct buf *head, const char *path, struct arena *in)
{
    const char *end = head->at + head->len;
    const char *coding = header(in, head->at, end, "Transfer-Encoding");
    bool chunked = coding && !strcasecmp(coding, "chunked");
    int64_t length = length_of(in, head->at, end);
    errno = EPROTO;
    if (!chunked && length < -1)
        return false;
    FILE *to = fopen(path, "we");
    bool good = to && (chunked ? copy_chunks(from, to) : copy_bytes(from, length, to)) &&
                !fflush(to) && !fsync(fileno(to));
    int error = errno;
    if (to)
        good = !fclose(to) && good;
    errno = error;
    return good;
}

/* Reads an answer, as much of it as is of use: of what is to be saved but is not the file, or is
 * asked for by HEAD, the head. False with errno, EPIPE: it ends too early. */
static bool read_answer(FILE *from, const struct request *request, struct buf *raw)
{
    if (!read_head(from, raw))
        return false;
    if (request->into)
        return status_of(buf_text(raw)) != 200 || save_body(from, raw, request->into, request->in);
    char block[4096];
    for (size_t n; !request->head && (n = fread(block, 1, sizeof block, from));)
        buf_add(raw, block, n);
    return !ferror(from);
}

static bool ask_socket(struct request *request, struct buf *raw, const char **why)
{
    const struct address *to = &request->to;
    bool number = strchr(to->host, ':');
    const char *port = strcmp(to->port, "80") ? to->port : NULL;
    int fd = open_socket(to, why, request->in);
    if (fd < 0)
        return false;
    struct buf words = {0};
    buf_printf(&words,
               "%s %s HTTP/1.1\r\nHost: %s%s%s%s%s\r\nUser-Agent: kintsugi-flow\r\n"
               "Accept: */*\r\n",
               asks_by_head(request) ? "HEAD" : "GET", to->path, number ? "[" : "", to->host,
               number ? "]" : "", port ? ":" : "", port ? port : "");
    if (request->auth)
        basic_header(request, &words);
    buf_str(&words, "Connection: close\r\n\r\n");
    FILE *from = open_stream(fd);
    bool good = from && send_all(fd, words.at, words.len) && read_answer(from, request, raw);
    request->vain = !good && errno == EPROTO;
    if (!good)
        *why = socket_words(request->in);
    buf_free(&words);
    if (from)
        fclose(from);
    close(fd);
    return good;
}

/* "curl: (6) Could not resolve host: nowhere", the last line that it says, without its beginning;
 * in the arena. */
static const char *curl_words(struct arena *in, const char *said, int status)
{
    const char *last = NULL;
    for (const char *at = said; (at = strstr(at, "curl: (")); at++)
        last = at;
    const char *words = last ? strstr(last, ") ") : NULL;
    return words ? arena_copy(in, words + 2, strcspn(words + 2, "\n"))
                 : arena_printf(in, "curl ended with %d", status);
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

/* With a digest the server answers twice: first with what is to be signed. */
static void drop_challenge(struct buf *raw)
{
    const char *gap = strstr(raw->at, "\r\n\r\n"), *blank = strchr(raw->at, ' ');
    if (!gap || !blank || atoi(blank) != 401 || strncmp(gap + 4, "HTTP/", 5))
        return;
    raw->len -= (size_t)(gap + 4 - raw->at);
    memmove(raw->at, gap + 4, raw->len + 1);
}

/* A line of curl's configuration: name = "value". */
static void config_line(struct buf *config, const char *name, const char *value)
{
    buf_printf(config, "%s = \"", name);
    for (; *value; value++)
        if (*value == '\n' || *value == '\r')
            buf_printf(config, "\\%c", *value == '\n' ? 'n' : 'r');
        else
            buf_printf(config, *value == '"' || *value == '\\' ? "\\%c" : "%c", *value);
    buf_str(config, "\"\n");
}

/* The configuration goes through a pipe: a list of processes does not show it. */
static bool ask_curl(struct request *request, struct buf *raw, const char **why)
{
    struct buf config = {0};
    buf_printf(&config, "silent\nshow-error\ngloboff\nhttp1.1\nconnect-timeout = %d\n", TIMEOUT_S);
    /* however long it takes, as long as something comes */
    buf_printf(&config, "speed-limit = 1\nspeed-time = %d\n", TIMEOUT_S);
    buf_str(&config, request->head   ? "head\n"
                     : request->into ? "dump-header = \"-\"\n"
                                     : "include\n");
    if (request->into)
        config_line(&config, "output", request->into);
    config_line(&config, "url", request->to.bare);
    if (request->auth)
        config_line(&config, "user",
                    arena_printf(request->in, "%s:%s", request->user, request->password));
    buf_str(&config, request->auth == HTTP_DIGEST ? "digest\n"
                     : request->auth              ? ""
                                                  : "netrc-optional\n");
    if (request->head && !asks_by_head(request))
        config_line(&config, "request", "GET");
    int status;
    if (request->into) /* curl makes none for an empty body */
        fs_write(request->into, "", 0);
    bool ran = tool_feed("sh", "exec curl --disable --config -", buf_text(&config), raw, &status);
    buf_free(&config);
    *why = !ran            ? arena_str(request->in, strerror(errno))
           : status == 127 ? "this needs the program curl, which is not installed"
                           : curl_words(request->in, buf_text(raw), status);
    request->vain = !ran || status == 127 || status == NO_TRUST;
    if (!ran || status)
        return false;
    drop_noise(raw);
    drop_challenge(raw);
    return raw->len;
}

/* ---- the answer ---- */

/* "Sun, 06 Nov 1994 08:49:37 GMT" */
static int64_t parse_time(const char *text)
{
    struct tm tm = {0};
    const char *end = text ? strptime(text, "%a, %d %b %Y %H:%M:%S", &tm) : NULL;
    int64_t seconds = end ? (int64_t)timegm(&tm) : 0;
    return seconds > 0 && seconds < INT64_MAX / 1000000000 ? seconds * 1000000000 : 0;
}

/* Seconds, or a time. */
static int64_t parse_wait(const char *text)
{
    int64_t until = parse_time(text), now = clock_wall_ns();
    if (until)
        return until > now ? (until - now) / 1000000000 + 1 : 0;
    return text && isdigit((unsigned char)*text) ? strtoll(text, NULL, 10) : -1;
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

bool http_parse(struct arena *in, const char *text, size_t len, bool chunked,
                struct http_answer *out, const char **location)
{
    const char *end = text + len, *gap = strstr(text, "\r\n\r\n"), *blank = strchr(text, ' ');
    *location = NULL;
    if (!gap || strncmp(text, "HTTP/", 5) || !blank)
        return false;
    out->status = atoi(blank);
    const char *coding = header(in, text, gap, "Transfer-Encoding"), *data = gap + 4;
    *location = header(in, text, gap, "Location");
    out->length = length_of(in, text, gap);
    out->mtime_ns = parse_time(header(in, text, gap, "Last-Modified"));
    out->retry_s = parse_wait(header(in, text, gap, "Retry-After"));
    out->coding = header(in, text, gap, "Content-Encoding");
    if (chunked && coding && !strcasecmp(coding, "chunked") && data < end)
        return unchunk(data, end, &out->body);
    buf_add(&out->body, data, (size_t)(end - data));
    return true;
}

/* A Location may be relative to the URL that gave it. NULL: it is no http:// or https:// URL. */
static const char *redirected(struct arena *in, const char *url, const char *location)
{
    if (http_is_url(location))
        return location;
    if (!strncmp(location, "//", 2))
        return arena_printf(in, "%.*s%s", (int)(strchr(url, ':') + 1 - url), url, location);
    size_t scheme = strcspn(location, ":/?#");
    if (scheme && location[scheme] == ':')
        return NULL;
    size_t host = strcspn(url + 8, "/?#") + 8, dir = host;
    for (size_t i = host; url[i] && url[i] != '?' && url[i] != '#'; i++)
        dir = url[i] == '/' ? i + 1 : dir;
    return arena_printf(in, "%.*s%s%s", (int)(*location == '/' ? host : dir), url,
                        *location != '/' && dir == host ? "/" : "", location);
}

static bool ask_once(struct request *request, struct http_answer *answer, const char **location,
                     const char **why)
{
    struct buf raw = {0};
    bool plain = !request->to.secure && request->auth != HTTP_DIGEST;
    bool good = (plain ? ask_socket : ask_curl)(request, &raw, why);
    buf_char(&raw, 0);
    raw.len--;
    if (good && !(good = http_parse(request->in, raw.at, raw.len, plain, answer, location))) {
        *why = not_http;
        request->vain = true;
    } else if (good && !request->head && !request->into &&
               answer->length > (int64_t)answer->body.len) {
        *why = "the answer ends too early";
        good = false;
    }
    buf_free(&raw);
    return good;
}

static bool ask_along(struct request *request, struct http_answer *answer, const char **why)
{
    const struct address first = request->to;
    for (int i = 0; i < REDIRECTS; i++) {
        const char *location = NULL;
        buf_reset(&answer->body);
        sign(request, &first);
        if (!ask_once(request, answer, &location, why))
            return false;
        if (answer->status / 100 != 3 || !location || request->manners->stay)
            return true;
        const char *next = redirected(request->in, request->to.bare, location);
        if (!next) {
            *why = arena_printf(request->in, "it redirects to '%s', which is no http:// URL",
                                location);
            request->vain = true;
            return false;
        }
        request->to = split_url(request->in, next);
    }
    *why = "too many redirects";
    request->vain = true;
    return false;
}

/* How long a server that has too much to do wants to be left alone; -1: that is not so, or it is
 * too long. */
static int64_t rest_s(const struct http_answer *answer, int tries)
{
    bool busy = answer->status == 429 || (answer->status == 503 && answer->retry_s >= 0);
    return !busy || answer->retry_s > MOST_WAIT_S ? -1
           : answer->retry_s >= 0                 ? answer->retry_s
                                                  : 1 << tries;
}

bool http_takes_curl(const char *url, const struct http_manners *manners)
{
    return url[4] == 's' || (manners && manners->auth == HTTP_DIGEST);
}

static const char *lane_of(struct arena *in, const struct address *to)
{
    return arena_printf(in, "%s:%s", to->host, to->port);
}

int64_t http_turn(const char *url, const struct http_manners *manners)
{
    struct arena in = {0};
    struct address to = split_url(&in, url);
    int64_t turn = pace_take(manners->pace, lane_of(&in, &to));
    arena_free(&in);
    return turn;
}

/* How long to wait before a file is asked for again whose transfer was broken off, or whose server
 * has an error; -1: another time would be no better, or was not. */
static int64_t mend_s(bool answered, const struct request *request,
                      const struct http_answer *answer, int tries)
{
    bool passes = answered ? answer->status / 100 == 5 && answer->retry_s < 0 : !request->vain;
    return passes && tries + 1 < MOST_TRIES ? 1 << tries : -1;
}

static bool ask(struct arena *in, const char *url, bool head, const char *into,
                const struct http_manners *manners, struct http_answer *answer, const char **why)
{
    static const struct http_manners plain = {0};
    manners = manners ? manners : &plain;
    *answer = (struct http_answer){0};
    for (int tries = 0;; tries++) {
        struct request request = {
            .in = in, .manners = manners, .to = split_url(in, url), .head = head, .into = into};
        if (manners->pace)
            pace_wait(manners->pace, lane_of(in, &request.to));
        bool answered = ask_along(&request, answer, why);
        int64_t rest = answered ? rest_s(answer, tries) : -1;
        if (into && rest < 0)
            rest = mend_s(answered, &request, answer, tries);
        if (rest < 0 || tries == PATIENCE)
            return answered;
        clock_sleep(rest * 1000000000);
    }
}

bool http_ask(struct arena *in, const char *url, bool head, const struct http_manners *manners,
              struct http_answer *answer, const char **why)
{
    return ask(in, url, head, NULL, manners, answer, why);
}

/* Whether an answer is the file. */
static bool is_file(struct arena *in, const struct http_answer *answer, const char **why)
{
    if (answer->status != 200)
        *why = arena_printf(in, "the server says %d", answer->status);
    return answer->status == 200;
}

bool http_get(struct arena *in, const char *url, const struct http_manners *manners,
              struct http_answer *answer, const char **why)
{
    return ask(in, url, false, NULL, manners, answer, why) && is_file(in, answer, why);
}

/* Runs gzip -dc on a file. It has no other name meanwhile, which who is killed would leave. */
static bool unpack(struct arena *in, const char *path, const char **why)
{
    struct buf quoted = {0}, said = {0};
    int status;
    buf_shell_word(&quoted, path);
    const char *name = buf_text(&quoted),
               *command = arena_printf(in, "exec 3< %s && rm -f %s && exec gzip -dc <&3 > %s", name,
                                       name, name);
    bool ran = tool_run("sh", command, true, &said, &status);
    const char *words = buf_text(&said) + strspn(buf_text(&said), "\n");
    *why = !ran            ? arena_str(in, strerror(errno))
           : status == 127 ? "this needs the program gzip, which is not installed"
                           : arena_printf(in, "the server sends it packed, and gzip fails: %.*s",
                                          (int)strcspn(words, "\n"), words);
    buf_free(&quoted);
    buf_free(&said);
    return ran && !status;
}

/* Undoes how the server has packed a file, which is no part of the file: some store files so, and
 * send them so to everybody. A word that is no way of packing says nothing. */
static bool decode(struct arena *in, const char *coding, const char *path, const char **why)
{
    static const char *const others[] = {"deflate", "br", "zstd", "compress"};
    if (!coding)
        return true;
    if (!strcasecmp(coding, "gzip") || !strcasecmp(coding, "x-gzip"))
        return unpack(in, path, why);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcasecmp(coding, others[i])) {
            *why = arena_printf(in, "the server sends it packed (%s), and only gzip is known here",
                                coding);
            return false;
        }
    return true;
}

bool http_save(struct arena *in, const char *url, const struct http_manners *manners,
               const char *path, struct http_answer *answer, const char **why)
{
    return ask(in, url, false, path, manners, answer, why) && is_file(in, answer, why) &&
           decode(in, answer->coding, path, why);
}

char *http_read(struct arena *in, const char *url, size_t *len, const char **why)
{
    struct http_answer answer;
    bool good = http_get(in, url, NULL, &answer, why);
    char *text = good ? arena_copy(in, buf_text(&answer.body), answer.body.len) : NULL;
    if (len)
        *len = text ? answer.body.len : 0;
    buf_free(&answer.body);
    return text;
}
