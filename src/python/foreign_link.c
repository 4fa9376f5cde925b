// SPDX-License-Identifier: MIT
/* The python3 child and the talk with it. It is started by the first import that needs it, on one
 * end of a socket; one side talks at a time, so that each waits for the other and no thread is
 * needed. While we wait for an answer the child may ask for something of ours; that is done at
 * once, and may ask the child again. */
#include "python/file.h"
#include "python/foreign_link.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/memory.h"
#include "python/environment.h"
#include "python/library.h"
#include "python/spawn.h"

enum { HEAD = 8, READ_SIZE = 1 << 16, END_MS = 3000, MAX_DEPTH = 300 };

/* Reads the program from the socket, so that it stands on no command line. It must not import what
 * lies in the working directory under the name of a module. */
static const char boot[] =
    "import os,sys\n"
    "if sys.path and not sys.path[0]: del sys.path[0]\n"
    "f=int(sys.argv[1]);n=int(sys.argv[2]);t=b''\n"
    "while len(t)<n:\n"
    " t+=os.read(f,n-len(t)) or os._exit(1)\n"
    "g={'__name__':'kintsugi_flow'};exec(compile(t,'<kintsugi-flow>','exec'),g);g['main'](f)\n";

/* ---- the end ---- */

static void say_why(struct foreign *f, const char *what, bool kill_it)
{
    struct buf text = {0};
    int status = 0;
    pid_t ended = 0;
    if (kill_it)
        kill(f->pid, SIGKILL);
    for (int ms = 0; ms < END_MS && !(ended = waitpid(f->pid, &status, WNOHANG)); ms += 10)
        usleep(10000);
    if (ended)
        f->pid = 0;
    buf_printf(&text, "%s, which holds the objects of foreign modules, %s", f->program, what);
    if (ended > 0 && WIFSIGNALED(status) && !kill_it)
        buf_printf(&text, " (ended by signal %d: %s)", WTERMSIG(status),
                   strsignal(WTERMSIG(status)));
    else if (ended > 0 && !kill_it)
        buf_printf(&text, " (exit status %d)", WEXITSTATUS(status));
    free(f->why);
    f->why = buf_take(&text);
}

/* Ends the talk for good. misled: the child is there, but what it says makes no sense. */
static void die(struct foreign *f, const char *what, bool misled)
{
    if (f->dead)
        return;
    f->dead = true;
    close(f->fd);
    f->fd = -1;
    say_why(f, what, misled);
}

static value raise_dead(struct vm *vm)
{
    return vm_raise(vm, "RuntimeError", "%s", vm->foreign->why);
}

/* ---- bytes ---- */

static bool send_all(struct foreign *f, const char *at, size_t len)
{
    while (len) {
        ssize_t n = send(f->fd, at, len, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            die(f, "has ended", false);
            return false;
        }
        at += n;
        len -= (size_t)n;
    }
    return true;
}

static bool receive_some(struct foreign *f, struct buf *in, size_t room)
{
    ssize_t n;
    do
        n = recv(f->fd, buf_room(in, room), room, 0);
    while (n < 0 && errno == EINTR);
    if (n <= 0) {
        die(f, in->len ? "has ended in the middle of an answer" : "has ended", false);
        return false;
    }
    in->len += (size_t)n;
    return true;
}

static uint64_t head_of(const struct buf *in)
{
    uint64_t head = 0;
    for (int i = 0; i < HEAD; i++)
        head |= (uint64_t)(uint8_t)in->at[i] << 8 * i;
    return head;
}

/* One whole message; flags are its highest byte. */
static bool receive(struct foreign *f, struct buf *in, uint8_t *flags)
{
    while (in->len < HEAD)
        if (!receive_some(f, in, READ_SIZE))
            return false;
    uint64_t head = head_of(in), length = (head & (((uint64_t)1 << 56) - 1)) + HEAD;
    *flags = (uint8_t)(head >> 56);
    while (in->len < length)
        if (!receive_some(f, in, length - in->len < 1 << 26 ? (size_t)(length - in->len) : 1 << 26))
            return false;
    if (in->len == length)
        return true;
    die(f, "has sent what was not asked for", true);
    return false;
}

/* ---- messages ---- */

static bool send_message(struct vm *vm, uint8_t flags, struct writer *w)
{
    struct foreign *f = vm->foreign;
    uint64_t head = w->out.len - HEAD;
    flags |= w->marked ? MARKED : 0;
    head |= (uint64_t)flags << 56;
    for (int i = 0; i < HEAD; i++)
        w->out.at[i] = (char)(head >> 8 * i);
    file_settle(vm);
    if (vm->options.write == NULL)
        fflush(stdout); /* what the child prints comes after it */
    bool sent = send_all(f, w->out.at, w->out.len);
    buf_free(&w->out);
    f->unsent.len = f->borrowed.len = 0;
    return sent;
}

static void drop_message(struct vm *vm, struct writer *w)
{
    buf_free(&w->out);
    leases_unsent(vm->foreign);
}

/* Room for the head; then what was released, borrowed and changed, if anything was. */
static bool begin_message(struct vm *vm, struct writer *w, uint8_t *flags)
{
    struct foreign *f = vm->foreign;
    *w = (struct writer){.vm = vm};
    buf_add(&w->out, "\0\0\0\0\0\0\0\0", HEAD);
    if (!f->released.len && !f->borrowed.len && !any_lease_changed(f))
        return true;
    *flags |= RELEASES;
    write_tuple(w, 4);
    write_list(w, f->released.len);
    for (uint32_t i = 0; i < f->released.len; i++)
        write_int(w, f->released.at[i]);
    f->released.len = 0;
    write_list(w, f->borrowed.len);
    for (uint32_t i = 0; i < f->borrowed.len; i++)
        write_int(w, f->borrowed.at[i]);
    return write_changes(w);
}

static void apply_note(struct vm *vm, const value *note, size_t n)
{
    value os = module_import(vm, "os"), environ = os ? module_get(vm, os, "environ") : NO_VALUE;
    if (!environ || n < 2 || !is_str(note[0]) || !is_str(note[1]))
        return;
    if (!strcmp(str_text(note[0]), "set") && n == 3)
        value_set_index(vm, environ, note[1], note[2]);
    else if (!strcmp(str_text(note[0]), "unset"))
        value_set_index(vm, environ, note[1], NO_VALUE);
    else
        vm_call_method(vm, os, "chdir", note + 1, 1);
    vm_take_error(vm);
}

/* (what we may forget, changes of the environment, changes of leases, leases that ended) */
static bool read_notes(struct vm *vm, struct reader *r)
{
    struct foreign *f = vm->foreign;
    size_t n, returned, parts;
    value forget = read_head(r, '(') == 4 ? read_value(r) : NO_VALUE,
          notes = forget ? read_value(r) : NO_VALUE;
    const value *numbers = notes ? sequence_items(forget, &returned) : NULL;
    const value *note = notes ? sequence_items(notes, &n) : NULL;
    for (size_t i = 0; note && i < n; i++) {
        const value *at = sequence_items(note[i], &parts);
        if (at)
            apply_note(vm, at, parts);
    }
    if (note && n)
        f->seen = environment_version();
    if (!numbers || !note || !read_changes(r) || !read_ended(r))
        return false;
    for (size_t i = 0; i < returned;
         i++) /* changes may put what is forgotten over there into a list here */
        if (is_small(numbers[i]))
            take_back(f, (uint32_t)small_int(numbers[i]));
    return true;
}

/* The value of a message; NO_VALUE: raised. */
static value parse(struct vm *vm, const struct buf *in, uint8_t flags)
{
    struct reader r = {.vm = vm, .at = in->at + HEAD, .end = in->at + in->len};
    bool notes = flags & NOTES;
    value v = !notes || read_head(&r, '(') == 2 ? read_value(&r) : NO_VALUE;
    if (v && notes && !read_notes(vm, &r))
        v = NO_VALUE;
    if (v && r.at == r.end)
        return v;
    if (vm->error)
        return NO_VALUE;
    die(vm->foreign, "has sent what is no message", true);
    return raise_dead(vm);
}

/* ---- the talk ---- */

/* Sends what came of a request of the child. */
static bool reply(struct vm *vm, value result)
{
    struct writer w;
    uint8_t flags = 0;
    if (result && begin_message(vm, &w, &flags) && write_value(&w, result))
        return send_message(vm, flags | ANSWER, &w);
    if (result)
        drop_message(vm, &w);
    value error = vm_take_error(vm);
    flags = 0;
    if (begin_message(vm, &w, &flags) && write_exception(&w, error))
        return send_message(vm, flags | FAILED, &w);
    drop_message(vm, &w);
    die(vm->foreign, "cannot be told of an exception", true);
    return false;
}

/* Until the answer comes: does what the child asks meanwhile. */
static value converse(struct vm *vm, bool sweepable)
{
    for (;;) {
        struct buf in = {0};
        uint8_t flags;
        if (!receive(vm->foreign, &in, &flags)) {
            buf_free(&in);
            return raise_dead(vm);
        }
        value v = parse(vm, &in, flags);
        buf_free(&in);
        if ((flags & KIND) == ANSWER || (!v && vm->foreign->dead))
            return v;
        if ((flags & KIND) == FAILED)
            return v ? raise_described(vm, v) : NO_VALUE;
        value result = v ? native_do(vm, v, sweepable) : NO_VALUE;
        if (!reply(vm, result))
            return raise_dead(vm);
    }
}

/* An iterator whose items were fetched ahead must give them again over there. */
static bool unread(struct vm *vm, value v)
{
    size_t n;
    if (!is_foreign(v) || !as_handle(v)->ahead)
        return true;
    struct handle *handle = as_handle(v);
    const value *items = sequence_items(handle->ahead, &n);
    if (handle->pos == n)
        return true;
    value rest = tuple_new(vm, items + handle->pos, n - handle->pos);
    handle->ahead = NO_VALUE;
    handle->done = false;
    return foreign_ask(vm, FOREIGN_PUSH_BACK, v, &rest, 1);
}

static bool tell_environment(struct vm *vm)
{
    struct foreign *f = vm->foreign;
    struct arena scratch = {0};
    f->seen = environment_version();
    const char *cwd = fs_find_cwd(&scratch);
    value args[] = {environment_dict(vm), str_from(vm, cwd ? cwd : "/")};
    arena_free(&scratch);
    return foreign_ask(vm, FOREIGN_ENVIRONMENT, NO_VALUE, args, 2);
}

static bool is_ready(struct vm *vm, enum foreign_op op, value target, const value *args, int n)
{
    if (vm_too_deep(vm))
        return false;
    if (vm->foreign->depth >= MAX_DEPTH)
        return vm_raise(vm, "RecursionError",
                        "maximum recursion depth exceeded in calls to python3 and back");
    if (vm->foreign->dead) {
        raise_dead(vm);
        return false;
    }
    if (vm->foreign->seen != environment_version() && !tell_environment(vm))
        return false;
    if (op == FOREIGN_MORE || op == FOREIGN_PUSH_BACK)
        return true;
    for (int i = 0; i < n; i++)
        if (!unread(vm, args[i]))
            return false;
    return !target || unread(vm, target);
}

value foreign_ask(struct vm *vm, enum foreign_op op, value target, const value *args, int n)
{
    struct writer w;
    uint8_t flags = ASK;
    bool sweepable = vm->foreign->sweepable;
    vm->foreign->sweepable = false;
    if (!is_ready(vm, op, target, args, n))
        return NO_VALUE;
    bool fine = begin_message(vm, &w, &flags);
    write_tuple(&w, 2 + (uint32_t)n);
    write_int(&w, op);
    write_int(&w, target ? as_handle(target)->id : 0);
    bool keywords = op == FOREIGN_CALL || op == FOREIGN_METHOD;
    for (int i = 0; fine && i < n; i++)
        fine = keywords && i == n - 1 ? write_keywords(&w, args[i]) : write_value(&w, args[i]);
    if (!fine) {
        drop_message(vm, &w);
        return NO_VALUE;
    }
    if (!send_message(vm, flags, &w))
        return raise_dead(vm);
    vm->foreign->depth++;
    value v = converse(vm, sweepable);
    vm->foreign->depth--;
    return v;
}

bool foreign_ask_bool(struct vm *vm, enum foreign_op op, value target, const value *args, int n,
                      bool *out)
{
    value yes = foreign_ask(vm, op, target, args, n);
    *out = yes == VALUE_TRUE;
    return yes;
}

/* ---- starting ---- */

/* Its sys.argv is made from the words of ours, which stand behind the five that start it. */
static pid_t start_child(struct vm *vm, int keep, const char *const head[5], bool *at_cwd)
{
    const char *const none = NULL, *const *words = vm->options.argv ? vm->options.argv : &none;
    VEC(const char *) argv = {0};
    for (int i = 0; i < 5; i++)
        vec_push(&argv, head[i]);
    do
        vec_push(&argv, *words);
    while (*words++);
    fflush(stdout);
    struct spawn child = {.argv = argv.at, .fd = {-1, -1, -1}, .keep = keep, .with_us = true};
    pid_t pid = spawn_start(&child, at_cwd);
    vec_free(&argv);
    return pid;
}

static bool start(struct vm *vm, const char *wanted)
{
    struct foreign *f = memory_zeroed(1, sizeof *f);
    int ends[2];
    bool at_cwd;
    f->program = memory_text(vm->options.python ? vm->options.python : "python3");
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) {
        free(f->program);
        free(f);
        return vm_raise_errno(vm, errno, NULL);
    }
    char number[16], length[24];
    /* it reads them as one */
    const char *text[] = {library_find("_foreign"), library_find("_foreign_asked")};
    snprintf(number, sizeof number, "%d", ends[1]);
    snprintf(length, sizeof length, "%zu", strlen(text[0]) + strlen(text[1]));
    f->pid = start_child(vm, ends[1], (const char *[]){f->program, "-c", boot, number, length},
                         &at_cwd);
    close(ends[1]);
    if (f->pid < 0) {
        vm_raise(vm, "ModuleNotFoundError",
                 "No module named '%s' here, and %s, which might have it, cannot be started: %s",
                 wanted, f->program, strerror(-f->pid));
        close(ends[0]);
        free(f->program);
        free(f);
        return false;
    }
    f->fd = ends[0];
    f->errors = dict_new(vm);
    f->seen = environment_version();
    vec_push(&f->lent, ((struct lent){0}));
    vec_push(&f->leases, ((struct lease){0}));
    vm->foreign = f;
    for (int i = 0; i < 2 && send_all(f, text[i], strlen(text[i])); i++)
        ; /* a child that has ended already is told of with the first question */
    return true;
}

value foreign_module(struct vm *vm, const char *name, const char *text)
{
    if (!vm->foreign && !start(vm, name))
        return NO_VALUE;
    value args[] = {str_from(vm, name), tuple_from(vm, module_search_path(vm)),
                    text ? str_from(vm, text) : VALUE_NONE};
    return foreign_ask(vm, FOREIGN_LOAD, NO_VALUE, args, 3);
}

value foreign_import(struct vm *vm, const char *name)
{
    return foreign_module(vm, name, NULL);
}

/* ---- roots and the end of a vm ---- */

void foreign_roots(struct vm *vm)
{
    struct foreign *f = vm->foreign;
    heap_mark(vm, f ? f->errors : NO_VALUE);
    for (uint32_t i = 0; f && i < f->lent.len; i++)
        heap_mark(vm, f->lent.at[i].v);
    for (uint32_t i = 0; f && i < f->leases.len; i++) {
        heap_mark(vm, f->leases.at[i].container);
        for (uint32_t k = 0; k < f->leases.at[i].nwas; k++)
            heap_mark(vm, f->leases.at[i].was[k]);
    }
    for (uint32_t i = 0; f && i < f->classes.len; i++)
        if (f->classes.at[i]) {
            heap_mark(vm, f->classes.at[i]->module);
            heap_mark(vm, f->classes.at[i]->row);
        }
}

/* The child leaves when the socket closes; one that does not is ended. */
static void end_child(struct foreign *f)
{
    int status;
    if (f->fd >= 0)
        close(f->fd);
    for (int ms = 0; f->pid > 0 && ms < END_MS; ms++) {
        if (waitpid(f->pid, &status, WNOHANG))
            return;
        usleep(1000);
    }
    if (f->pid > 0) {
        kill(f->pid, SIGKILL);
        waitpid(f->pid, &status, 0);
    }
}

bool foreign_runs(const struct vm *vm)
{
    return vm->foreign && vm->foreign->fd >= 0;
}

void foreign_end(struct vm *vm)
{
    struct foreign *f = vm->foreign;
    if (!f)
        return;
    fflush(stdout);
    end_child(f);
    for (uint32_t i = 0; i < f->classes.len; i++)
        if (f->classes.at[i]) {
            free(f->classes.at[i]->name);
            free(f->classes.at[i]);
        }
    for (uint32_t i = 0; i < f->leases.len; i++)
        free(f->leases.at[i].was);
    vec_free(&f->classes);
    vec_free(&f->handles);
    vec_free(&f->released);
    vec_free(&f->lent);
    vec_free(&f->vacant);
    vec_free(&f->leases);
    vec_free(&f->vacant_leases);
    vec_free(&f->unsent);
    vec_free(&f->borrowed);
    map_free(&f->numbers);
    map_free(&f->lease_numbers);
    free(f->why);
    free(f->program);
    free(f);
    vm->foreign = NULL;
}
