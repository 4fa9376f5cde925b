// SPDX-License-Identifier: MIT
#include "flow/http_settings.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/pace.h"
#include "flow/state.h"
#include "python/foreign.h"
#include "python/numbers.h"
#include "python/vm.h"

/* What is wrong with a value, or NULL; secrets are not repeated. */
typedef const char *set_fn(struct workflow *w, struct http_settings *settings, value v);

static const char auth_form[] = "HTTPBasicAuth=USER,PASSWORD or HTTPDigestAuth=USER,PASSWORD";

static bool auth_kind(const char *name, enum http_auth *out)
{
    *out = !strcmp(name, "HTTPBasicAuth")    ? HTTP_BASIC
           : !strcmp(name, "HTTPDigestAuth") ? HTTP_DIGEST
                                             : HTTP_OPEN;
    return *out;
}

static bool set_user(struct workflow *w, struct http_settings *settings, enum http_auth auth,
                     const char *user, const char *password)
{
    settings->manners.auth = auth;
    settings->manners.user = arena_str(&w->arena, user);
    settings->manners.password = arena_str(&w->arena, password);
    return true;
}

static bool auth_from_text(struct workflow *w, struct http_settings *settings, const char *text)
{
    const char *equal = strchr(text, '='), *comma = equal ? strchr(equal, ',') : NULL;
    enum http_auth auth;
    return comma && auth_kind(arena_copy(&w->arena, text, (size_t)(equal - text)), &auth) &&
           set_user(w, settings, auth,
                    arena_copy(&w->arena, equal + 1, (size_t)(comma - equal) - 1), comma + 1);
}

/* An object of one of the classes of requests.auth. */
static bool auth_from_object(struct workflow *w, struct http_settings *settings, value v)
{
    static const char *const names[] = {"username", "password", "__name__"};
    value at[3] = {v, v, foreign_type(w->vm, v)};
    enum http_auth auth;
    for (int i = 0; i < 3; i++) {
        at[i] = at[i] ? value_attr_find(w->vm, at[i], intern_str(w->names, names[i])) : NO_VALUE;
        if (!at[i] || !is_str(at[i]))
            return false;
    }
    return auth_kind(str_text(at[2]), &auth) &&
           set_user(w, settings, auth, str_text(at[0]), str_text(at[1]));
}

static const char *set_auth(struct workflow *w, struct http_settings *settings, value v)
{
    size_t n = 0;
    const value *pair = is_tuple(v) ? sequence_items(v, &n) : NULL;
    settings->manners.auth = HTTP_OPEN;
    if (v == VALUE_NONE ||
        (n == 2 && is_str(pair[0]) && is_str(pair[1]) &&
         set_user(w, settings, HTTP_BASIC, str_text(pair[0]), str_text(pair[1]))) ||
        (is_str(v) && auth_from_text(w, settings, str_text(v))) ||
        (is_foreign(v) && auth_from_object(w, settings, v)))
        return NULL;
    return auth_form;
}

static const char *set_rate(struct workflow *w, struct http_settings *settings, value v)
{
    char *end;
    bool good = v == VALUE_NONE;
    settings->per_second = 0;
    if (is_str(v))
        good = *str_text(v) && (settings->per_second = strtod(str_text(v), &end), !*end);
    else if (!good)
        good = (is_int(v) || is_float(v)) && number_double(w->vm, v, &settings->per_second);
    return good && settings->per_second >= 0 && settings->per_second < 1e12 ? NULL : "a number";
}

static const char *set_flag(struct workflow *w, value v, bool otherwise, bool *out)
{
    static const char *const words[] = {"false", "no", "off", "0", "true", "yes", "on", "1"};
    *out = otherwise;
    if (!is_str(v))
        return v == VALUE_NONE || value_truth(w->vm, v, out) ? NULL : "true or false";
    for (int i = 0; i < 8; i++)
        if (!strcasecmp(str_text(v), words[i]))
            return *out = i >= 4, NULL;
    return "true or false";
}

static const char *set_redirects(struct workflow *w, struct http_settings *settings, value v)
{
    bool allowed;
    const char *wrong = set_flag(w, v, true, &allowed);
    settings->manners.stay = !allowed;
    return wrong;
}

static const char *set_head(struct workflow *w, struct http_settings *settings, value v)
{
    bool understood;
    const char *wrong = set_flag(w, v, true, &understood);
    settings->manners.no_head = !understood;
    return wrong;
}

static const struct setting {
    const char *name, *option;
    set_fn *set;
} rows[HTTP_SETTINGS] = {
    [HTTP_AUTH] = {"auth", "--storage-http-auth", set_auth},
    [HTTP_RATE] = {"max_requests_per_second", "--storage-http-max-requests-per-second", set_rate},
    [HTTP_REDIRECTS] = {"allow_redirects", "--storage-http-allow-redirects", set_redirects},
    [HTTP_HEAD] = {"supports_head", "--storage-http-supports-head", set_head},
};

static const struct setting *find(const char *name)
{
    for (int i = 0; i < HTTP_SETTINGS; i++)
        if (!strcmp(rows[i].name, name))
            return &rows[i];
    return NULL;
}

bool http_settings_know(const char *name)
{
    return find(name);
}

static void keep_pace(struct http_settings *settings)
{
    pace_free(settings->manners.pace);
    settings->manners.pace = settings->per_second > 0 ? pace_new(settings->per_second) : NULL;
}

/* The value of the last word with that tag, else of the last one without; NULL: there is none. */
static const char *word_for(const char *const *words, const char *tag)
{
    const char *own = NULL, *common = NULL;
    size_t len = tag ? strlen(tag) : 0;
    for (; words && *words; words++) {
        const char *mark = strstr(*words, "::");
        /* "::" may be in a password */
        bool tagged = mark && !memchr(*words, '=', (size_t)(mark - *words));
        if (!tagged)
            common = *words;
        else if (tag && len == (size_t)(mark - *words) && !strncmp(*words, tag, len))
            own = mark + 2;
    }
    return own ? own : common;
}

bool http_settings_start(struct workflow *w, const char *tag, struct http_settings *settings)
{
    http_settings_end(settings);
    *settings = (struct http_settings){0};
    for (int i = 0; i < HTTP_SETTINGS; i++) {
        const char *word = word_for(w->options.storage_http[i], tag);
        const char *wrong = word ? rows[i].set(w, settings, str_from(w->vm, word)) : NULL;
        if (wrong)
            return flow_raise(w, "WorkflowError", "%s needs %s", rows[i].option, wrong);
    }
    keep_pace(settings);
    return true;
}

bool http_settings_set(struct workflow *w, struct http_settings *settings, const char *name,
                       value v, struct span span)
{
    const char *wrong = find(name)->set(w, settings, v);
    if (vm_failed(w->vm))
        return false;
    if (wrong)
        return flow_refuse(w, "WorkflowError", span, "the setting '%s' of an http storage needs %s",
                           name, wrong);
    keep_pace(settings);
    return true;
}

void http_settings_end(struct http_settings *settings)
{
    if (settings)
        pace_free(settings->manners.pace);
}
