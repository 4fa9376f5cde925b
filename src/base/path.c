// SPDX-License-Identifier: MIT
/* path.c: paths as text. */
#include "base/path.h"

#include <string.h>

#include "base/buf.h"

bool path_is_absolute(const char *path)
{
    return path[0] == '/';
}

bool path_leads_out(const char *path)
{
    return !strncmp(path, "..", 2) && (!path[2] || path[2] == '/');
}

const char *path_inside(const char *path, const char *dir)
{
    size_t n = strlen(dir);
    return !strncmp(path, dir, n) && (!path[n] || path[n] == '/') ? path + n : NULL;
}

char *path_join(struct arena *in, const char *dir, const char *name)
{
    if (path_is_absolute(name) || !dir[0])
        return arena_str(in, name);
    bool slash = dir[strlen(dir) - 1] == '/';
    return arena_printf(in, "%s%s%s", dir, slash ? "" : "/", name);
}

/* Takes the last component off out, which holds a normal path of which the first root bytes stay;
 * false if there is none to take or it is "..". */
static bool go_up(char *out, size_t *len, size_t root)
{
    size_t at = *len;
    while (at > root && out[at - 1] != '/')
        at--;
    if (*len == root || (*len - at == 2 && !memcmp(out + at, "..", 2)))
        return false;
    *len = at > root ? at - 1 : at;
    return true;
}

char *path_normal(struct arena *in, const char *path)
{
    /* POSIX gives exactly two leading slashes a meaning of their own; os.path keeps them. */
    size_t root = path[0] != '/' ? 0 : path[1] == '/' && path[2] != '/' ? 2 : 1, len = root;
    char *out = arena_alloc(in, strlen(path) + 2);
    memcpy(out, path, root);
    for (const char *at = path; *at;) {
        size_t n = strcspn(at, "/");
        bool up = n == 2 && at[0] == '.' && at[1] == '.';
        bool keep = n && !(n == 1 && at[0] == '.') && !(up && (go_up(out, &len, root) || root));
        if (keep) {
            if (len > root)
                out[len++] = '/';
            memcpy(out + len, at, n);
            len += n;
        }
        at += n;
        at += *at == '/';
    }
    if (!len)
        out[len++] = '.';
    out[len] = '\0';
    return out;
}

char *path_dirname(struct arena *in, const char *path)
{
    size_t head = (size_t)(path_basename(path) - path), len = head;
    while (len && path[len - 1] == '/')
        len--;
    /* A head of slashes only is the root and stays as it is. */
    return arena_copy(in, path, len ? len : head);
}

const char *path_basename(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *path_extension(const char *path)
{
    const char *name = path_basename(path), *end = name + strlen(name);
    const char *dot = strrchr(name, '.');
    while (*name == '.')
        name++;
    return dot && dot >= name ? dot : end;
}

char *path_absolute(struct arena *in, const char *base, const char *path)
{
    return path_normal(in, path_join(in, base, path));
}

/* Bytes of a and b up to the end of their last common component. */
static size_t common_len(const char *a, const char *b)
{
    size_t i = 0, common = 0;
    for (;; i++) {
        if ((!a[i] || a[i] == '/') && (!b[i] || b[i] == '/'))
            common = i;
        if (!a[i] || a[i] != b[i])
            return common;
    }
}

char *path_relative(struct arena *in, const char *path, const char *base)
{
    while (*path == '/')
        path++;
    while (*base == '/')
        base++;
    size_t common = common_len(path, base);
    struct buf out = {0};
    for (const char *at = base + common; *at;) {
        at += *at == '/';
        buf_str(&out, out.len ? "/.." : "..");
        at += strcspn(at, "/");
    }
    const char *rest = path + common;
    rest += *rest == '/';
    if (*rest) {
        buf_str(&out, out.len ? "/" : "");
        buf_str(&out, rest);
    }
    char *text = arena_str(in, out.len ? buf_text(&out) : ".");
    buf_free(&out);
    return text;
}

char *path_quoted(struct arena *in, const char *path)
{
    struct buf text = {0};
    buf_shell_word(&text, path);
    char *out = arena_copy(in, text.at, text.len);
    buf_free(&text);
    return out;
}
