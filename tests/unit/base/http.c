// SPDX-License-Identifier: MIT
#include "base/http.h"
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

int main(void)
{
    test_answers();
    test_chunks();
    test_urls();
    arena_free(&arena);
    return done();
}
