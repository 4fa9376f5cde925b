// SPDX-License-Identifier: MIT
/* Configuration: values of --config against Snakemake 9.25 (the table was made with its
 * parse_config), files and their precedence. */
#include "flowtest.h"

/* A word and the repr of the config it makes, or "error". */
static const struct {
    const char *word, *want;
} words[] = {
    {"ab=1", "{'ab': 1}"},
    {"ab=007", "{'ab': 7}"},
    {"ab=2018_1", "{'ab': 20181}"},
    {"ab=1.5", "{'ab': 1.5}"},
    {"ab=1e3", "{'ab': 1000.0}"},
    {"ab=nan", "{'ab': nan}"},
    {"ab=True", "{'ab': True}"},
    {"ab=true", "{'ab': 'true'}"},
    {"ab=yes", "{'ab': 'yes'}"},
    {"ab=null", "{'ab': 'null'}"},
    {"ab=", "{'ab': None}"},
    {"ab='12'", "{'ab': 12}"},
    {"ab=\"x y\"", "{'ab': 'x y'}"},
    {"ab=[a,1]", "{'ab': ['a', '1']}"},
    {"ab={a: {b: 2}}", "{'ab': {'a': {'b': '2'}}}"},
    {"ab=[{\"name\":\"m\",\"n\":2}]", "{'ab': [{'name': 'm', 'n': '2'}]}"},
    {"ab=a: b", "{'ab': {'a': 'b'}}"},
    {"ab=-5", "{'ab': -5}"},
    {"ab= 7 ", "{'ab': 7}"},
    {"ab=None", "{'ab': 'None'}"},
    {"ab=x=y", "{'ab': 'x=y'}"},
    {"ab=@z", "{'ab': '@z'}"},
    {"ab=[1", "{'ab': '[1'}"},
    {"a=1", "error"},
    {"a-b=1", "{'a-b': 1}"},
    {"_ab=2", "{'_ab': 2}"},
    {"ab-=1", "error"},
    {"9a=1", "error"},
    {"a.b=1", "error"},
    {"ab=0x10", "{'ab': '0x10'}"},
    {"ab=1_000", "{'ab': 1000}"},
    {"ab=inf", "{'ab': inf}"},
    {"ab=''", "{'ab': None}"},
    {"ab=2020-01-01", "{'ab': '2020-01-01'}"},
    {"ab=- a", "{'ab': ['a']}"},
};

static const char *repr_of(struct flowtest *t, const char *name)
{
    value v = t->w ? dict_get_str(t->w->vm, t->w->globals.v, name) : NO_VALUE;
    value text = v ? value_repr(t->w->vm, v) : NO_VALUE;
    return text ? arena_str(&t->arena, str_text(text)) : "(nothing)";
}

static void test_words(void)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct flowtest t = flowtest_open();
        const char *config[] = {words[i].word, NULL};
        t.options.config = config;
        flowtest_load(&t, "");
        is(t.w ? repr_of(&t, "config") : "error", words[i].want, words[i].word);
        flowtest_close(&t);
    }
}

/* configfile: statements, then --configfile in order, then --config; lists are replaced. */
static void test_precedence(void)
{
    struct flowtest t = flowtest_open();
    const char *config[] = {"top=word", "deep={x: 9}", NULL},
               *files[] = {"two.yaml", "three.json", NULL};
    t.options.config = config;
    t.options.configfiles = files;
    flowtest_write("one.yaml",
                   "a: 1\ntop: one\nlist: [1, 2]\ndeep:\n  x: 1\n  y: 2\nonly: yes\noct: 012\n");
    flowtest_write("two.yaml", "a: 2\nlist: [3]\n");
    flowtest_write("three.json", "{\"a\": 3, \"j\": null}");
    flowtest_load(&t, "before = {k: dict(v) if isinstance(v, dict) else v for k, v in "
                      "config.items()}\nconfigfile: 'one.yaml'\nafter = config\n");
    is(repr_of(&t, "before"), "{'a': 3, 'list': [3], 'j': None, 'top': 'word', 'deep': {'x': '9'}}",
       "the command line's config is there from the start");
    is(repr_of(&t, "after"),
       "{'a': 3, 'list': [3], 'j': None, 'top': 'word', 'deep': {'x': '9', 'y': 2}, 'only': True, "
       "'oct': 10}",
       "and stays above what a configfile: says");
    ok(t.w && t.w->configfiles.len == 3, "every file is known");
    flowtest_close(&t);
}

static void test_replace(void)
{
    struct flowtest t = flowtest_open();
    const char *config[] = {"xy=1", NULL};
    t.options.config = config;
    t.options.replace_config = true;
    flowtest_write("one.yaml", "a: 1\n");
    flowtest_load(&t, "configfile: 'one.yaml'\n");
    is(repr_of(&t, "config"), "{'xy': 1}", "--replace-workflow-config drops what files said");
    flowtest_close(&t);
}

static void test_wrong(void)
{
    struct flowtest t = flowtest_open();
    flowtest_write("bad.yaml", "a: [1\n");
    ok(!flowtest_load(&t, "configfile: 'bad.yaml'\n") &&
           strstr(t.error, "bad.yaml is not valid JSON or YAML"),
       "a broken file is told by name (%s)", t.error);
    flowtest_write("list.yaml", "- 1\n");
    ok(!flowtest_load(&t, "configfile: 'list.yaml'\n") && strstr(t.error, "with keys at top level"),
       "a file without keys is refused (%s)", t.error);
    flowtest_close(&t);
}

int main(void)
{
    test_words();
    test_precedence();
    test_replace();
    test_wrong();
    return done();
}
