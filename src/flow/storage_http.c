// SPDX-License-Identifier: MIT
/* storage_http.c: files behind URLs, which are only read. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/http.h"
#include "base/pace.h"
#include "base/path.h"
#include "base/tool.h"
#include "flow/http_settings.h"
#include "flow/state.h"
#include "flow/storage_kind.h"

static bool open_mount(struct workflow *w, struct storage_mount *mount,
                       const struct storage_opening *opening)
{
    size_t pos = 0;
    mount->http = mount->http ? mount->http : arena_new(&w->arena, struct http_settings);
    if (!storage_settings_known(w, mount, opening, http_settings_know) ||
        !http_settings_start(w, opening->tag, mount->http))
        return false;
    /* The place is the statement's: the line of the setting may show a password. */
    for (value key, item; opening->settings && dict_next(opening->settings, &pos, &key, &item);)
        if (http_settings_know(str_text(key)) &&
            !http_settings_set(w, mount->http, str_text(key), item, opening->span))
            return false;
    return true;
}

static void close_mount(struct storage_mount *mount)
{
    http_settings_end(mount->http);
    mount->http = NULL;
}

/* ---- local copies ---- */

/* A copy is named like the path of its URL, as programs go by that name and its ending. What stands
 * behind the "?" comes before the host, written so that shells and file systems take it:
 *
 *     http://host/dir/f.gz?download=1&x=a/b     http+/download=1%26x=a%2Fb/+/host/dir/f.gz
 *
 * "+/" divides what is too long for one name. */
enum { LONGEST_NAME = 200 };
static const char query_end[] = "/+/";

/* Behind a wildcard, with its constraint; elsewhere the text itself. */
static const char *skip_wildcard(const char *at)
{
    int depth = 0;
    if (*at != '{')
        return at;
    do
        depth += (*at == '{') - (*at == '}');
    while (*++at && depth);
    return at;
}

/* The first of the characters that is in no wildcard, or the end. */
static const char *find_outside(const char *at, const char *characters)
{
    while (*at && !strchr(characters, *at))
        at = *at == '{' ? skip_wildcard(at) : at + 1;
    return at;
}

static void add_url_query(struct buf *out, const char *at, const char *end)
{
    for (size_t name = out->len; at < end;) {
        const char *wildcard_end = skip_wildcard(at);
        if (out->len - name >= LONGEST_NAME) {
            buf_str(out, "+/");
            name = out->len;
        }
        if (wildcard_end > at) {
            buf_add(out, at, (size_t)(wildcard_end - at));
            at = wildcard_end;
        } else {
            bool plain = isalnum((unsigned char)*at) || strchr("-._=,:", *at);
            buf_printf(out, plain ? "%c" : "%%%02X", (unsigned char)*at++);
        }
    }
}

/* The text up to end as it was before. */
static void read_url_query(struct buf *out, const char *at, const char *end)
{
    while (at < end)
        if (*at == '+' && at + 1 < end && at[1] == '/') {
            at += 2;
        } else if (*at == '%' && isxdigit((unsigned char)at[1]) && isxdigit((unsigned char)at[2])) {
            buf_char(out, (char)strtol((const char[]){at[1], at[2], 0}, NULL, 16));
            at += 3;
        } else {
            buf_char(out, *at++);
        }
}

static const char *copy_of(struct arena *in, const char *dir, const char *url)
{
    const char *rest = strstr(url, "://"), *path_end = find_outside(rest, "?#");
    const char *end = find_outside(path_end, "#"); /* what follows is not sent */
    bool asks = end > path_end + 1;
    struct buf out = {0};
    buf_printf(&out, "%s%.*s%s", dir, (int)(rest - url), url, asks ? "+/" : "/");
    if (asks) {
        add_url_query(&out, path_end + 1, end);
        buf_str(&out, query_end);
    }
    buf_add(&out, rest + 3, (size_t)(path_end - rest - 3));
    const char *text = arena_str(in, buf_text(&out));
    buf_free(&out);
    return text;
}

static const char *url_of(struct arena *in, const char *copy)
{
    size_t n = strcspn(copy, "/");
    const char *end = n && copy[n - 1] == '+' ? strstr(copy + n + 1, query_end) : NULL;
    if (!end)
        return arena_printf(in, "%.*s:/%s", (int)n, copy, copy + n);
    struct buf out = {0};
    buf_printf(&out, "%.*s://%s?", (int)n - 1, copy, end + strlen(query_end));
    read_url_query(&out, copy + n + 1, end);
    const char *text = arena_str(in, buf_text(&out));
    buf_free(&out);
    return text;
}

static const char *path_of(struct workflow *w, struct storage_mount *mount, const char *query,
                           bool copied)
{
    if (!http_is_url(query)) {
        flow_raise(w, "WorkflowError",
                   "Error applying storage provider %s: '%s' is not a http:// or https:// URL",
                   mount->name, query);
        return NULL;
    }
    if (!copied)
        return query;
    const char *copy = copy_of(&w->arena, mount->dir, query);
    if (path_leads_out(path_normal(&w->arena, copy + strlen(mount->dir)))) {
        flow_raise(w, "WorkflowError",
                   "'%s' leads above its server: there is no place for a local copy",
                   http_shown(&w->arena, query));
        return NULL;
    }
    return copy;
}

static bool find(const struct storage_mount *mount, struct arena *in, const char *path,
                 struct storage_place *out)
{
    out->query = url_of(in, path + strlen(mount->dir));
    out->shown = http_shown(in, out->query);
    return true;
}

/* ---- files ---- */

static const struct http_manners *manners_of(const struct storage_place *place)
{
    return place->mount ? &place->mount->http->manners : NULL;
}

/* What servers say, as errors that no file system gives. */
enum { NO_ANSWER = -1, NO_CURL = -2 };
static const struct said {
    int first, last; /* status */
    int error;
    const char *words, *hint;
} said[] = {
    {NO_CURL, NO_CURL, ENOPKG, "this needs the program curl, which is not installed",
     "install curl"},
    {NO_ANSWER, NO_ANSWER, EHOSTUNREACH, "its server cannot be reached",
     "the run continues with the same command when the network and the server work again"},
    {300, 399, EREMCHG, "it has moved, and redirects are not allowed",
     "name its new place, or allow redirects: --storage-http-allow-redirects true, "
     "allow_redirects=True"},
    {401, 401, ENOKEY, "the server asks for a user and password",
     "set --storage-http-auth HTTPBasicAuth=USER,PASSWORD, or SNAKEMAKE_STORAGE_HTTP_AUTH in the "
     "environment; if one is set, the user or password is wrong"},
    {429, 429, EUSERS, "the server says that it is asked too often (429)",
     "ask less often: --storage-http-max-requests-per-second 5, or max_requests_per_second=5 of "
     "the storage provider"},
    {500, 599, EREMOTEIO, "the server has an error",
     "the run continues with the same command when the server works again"},
};

static int error_of(int status)
{
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (status >= said[i].first && status <= said[i].last)
            return said[i].error;
    return 0;
}

static const char *error_words(const struct storage_place *place, int error, const char **hint)
{
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (said[i].error == error) {
            *hint = said[i].hint;
            return said[i].words;
        }
    return NULL;
}

static void stat_place(const struct storage_place *place, struct fs_info *out)
{
    const struct http_manners *manners = manners_of(place);
    struct arena in = {0};
    struct http_answer answer;
    const char *why;
    int status = http_ask(&in, place->query, true, manners, &answer, &why) ? answer.status
                                                                           : NO_ANSWER;
    if (status == NO_ANSWER && http_takes_curl(place->query, manners) && !tool_on_path("curl"))
        status = NO_CURL;
    *out = (struct fs_info){.mtime = -1, .error = error_of(status)};
    if (status == 200)
        *out = (struct fs_info){.mtime = answer.mtime_ns,
                                .size = answer.length > 0 ? answer.length : 0,
                                .mode = S_IFREG | 0444};
    buf_free(&answer.body);
    arena_free(&in);
}

static bool fetch_one(struct arena *in, const struct storage_copy *copy, const char **why)
{
    const char *url = copy->place.query;
    struct http_answer answer;
    bool good = http_save(in, url, manners_of(&copy->place), copy->part, &answer, why);
    if (!good)
        *why = arena_printf(in, "cannot fetch %s: %s", http_shown(in, url), *why);
    else if (answer.mtime_ns && !fs_touch(copy->part, answer.mtime_ns, false))
        good = storage_failed(in, why, "write", copy->part);
    buf_free(&answer.body);
    return good;
}

static bool fetch(struct arena *in, const struct storage_copy *copies, size_t n, const char **why)
{
    return storage_each(in, copies, n, fetch_one, why);
}

/* ---- porters ---- */

enum { AUTH, USER, PASSWORD, NO_HEAD, STAY, TURNS, TURNS_END = TURNS + 2, NFACTS = TURNS_END };

/* One file takes two turns: it is looked at, and read. */
static void tell(const struct storage_place *place, struct arena *in, struct storage_facts *out)
{
    const struct http_manners none = {0}, *manners = manners_of(place);
    manners = manners ? manners : &none;
    out->fact[AUTH] = arena_printf(in, "%d", (int)manners->auth);
    out->fact[USER] = manners->user ? manners->user : "";
    out->fact[PASSWORD] = manners->password ? manners->password : "";
    out->fact[NO_HEAD] = manners->no_head ? "no" : "";
    out->fact[STAY] = manners->stay ? "stay" : "";
    for (int i = TURNS; i < TURNS_END; i++)
        out->fact[i] = arena_printf(
            in, "%lld", manners->pace ? (long long)http_turn(place->query, manners) : 0LL);
    out->n = NFACTS;
}

static void hear(struct storage_mount *mount, struct arena *in, const struct storage_facts *facts)
{
    int64_t turns[] = {strtoll(facts->fact[TURNS], NULL, 10),
                       strtoll(facts->fact[TURNS + 1], NULL, 10)};
    mount->http = arena_new(in, struct http_settings);
    mount->http->manners = (struct http_manners){
        .auth = (enum http_auth)atoi(facts->fact[AUTH]),
        .user = facts->fact[USER],
        .password = facts->fact[PASSWORD],
        .no_head = *facts->fact[NO_HEAD],
        .stay = *facts->fact[STAY],
        .pace = pace_given(in, turns, 2),
    };
}

const struct storage_kind storage_http = {
    .name = "http",
    .open = open_mount,
    .close = close_mount,
    .path = path_of,
    .find = find,
    .error = error_words,
    .stat = stat_place,
    .fetch = fetch,
    .tell = tell,
    .hear = hear,
};
