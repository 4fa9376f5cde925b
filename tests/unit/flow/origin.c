// SPDX-License-Identifier: MIT
/* Names of source files: joined, taken apart; short forms. */
#include "test.h"

#include "flow/origin.h"

static const struct {
    const char *dir, *name, *want;
} joined[] = {
    {"/a/b", "c.smk", "/a/b/c.smk"},
    {"/a/b", "../c.smk", "/a/c.smk"},
    {"/a/b", "/c/./d", "/c/d"},
    {"/a/b", "file:c", "/a/b/c"},
    {"/a/b", "file:///c", "/c"},
    {"/a/b", "https://h/c", "https://h/c"},
    {"https://h:1/a/b", "../c", "https://h:1/a/c"},
    {"https://h", "c", "https://h/c"},
    {"https://h/a", "/c", "/c"},
    {"https://h/a", "../../../c", "https://h/c"},
    {"/a", "gh:o/r@v1:p/q", "https://raw.githubusercontent.com/o/r/v1/p/q"},
    {"/a", "gh:o/r@v1", "https://raw.githubusercontent.com/o/r/v1/workflow/Snakefile"},
    {"/a", "gl:host.org:o/r@main:p", "https://host.org/o/r/-/raw/main/p"},
    {"git+file:///r/w@v1/x", "../s.py", "git+file:///r/s.py@v1/x"},
    {"git+file:///r/a@b/w@v1", "s", "git+file:///r/a@b/w/s@v1"},
    {"git+file:/r/w@v1", "s", "git+file:/r/w/s@v1"},
    {"git+file:///@v1", "s", "git+file:///s@v1"},
    {"/a", "git+file:///r/s@v1", "git+file:///r/s@v1"},
};

static const struct {
    const char *origin, *dir, *name;
} taken[] = {
    {"/a/b/c", "/a/b", "c"},
    {"https://h/a/b", "https://h/a", "b"},
    {"https://h/a", "https://h/", "a"},
    {"https://h", "https://h/", ""},
    {"git+file:///r/w/s.py@v1/x", "git+file:///r/w@v1/x", "s.py"},
    {"git+file:", "git+file:/", ""},
    {"git+file:@", "git+file:/@", ""},
};

int main(void)
{
    struct arena in = {0};
    for (size_t i = 0; i < sizeof joined / sizeof *joined; i++)
        is(origin_join(&in, joined[i].dir, joined[i].name), joined[i].want,
           arena_printf(&in, "%s in %s", joined[i].name, joined[i].dir));
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        is(origin_dirname(&in, taken[i].origin), taken[i].dir,
           arena_printf(&in, "the directory of %s", taken[i].origin));
        is(origin_basename(&in, taken[i].origin), taken[i].name,
           arena_printf(&in, "the name of %s", taken[i].origin));
    }
    ok(origin_is_remote("git+file:///r/s@v1") && origin_is_remote("gh:o/r@v") &&
           !origin_is_remote("/a"),
       "what is remote");
    arena_free(&in);
    return done();
}
