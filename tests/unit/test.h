/* test.h: unit tests speak TAP. A test is a main() of ok() lines that ends with `return
 * done();`. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* With sanitizers, where images take ten to twenty times as long: a test may then do with less that
 * takes the same lines. */
#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = true };
#else
enum { SANITIZED = false };
#endif

static int tests_run, tests_failed;

/* One check: cond must hold; the sentence says what was to be true. Returns cond. */
__attribute__((format(printf, 2, 3))) static inline bool ok(bool cond, const char *sentence, ...)
{
    va_list args;
    tests_run++;
    tests_failed += !cond;
    printf("%sok %d - ", cond ? "" : "not ", tests_run);
    va_start(args, sentence);
    vprintf(sentence, args);
    va_end(args);
    putchar('\n');
    fflush(stdout);
    return cond;
}

/* Checks that two strings are equal and shows both if not. */
static inline bool is(const char *got, const char *want, const char *sentence)
{
    bool same = got && want ? !strcmp(got, want) : got == want;
    ok(same, "%s", sentence ? sentence : "same text");
    if (!same)
        printf("#  got: %s\n# want: %s\n", got ? got : "(null)", want ? want : "(null)");
    return same;
}

/* Prints the plan; the exit status of main. */
static inline int done(void)
{
    printf("1..%d\n", tests_run);
    return tests_failed ? 1 : 0;
}
