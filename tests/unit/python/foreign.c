// SPDX-License-Identifier: MIT
/* The talk with the python3 child: programs that play it badly, and messages that are none. */
#include "test.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "python/foreign_link.h"
#include "run.h"

static char folder[] = "/tmp/unit-foreign-XXXXXX";

/* A shell script in place of python3: $3 is the socket, on which $4 bytes of program come first. */
static const char *write_player(const char *what)
{
    static char path[64];
    struct buf text = {0};
    snprintf(path, sizeof path, "%s/player", folder);
    buf_printf(
        &text,
        "#!/bin/sh\nfd=$3\nhead -c $4 <&$fd >/dev/null\nsay() { printf \"$1\" >&$fd; }\n%s\n",
        what);
    fs_write(path, text.at, text.len);
    chmod(path, 0700);
    buf_free(&text);
    return path;
}

/* What comes of importing from it. */
static const char *import_from_player(const char *what)
{
    static char shown[4096];
    struct session s;
    session_start(&s, NULL);
    s.vm->options.python = write_player(what);
    const char *result = session_result(&s, "import anything\nresult = anything\n");
    const char *program = strstr(result, folder);
    snprintf(shown, sizeof shown, "%s", program ? program + strlen(folder) + 1 : result);
    session_end(&s);
    return shown;
}

#define HEAD(length, flags) "\\00" length "\\000\\000\\000\\000\\000\\000\\00" flags
#define DIED                "player, which holds the objects of foreign modules, "

static const struct {
    const char *what, *want, *sentence;
} players[] = {
    {"exit 3", DIED "has ended (exit status 3)", "a child that ends at once"},
    {"kill -9 $$", DIED "has ended (ended by signal 9: Killed)", "a child that is killed"},
    {"sleep 0.05; say '\\007\\000'", DIED "has ended in the middle of an answer (exit status 0)",
     "half a head"},
    {"sleep 0.05; say '" HEAD("7", "1") "(\\002'",
     DIED "has ended in the middle of an answer (exit status 0)", "half a message"},
    {"say '" HEAD("1", "1") "NN'; sleep 0.3", DIED "has sent what was not asked for",
     "more than a message"},
    {"say '" HEAD("1", "1") "?'; sleep 0.3", DIED "has sent what is no message",
     "a code that there is not"},
    {"say '" HEAD("5", "1") "(\\377\\377\\377\\377'; sleep 0.3", DIED "has sent what is no message",
     "a count too big"},
    {"say '" HEAD("1", "2") "N'; sleep 0.3",
     "SystemError: an exception of a foreign module cannot be understood",
     "a failure that says nothing"},
    {"say '" HEAD("1", "1") "N'; sleep 0.3", "None", "a message"},
    {"say '\\001\\000\\000'; sleep 0.02; say '\\000\\000\\000\\000'; sleep 0.02; say '\\001'; "
     "sleep 0.02; say T; sleep "
     "0.3",
     "True", "a message in pieces"},
};

static void badly_played(void)
{
    for (size_t i = 0; i < sizeof players / sizeof *players; i++)
        is(import_from_player(players[i].what), players[i].want, players[i].sentence);
}

static void stays_dead(void)
{
    struct session s;
    session_start(&s, NULL);
    is(session_result(
           &s, "import ctypes, fractions\nx = fractions.Fraction(1, 2)\nresult = x + x == 1\n"),
       "True", "a foreign object works");
    const char *died = session_result(&s, "ctypes.string_at(0)\n");
    ok(strstr(died, "has ended (ended by signal"), "a crash is an exception: %s", died);
    ok(strstr(session_result(&s, "str(x)\n"), "RuntimeError: "),
       "an object of a dead child raises");
    ok(strstr(session_result(&s, "import decimal\n"), "RuntimeError: "), "so does an import");
    is(session_result(&s, "result = 1 + 1\n"), "2", "the rest goes on");
    session_end(&s);
}

/* What was handed over is let go of on both sides, so that neither grows. */
static void flat(void)
{
    struct session s;
    session_start(&s, NULL);
    ok(session_run(&s, "from fractions import Fraction\nimport pkgutil\nimport gc\n"
                       "heapq = pkgutil.resolve_name('heapq')\n"
                       "def go(n):\n"
                       "    for i in range(n):\n"
                       "        x = Fraction(i, 7) + 1\n"
                       "        y = heapq.nlargest(1, [i, x, {'a': i}['a']], key=lambda v: v)\n"),
       "a program that makes garbage on both sides");
    uint32_t handles = 0, lent = 0, leases = 0;
    for (int turn = 0; turn < 4; turn++) {
        ok(session_run(&s, "go(2500)\n"), "it runs");
        heap_sweep(s.vm);
        ok(session_run(&s, "gc.collect()\n"), "what was swept is told");
        struct foreign *f = s.vm->foreign;
        if (turn == 0) {
            handles = f->handles.len;
            lent = f->lent.len;
            leases = f->leases.len;
        }
        ok(f->handles.len <= handles + 200 && f->lent.len <= lent + 8 &&
               f->leases.len <= leases + 8,
           "tables stay as they are: %u handles, %u lent, %u leases", f->handles.len, f->lent.len,
           f->leases.len);
    }
    session_end(&s);
}

/* Calls back from one long call of foreign code leave garbage, which is swept meanwhile. */
static void flat_in_callbacks(void)
{
    struct session s;
    session_start(&s, NULL);
    ok(session_run(&s, "import sqlite3\n"
                       "db = sqlite3.connect(':memory:')\n"
                       "def work(n):\n"
                       "    return len([[n, str(n)] for n in range(100)]) + n\n"
                       "db.create_function('work', 1, work)\n"
                       "rows = db.execute('with recursive c(x) as (select 1 union all select x + 1 "
                       "from c where x < "
                       "20000) select sum(work(x)) from c').fetchall()\n"),
       "twenty thousand calls back, 10 kB of garbage each");
    is(session_result(&s, "result = rows\n"), "[(202010000,)]", "give the right sum");
    ok(heap_bytes(s.vm) < 32u << 20, "memory is flat: %zu bytes", heap_bytes(s.vm));
    session_end(&s);
}

static void no_python(void)
{
    struct session s;
    session_start(&s, NULL);
    s.vm->options.python = "/nonexistent/python3";
    is(session_result(
           &s, "try:\n    import numpy_of_nobody\nexcept ImportError as e:\n    result = e.args\n"),
       "(\"No module named 'numpy_of_nobody' here, and /nonexistent/python3, which might have it, "
       "cannot be started: "
       "No such file or directory\",)",
       "without python3 a missing module is an ImportError");
    session_end(&s);
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    badly_played();
    stays_dead();
    flat();
    flat_in_callbacks();
    no_python();
    fs_remove_tree(folder);
    return done();
}
