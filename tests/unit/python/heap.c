// SPDX-License-Identifier: MIT
#include "test.h"

#include "python/vm_state.h"
#include "run.h"

/* Callbacks of every kind of work: calls, closures, lists, dicts, f-strings, comprehensions,
 * generators, exceptions. */
static const char program[] =
    "def make(n):\n"
    "    def inner(k):\n"
    "        return {'n': n, 'k': [n, k]}\n"
    "    return inner\n"
    "class Thing:\n"
    "    def __init__(self, n):\n"
    "        self.n = n\n"
    "def callback(i):\n"
    "    d = make(i)(i + 1)\n"
    "    text = f'{d[\"n\"]}-{i}.txt'\n"
    "    parts = [text for _ in (1, 2)] + [t for t in (x for x in (text, text))]\n"
    "    try:\n"
    "        d['missing']\n"
    "    except KeyError as e:\n"
    "        parts.append(Thing(e).n.args[0])\n"
    "    return parts\n";

static void flat_over_callbacks(void)
{
    struct session s;
    session_start(&s, NULL);
    ok(session_run(&s, program), "the program runs");
    value callback = dict_get_str(s.vm, s.globals.v, "callback");
    size_t early = 0, most = 0;
    bool fine = true;
    for (int i = 0; i < 1000000 && fine; i++) {
        fine = vm_call1(s.vm, callback, small(i));
        heap_collect(s.vm);
        size_t held = heap_bytes(s.vm);
        if (i < 100000)
            early = held > early ? held : early;
        most = held > most ? held : most;
    }
    ok(fine, "a million callbacks are evaluated");
    ok(most <= early + (1 << 20), "memory stays flat: %zu bytes at most, %zu in the first tenth",
       most, early);
    ok(most < 64u << 20, "and small");
    session_end(&s);
}

static void flat_in_a_loop(void)
{
    struct session s;
    session_start(&s, NULL);
    ok(session_run(&s, "for i in range(1000000):\n    x = [i, {'a': i}, (i, str(i))]\n"),
       "a loop that leaves garbage runs");
    ok(heap_bytes(s.vm) < 64u << 20, "what it leaves behind is swept while it runs: %zu bytes",
       heap_bytes(s.vm));
    session_end(&s);
}

/* With a sweep at every turn of every loop, nothing that is still needed may vanish. */
static void sweeping_always(void)
{
    static const char hard[] = "class Node:\n"
                               "    def __init__(self, v, next):\n"
                               "        self.v = v\n"
                               "        self.next = next\n"
                               "def build(n):\n"
                               "    head = None\n"
                               "    for i in range(n):\n"
                               "        head = Node([i, f'n{i}'], head)\n"
                               "    return head\n"
                               "def numbers(n):\n"
                               "    for i in range(n):\n"
                               "        yield {'i': i}\n"
                               "def total():\n"
                               "    t = 0\n"
                               "    for d in numbers(20):\n"
                               "        for k in d:\n"
                               "            t += d[k]\n"
                               "    node = build(20)\n"
                               "    while node:\n"
                               "        t += len(node.v[1])\n"
                               "        node = node.next\n"
                               "    f = [lambda j=j: (j, str(j)) for j in range(10)]\n"
                               "    for g in f:\n"
                               "        try:\n"
                               "            raise ValueError(g())\n"
                               "        except ValueError as e:\n"
                               "            for _ in range(2):\n"
                               "                t += e.args[0][0]\n"
                               "    return t\n"
                               "for turn in range(3):\n"
                               "    result = total()\n";
    struct session s;
    session_start(&s, NULL);
    s.vm->heap.least_budget = s.vm->heap.budget = -1;
    is(session_result(&s, hard), "330", "results are right with a sweep at every turn of a loop");
    session_end(&s);
}

int main(void)
{
    sweeping_always();
    flat_in_a_loop();
    flat_over_callbacks();
    return done();
}
