// SPDX-License-Identifier: MIT
#include "base/http.h"

#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fs.h"
#include "test.h"

static struct arena arena;

static bool parse(const char *text, struct http_answer *out, const char **location)
{
    *out = (struct http_answer){0};
    return http_parse(&arena, text, strlen(text), true, out, location);
}

static void test_answers(void)
{
    struct http_answer answer;
    const char *location;
    ok(parse("HTTP/1.1 200 OK\r\ncontent-length: 5\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 "
             "GMT\r\n\r\nhello",
             &answer, &location),
       "an answer with a body");
    ok(answer.status == 200 && answer.length == 5 && !location, "status and length");
    ok(answer.mtime_ns == 784111777 * (int64_t)1000000000, "the time in seconds since 1970");
    is(buf_text(&answer.body), "hello", "the body");
    buf_free(&answer.body);
    ok(parse("HTTP/1.0 302 Found\r\nLocation: /there?x=1\r\n\r\n", &answer, &location) &&
           answer.status == 302,
       "a redirect");
    is(location, "/there?x=1", "where to");
    ok(answer.length == -1 && !answer.mtime_ns, "what is not said");
    buf_free(&answer.body);
    ok(answer.retry_s == -1, "nor when to ask again");
    ok(parse("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 7\r\n\r\n", &answer, &location) &&
           answer.retry_s == 7,
       "seconds to wait");
    buf_free(&answer.body);
    ok(parse("HTTP/1.1 503 Busy\r\nRetry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n", &answer,
             &location) &&
           !answer.retry_s,
       "a time that is over");
    buf_free(&answer.body);
    ok(parse("HTTP/1.1 503 Busy\r\nRetry-After: soon\r\n\r\n", &answer, &location) &&
           answer.retry_s == -1,
       "no time");
    buf_free(&answer.body);
    ok(!parse("SMTP ready\r\n\r\n", &answer, &location), "another protocol");
    ok(!parse("HTTP/1.1 200 OK\r\nContent", &answer, &location),
       "an answer that ends in its headers");
}

static void test_shown(void)
{
    static const char *const cases[][2] = {
        {"https://ann:se:sa@me@host/a?b@c", "https://***@host/a?b@c"},
        {"http://token@host:80", "http://***@host:80"},
        {"http://host/a@b", "http://host/a@b"},
        {"http://host?a:b@c", "http://host?a:b@c"},
        {"a://b:c@d", "a://b:c@d"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        is(http_shown(&arena, cases[i][0]), cases[i][1], "as it may be told");
}

static void test_chunks(void)
{
    struct http_answer answer;
    const char *location, *head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    ok(parse(arena_printf(&arena, "%s5\r\nhello\r\n6;x=y\r\n world\r\n0\r\n\r\n", head), &answer,
             &location),
       "chunks");
    is(buf_text(&answer.body), "hello world", "are put together");
    buf_free(&answer.body);
    static const char *const bad[] = {"ffffffffffffffff\r\nx", "-5\r\nx", "5\r\nhel", "5", "x\r\n",
                                      "5\r\nhello\r\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ok(!parse(arena_printf(&arena, "%s%s", head, bad[i]), &answer, &location),
           "refused: chunks that are cut or wrong, %zu", i);
        buf_free(&answer.body);
    }
}

static void test_urls(void)
{
    ok(http_is_url("http://h") && http_is_url("https://h/x"), "URLs");
    ok(!http_is_url("ftp://h") && !http_is_url("http:/x") && !http_is_url("x"), "others");
}

/* ---- a process that is stopped and continued while it asks ---- */

static int listen_here(struct sockaddr_in *at)
{
    socklen_t len = sizeof *at;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    *at = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    bool good = !bind(fd, (struct sockaddr *)at, sizeof *at) && !listen(fd, 0) &&
                !getsockname(fd, (struct sockaddr *)at, &len);
    return good ? fd : -1;
}

/* Fills the queue of those that wait to be accepted, so that the next one waits to connect. */
static int fill_queue(const struct sockaddr_in *at)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    return connect(fd, (const struct sockaddr *)at, sizeof *at) ? -1 : fd;
}

static char state_of(pid_t pid)
{
    const char *stat = fs_read(&arena, arena_printf(&arena, "/proc/%d/stat", (int)pid), NULL);
    return stat ? strrchr(stat, ')')[2] : 'X';
}

/* Once it waits for something. */
static void stop_and_continue(pid_t pid)
{
    while (state_of(pid) != 'S' && state_of(pid) != 'Z')
        poll(NULL, 0, 1);
    kill(pid, SIGSTOP);
    waitpid(pid, NULL, WUNTRACED);
    kill(pid, SIGCONT);
}

static pid_t ask_beside(const struct sockaddr_in *at)
{
    pid_t pid = fork();
    if (pid)
        return pid;
    const char *why = "";
    size_t len;
    const char *url = arena_printf(&arena, "http://127.0.0.1:%d/x", ntohs(at->sin_port));
    const char *text = http_read(&arena, url, &len, &why);
    if (!text || strcmp(text, "0123456789"))
        printf("# %s\n", text ? text : why);
    fflush(stdout);
    _exit(!text || strcmp(text, "0123456789"));
}

static char question[4096]; /* the last one */

static void take_question(int fd)
{
    size_t len = 0;
    for (ssize_t n; (n = read(fd, question + len, sizeof question - 1 - len)) > 0;) {
        question[len += (size_t)n] = 0;
        if (strstr(question, "\r\n\r\n"))
            return;
    }
}

static void test_stops(void)
{
    static const char *const parts[] = {"HTTP/1.1 200 O", "K\r\nContent-Length: 10\r\n\r\n012",
                                        "3456789"};
    struct sockaddr_in at;
    int server = listen_here(&at), first = fill_queue(&at), status = 1;
    if (!ok(server >= 0 && first >= 0, "a server"))
        return;
    pid_t pid = ask_beside(&at);
    stop_and_continue(pid); /* it connects */
    close(accept(server, NULL, NULL));
    close(first);
    int fd = accept(server, NULL, NULL);
    take_question(fd);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        stop_and_continue(pid); /* it waits for what comes next */
        ok(write(fd, parts[i], strlen(parts[i])) > 0, "part %zu is sent", i);
    }
    close(fd);
    waitpid(pid, &status, 0);
    ok(!status, "a process that is stopped and continued while it asks gets the whole answer");
    close(server);
}

/* ---- redirects ------------------------------------------------------------------------------- */

/* What a process says that asks for a URL and is sent elsewhere: the text that it gets, or why not.
 * The server's answer to the second question is the path that it is asked for. */
static const char *follow(const char *location)
{
    struct sockaddr_in at;
    int server = listen_here(&at), ends[2];
    if (server < 0 || pipe(ends))
        return "no server";
    int port = ntohs(at.sin_port);
    if (!fork()) {
        const char *why = "", *url = arena_printf(&arena, "http://127.0.0.1:%d/a/b", port);
        char *text = http_read(&arena, url, NULL, &why);
        const char *said = text ? text : why;
        _exit(write(ends[1], said, strlen(said)) < 0);
    }
    close(ends[1]);
    int fd = accept(server, NULL, NULL);
    take_question(fd);
    const char *place = arena_printf(&arena, location, port);
    dprintf(fd, "HTTP/1.1 302 Found\r\nLocation: %s\r\n\r\n", place);
    close(fd);
    struct pollfd wait[] = {{.fd = server, .events = POLLIN}, {.fd = ends[0], .events = POLLIN}};
    if (poll(wait, 2, -1) > 0 && wait[0].revents) {
        char path[64] = "";
        fd = accept(server, NULL, NULL);
        take_question(fd);
        sscanf(question, "GET %63s", path);
        dprintf(fd, "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n%s", strlen(path), path);
        close(fd);
    }
    char said[200] = "";
    (void)!read(ends[0], said, sizeof said - 1);
    close(ends[0]);
    close(server);
    while (waitpid(-1, NULL, 0) > 0)
        continue;
    return arena_str(&arena, said);
}

static void test_redirects(void)
{
    is(follow("http://127.0.0.1:%d/c"), "/c", "a whole URL");
    is(follow("//127.0.0.1:%d/c"), "/c", "one without its scheme");
    is(follow("/c"), "/c", "a path");
    is(follow("c?d=e:f"), "/a/c?d=e:f", "a name beside it");
    is(follow("file:///etc/passwd"),
       "it redirects to 'file:///etc/passwd', which is no http:// URL", "something else");
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    test_answers();
    test_shown();
    test_chunks();
    test_urls();
    test_stops();
    test_redirects();
    arena_free(&arena);
    return done();
}
