// SPDX-License-Identifier: MIT
/* Expected values: Python's os.path. */
#include "base/path.h"
#include "test.h"

struct row {
    const char *a, *b, *want;
};

static void test_one(struct arena *in)
{
    static const struct row normal[] = {
        {"", 0, "."},       {".", 0, "."},     {"a//b", 0, "a/b"},       {"/a/../..", 0, "/"},
        {"//a", 0, "//a"},  {"///a", 0, "/a"}, {"a/../..", 0, ".."},     {"../a/./b/", 0, "../a/b"},
        {"a/b/..", 0, "a"}, {"/..", 0, "/"},   {"//..", 0, "//"},        {"../..", 0, "../.."},
        {"./", 0, "."},     {"./x", 0, "x"},   {"a/./b/../c", 0, "a/c"}, {"...", 0, "..."},
    };
    static const struct row dirname[] = {
        {"", 0, ""},      {"a", 0, ""},     {"a/", 0, "a"}, {"/a", 0, "/"},
        {"//a", 0, "//"}, {"a//b", 0, "a"}, {"/", 0, "/"},  {"a/b/", 0, "a/b"},
    };
    static const struct row extension[] = {
        {"a.txt", 0, ".txt"}, {"a", 0, ""},   {".a", 0, ""},
        {"..a", 0, ""},       {"a.", 0, "."}, {"a.b/c", 0, ""},
        {"x/.b.c", 0, ".c"},  {"...", 0, ""}, {"a.tar.gz", 0, ".gz"},
    };
    for (size_t i = 0; i < sizeof normal / sizeof *normal; i++)
        is(path_normal(in, normal[i].a), normal[i].want, normal[i].a);
    for (size_t i = 0; i < sizeof dirname / sizeof *dirname; i++)
        is(path_dirname(in, dirname[i].a), dirname[i].want, dirname[i].a);
    for (size_t i = 0; i < sizeof extension / sizeof *extension; i++)
        is(path_extension(extension[i].a), extension[i].want, extension[i].a);
    is(path_basename("a/b.c"), "b.c", "basename");
    is(path_basename("a/"), "", "basename of a directory with its slash");
    ok(path_is_absolute("/a") && !path_is_absolute("a") && !path_is_absolute(""),
       "absolute or not");
}

static void test_two(struct arena *in)
{
    static const struct row join[] = {
        {"a", "b", "a/b"}, {"a/", "b", "a/b"}, {"a", "/b", "/b"}, {"", "b", "b"}, {"a", "", "a/"},
    };
    static const struct row relative[] = {
        {"/a/b", "/a/b", "."},     {"/a/b/c", "/a", "b/c"},
        {"/a", "/a/b/c", "../.."}, {"/a/bc", "/a/b", "../bc"},
        {"/", "/a", ".."},         {"/x/y", "/", "x/y"},
        {"/", "/", "."},
    };
    for (size_t i = 0; i < sizeof join / sizeof *join; i++)
        is(path_join(in, join[i].a, join[i].b), join[i].want, join[i].want);
    for (size_t i = 0; i < sizeof relative / sizeof *relative; i++)
        is(path_relative(in, relative[i].a, relative[i].b), relative[i].want, relative[i].a);
    ok(path_leads_out("..") && path_leads_out("../a") && !path_leads_out("..a") &&
           !path_leads_out("a/..") && !path_leads_out("/.."),
       "what leads out");
    is(path_inside("/a/b/c", "/a/b"), "/c", "what lies in a directory");
    is(path_inside("a", "a"), "", "the directory itself");
    ok(!path_inside("/a/bc", "/a/b") && !path_inside("/a", "/a/b") && !path_inside("b/a", "a"),
       "what lies elsewhere");
    is(path_absolute(in, "/home/u", "../v/./w"), "/home/v/w", "made absolute and normal");
}

int main(void)
{
    struct arena arena = {0};
    test_one(&arena);
    test_two(&arena);
    arena_free(&arena);
    return done();
}
