// SPDX-License-Identifier: MIT
/* What is refused, with the place and the words. */
#include "check.h"

static const struct {
    const char *text, *place, *message;
} rows[] = {
    /* tokens */
    {"x = 'abc\ny = 1", "1:5", "unterminated string literal"},
    {"x = '''abc\ny = 1", "1:5", "unterminated triple-quoted string literal"},
    {"x = f'{a", "1:7", "'{' was never closed"},
    {"x = f'{a'", "1:9", "f-string: expecting '}'"},
    {"f'a}'", "1:4", "single '}' is not allowed"},
    {"f'{}'", "1:3", "valid expression required before '}'"},
    {"f'{x!z}'", "1:6", "invalid conversion character"},
    {"f'{a b}'", "1:6", "f-string: invalid syntax. Perhaps you forgot a comma?"},
    {"x = (1,\ny = 2\n", "1:5", "'(' was never closed"},
    {"x = (1]", "1:7", "closing parenthesis ']' does not match opening parenthesis '('"},
    {"x = 1)", "1:6", "unmatched ')'"},
    {"if a:\n    b\n  c", "3:1", "unindent does not match any outer indentation level"},
    {"if a:\n        b\n\tc\n    d", "3:1", "inconsistent use of tabs and spaces"},
    {"  x", "1:3", "unexpected indent"},
    {"x = 1\n  y = 2", "2:3", "unexpected indent"},
    {"if a:\nb", "2:1", "expected an indented block after 'if' statement on line 1"},
    {"0777", "1:1", "leading zeros in decimal integer literals"},
    {"1_", "1:1", "invalid decimal literal"},
    {"0x", "1:1", "invalid hexadecimal literal"},
    {"12abc", "1:1", "invalid decimal literal"},
    {"a $ b", "1:3", "invalid character '$' (U+0024)"},
    {"a = “b”", "1:5", "invalid character '“' (U+201C)"},
    {"a \\ b", "1:3", "unexpected character after line continuation character"},
    {"'\\x4'", "1:2", "truncated \\xXX escape"},
    {"'\\N{NO SUCH THING}'", "1:2", "this character name is not known here"},
    {"b'é'", "1:3", "bytes can only contain ASCII literal characters"},
    {"'a' b'b'", "1:5", "cannot mix bytes and nonbytes literals"},
    /* expressions */
    {"f(a=1, 2)", "1:8", "positional argument follows keyword argument"},
    {"f(**a, 2)", "1:8", "positional argument follows keyword argument unpacking"},
    {"f(a=1, a=2)", "1:8", "keyword argument repeated: a"},
    {"f(x for x in y, 1)", "1:3", "Generator expression must be parenthesized"},
    {"f(a b)", "1:5", "Perhaps you forgot a comma?"},
    {"[1 2]", "1:4", "Perhaps you forgot a comma?"},
    {"f(a.b=1)", "1:3", "expression cannot contain assignment"},
    {"{1:}", "1:4", "expression expected after dictionary key and ':'"},
    {"a if b", "1:7", "expected 'else' after 'if' expression"},
    {"f() = 1", "1:1", "cannot assign to function call"},
    {"a + b = 1", "1:1", "cannot assign to expression"},
    {"None = 1", "1:1", "cannot assign to None"},
    {"*a = b", "1:1", "starred assignment target must be in a list or tuple"},
    {"*a", "1:1", "can't use starred expression here"},
    {"(*a)", "1:2", "cannot use starred expression here"},
    {"[*a for a in b]", "1:2", "iterable unpacking cannot be used in comprehension"},
    {"(*a for a in b)", "1:2", "iterable unpacking cannot be used in comprehension"},
    {"{*a for a in b}", "1:2", "iterable unpacking cannot be used in comprehension"},
    {"*a, *b = c", "1:5", "multiple starred expressions in assignment"},
    {"def f(a=1, b): pass", "1:12", "parameter without a default follows parameter with a default"},
    {"def f(a, a): pass", "1:10", "duplicate argument 'a'"},
    {"lambda *: 1", "1:8", "named arguments must follow bare *"},
    {"x = ", "1:5", "the line ends too early"},
    /* statements */
    {"print 'x'", "1:1", "Missing parentheses in call to 'print'. Did you mean print(...)?"},
    {"if a = 1:\n  b", "1:6", "Maybe you meant '=='"},
    {"if a\n  b", "1:5", "expected ':'"},
    {"else:\n  a", "1:1", "'else' has no statement above that it belongs to"},
    {"try:\n  a\nb", "3:1", "expected 'except' or 'finally' block"},
    {"try:\n  a\nexcept A, B:\n  b", "3:1", "multiple exception types must be parenthesized"},
    {"return 1", "1:1", "'return' outside function"},
    {"break", "1:1", "'break' outside loop"},
    {"def f():\n  continue", "2:3", "'continue' not properly in loop"},
    {"await x", "1:1", "'await' outside function"},
    {"def f(): await x", "1:10", "'await' outside async function"},
    {"def f(): return yield x", "1:17", "unexpected 'yield'"},
    {"async for x in y: z", "1:1", "'async for' outside async function"},
    {"yield 1", "1:1", "'yield' outside function"},
    {"import a.b c", "1:12", "unexpected 'c'"},
    {"del f()", "1:5", "cannot delete function call"},
    {"match x:\n case [*a, *b]: pass", "2:12", "multiple starred expressions in sequence pattern"},
    {"rul a:\n    input: 'x'", "1:1", "did you mean 'rule'?"},
    /* rules */
    {"rule a\n    input: 'x'", "1:7", "Colon expected after keyword rule."},
    {"rule 'a':\n    input: 'x'", "1:6",
     "Expected name or colon after rule or checkpoint keyword."},
    {"rule a:\n    inptu: 'x'", "2:5", "did you mean 'input'?"},
    {"rule a:\n    x = 1", "2:5",
     "Expecting rule keyword, comment or docstrings inside a rule definition."},
    {"rule a:\n    input:\n    'x',\n    output: 'y'", "3:5", "it must be indented deeper"},
    {"rule a:\n    'x',\n    'y',", "2:5", "no directive, as `input:`, stands above this string"},
    {"rule a:\n    input: 'x'\noutput:\n    'y'", "3:1", "'output' stands outside of a rule"},
    {"module a:\n    snakefile: 'x'\n    snakefile: 'y'", "3:5",
     "'snakefile' is given twice in module a"},
    {"rule a:\n    shell: 'x'\n    input: 'y'", "3:5",
     "No rule keywords allowed after run/shell/script/notebook/wrapper/template_engine/cwl in rule "
     "a."},
    {"rule a:\n    shell: 'x'\n    run: y", "3:5",
     "Multiple run/shell/script/notebook/wrapper/template_engine/cwl keywords in rule a."},
    {"rule a:\n    shell: 'x', 'y'", "2:17", "'shell' takes one value, not 2"},
    {"rule a:\n    shell:\n", "2:5", "Command must be given as string after the shell keyword."},
    {"rule a:\n    threads: 1, 2", "2:17", "'threads' takes one value, not 2"},
    {"rule a:\n    threads: n=1", "2:14", "'threads' takes one value, without a name"},
    {"include: x='a.smk'", "1:10", "'include' takes one value, without a name"},
    {"report: str = 'x'", "1:9", "'report' takes one value, without a name"},
    {"rule a:\n    resources: 4", "2:16", "'resources' takes items with a name only"},
    {"rule a:\n    input: x='a', 'b'", "2:19", "positional argument follows keyword argument"},
    {"rule a:\n    input: 'a'\n        b='c'\n", "3:9", "Perhaps you forgot a comma?"},
    {"rule a:\n    threads: 1\n        input: 'x'", "3:9", "a directive is not indented deeper"},
    {"rule a:\ninput: 'x'", "2:1",
     "expected an indented block: 'input' belongs to the keyword above it"},
    {"rule a:\n    version: '1'", "2:5", "Keyword version is deprecated and has been removed"},
    {"rule a:\n    configfile: 'x'", "2:5", "'configfile' belongs outside of rules"},
    {"subworkflow x:\n    snakefile: 'y'", "1:1", "use the module keyword instead"},
    {"include 'x'", "1:9", "Colon expected after keyword include."},
    {"include: 'x', 'y'", "1:15", "'include' takes one value, not 2"},
    {"ruleorder: a, b", "1:13", "Expected a descending order of rule names"},
    {"localrules: a b", "1:15", "Expected a comma separated list of rules"},
    {"resource_scopes: m='here'", "1:20", "Scope must be set to either 'local' or 'global'"},
    {"module m:\n    config: c", "1:1",
     "A module needs either a path to a Snakefile or a meta wrapper URL."},
    {"module:\n    snakefile: 's'", "1:1", "Missing module name."},
    {"module m:\n    snakefil: 's'", "2:5", "did you mean 'snakefile'?"},
    {"use rule a", "1:1", "Expecting 'from MODULE' or 'as NAME'"},
    {"use rule * as b", "1:12", "to end with keyword 'from'"},
    {"use rule a, b from m as c", "1:1", "the name after 'as' needs a '*'"},
    {"use rule * from m as x_* with:\n    input: 'x'", "1:26",
     "not allowed in combination with rule pattern '*'"},
    {"use rule a as b with:\n    shell: 'x'", "2:5", "Unexpected keyword shell in rule definition"},
    {"use x", "1:5", "Expecting keyword 'rule' after keyword 'use'"},
};

static void check_warning(void)
{
    struct parsed p;
    parsed_open(&p, "rule a:\n    input: 'x'\n    input: 'y'\n", 37, false);
    ok(p.tree && p.tree->kid[0]->n == 1, "of a directive given twice the first counts");
    char *errors = parsed_errors(&p);
    ok(strstr(errors, "'input' is given twice in rule a") && strstr(errors, "--> t:3:5"),
       "with a warning");
    free(errors);
    parsed_close(&p);
    parsed_open(&p, "configfle: 'x'\nname: 'y'\n", 25, false);
    errors = parsed_errors(&p);
    ok(p.tree && strstr(errors, "did you mean 'configfile'?"), "a misspelt keyword is warned of");
    ok(!strstr(errors, "'name'"), "another annotation is not");
    free(errors);
    parsed_close(&p);
}

static int count(const char *text, const char *word)
{
    int n = 0;
    for (; (text = strstr(text, word)); text++)
        n++;
    return n;
}

static void check_many(void)
{
    static const char text[] = "x = = 1\n"
                               "rule a:\n    inptu: 'x'\n    output: 'y' z\n    shell: 'ok'\n"
                               "if a b:\n    c = = d\nelse:\n    e\n"
                               "y = 2\n"
                               "def f(:\n    pass\n";
    struct parsed p;
    parsed_open(&p, text, strlen(text), false);
    /* The bracket of the last line is closed by nothing, which the lexer sees first. */
    char *errors = parsed_errors(&p);
    ok(count(errors, "--> ") == 1, "a bracket that never closes is the only thing reported");
    free(errors);
    parsed_close(&p);
    parsed_open(&p, text, strstr(text, "def f") - text, false);
    errors = parsed_errors(&p);
    if (!ok(count(errors, "--> ") == 5, "each bad statement and directive is reported once"))
        printf("# %s\n", errors);
    free(errors);
    parsed_close(&p);
}

/* One slip is one error, however much of what follows no longer fits. */
static void check_once(void)
{
    static const char *const texts[] = {
        "rule a\n    input:\n        'x'\n    output:\n        'y'\n    shell:\n        'z'\n",
        "rul a:\n    input:\n        'x'\n    output:\n        'y'\n    shell:\n        'z'\n",
        "rule a:\n    input:\n        'x'\n   output:\n        'y'\n    log:\n        'z'\n",
        "rule a:\n    input: 'x'\n   output: 'y'\n   log: 'z'\nrule b:\n    input: 'x'\n   log: "
        "'z'\n",
        "rule a:\n         input:\n        'x',\n        'y'\n    output:\n        'z'\n    log:\n "
        "       'l'\n",
        "rule a:\n    input: 'x'\n\toutput: 'y'\n\tlog: 'z'\n",
        "rule a:\n    output: 'x'\n    shell:\n\t'z'\n",
        "rule a:\n    shell: 'x'\n    input: 'x'\n    output: 'y'\n    shell: 'z'\n",
        "rule a:\n    'x',\n    'y',\n    z='z',\n",
        "rule a:\n    input: 'x'\n    'y',\n    'z',\n",
        "    input: 'x'\n    output:\n        'y'\n    shell: 'z'\n",
        "rule a:\n    input: x', 'y'\n",
        "rule a:\n    input:\n        a='x,\n        b='y'\n",
        "rule a:\n    input:\n\u00a0       'x'\n    output:\n        'y'\n    log:\n        'z'\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct parsed p;
        parsed_open(&p, texts[i], strlen(texts[i]), false);
        char *errors = parsed_errors(&p);
        if (!ok(count(errors, "--> ") == 1, "reported once: %s", texts[i]))
            printf("# %s\n", errors);
        free(errors);
        parsed_close(&p);
    }
}

static void check_deep(const char *open, const char *close, size_t n)
{
    struct buf text = {0};
    struct parsed p;
    for (size_t i = 0; i < n; i++)
        buf_str(&text, open);
    buf_str(&text, "1");
    for (size_t i = 0; i < n; i++)
        buf_str(&text, close);
    parsed_open(&p, buf_text(&text), text.len, true);
    ok(!p.tree && strstr(diag_last(p.dx), "nested"), "too deep: %s", open);
    parsed_close(&p);
    buf_free(&text);
}

int main(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_error(rows[i].text, rows[i].place, rows[i].message);
    check_warning();
    check_many();
    check_once();
    check_deep("(", ")", 1000);
    check_deep("-", "", 100000);
    check_deep("lambda: ", "", 10000);
    check_deep("1+", "", 100000);
    check_deep("a**", "", 10000);
    check_deep("not ", "", 10000);
    return done();
}
