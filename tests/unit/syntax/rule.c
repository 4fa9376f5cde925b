// SPDX-License-Identifier: MIT
/* Snakemake's keywords as trees. */
#include "check.h"

static const struct {
    const char *text, *tree;
} rows[] = {
    {"rule a:\n    input: 'x'\n    output: 'y', z='w'\n    shell: 'cmd'\n",
     "(RULE a (DIRECTIVE input \"x\") (DIRECTIVE output \"y\" (KEYWORD z \"w\")) (DIRECTIVE shell "
     "\"cmd\"))"},
    {"rule:\n    output: 'y'\n", "(RULE (DIRECTIVE output \"y\"))"},
    {"checkpoint c:\n    output: 'y'\n", "(RULE checkpoint c (DIRECTIVE output \"y\"))"},
    {"rule a:\n    'doc'\n    input:\n        'x',\n\n        # comment\n        y='z',\n    "
     "output: []\n",
     "(RULE a \"doc\" (DIRECTIVE input \"x\" (KEYWORD y \"z\")) (DIRECTIVE output (LIST)))"},
    {"rule a:\n    shell:\n        'one '\n        'two '\n        f'{x}'\n",
     "(RULE a (DIRECTIVE shell (FSTRING \"one two \" (FIELD x -))))"},
    {"rule a:\n    input: 'x',\n           'y'\n    output: 'z'\n",
     "(RULE a (DIRECTIVE input \"x\" \"y\") (DIRECTIVE output \"z\"))"},
    {"rule a:\n    input: *l, **d\n", "(RULE a (DIRECTIVE input (STAR l) (DSTAR d)))"},
    {"rule a:\n    params:\n        f=lambda wc:\n            wc.x,\n        g=1\n",
     "(RULE a (DIRECTIVE params (KEYWORD f (LAMBDA (PARAMS (PARAM wc - -)) (ATTR x wc))) (KEYWORD "
     "g 1)))"},
    {"rule a:\n    input:\n", "(RULE a (DIRECTIVE input))"},
    {"rule a:\n    input: expand('{x}',\n  x=[1])\n    threads: 4\n",
     "(RULE a (DIRECTIVE input (CALL expand \"{x}\" (KEYWORD x (LIST 1)))) (DIRECTIVE threads 4))"},
    {"rule a:\n    run:\n        x = 1\n        return\nb",
     "(RULE a (DIRECTIVE run (BLOCK (ASSIGN 1 x) (RETURN -)))) (EXPR b)"},
    {"rule a:\n    run: print(1)\n", "(RULE a (DIRECTIVE run (BLOCK (EXPR (CALL print 1)))))"},
    {"rule a: input: 'x'\nb = 1\n", "(RULE a (DIRECTIVE input \"x\")) (ASSIGN 1 b)"},
    {"rule a: input: 'x'\n    output: 'y'\n",
     "(RULE a (DIRECTIVE input \"x\") (DIRECTIVE output \"y\"))"},
    {"rule a: input: 'x',\n    'y'\n", "(RULE a (DIRECTIVE input \"x\" \"y\"))"},
    {"if a:\n    rule b:\n        output: 'x'\nelse:\n    include: 'y'\n",
     "(IF a (BLOCK (RULE b (DIRECTIVE output \"x\"))) (BLOCK (KEYWORD_STMT include \"y\")))"},
    {"for x in y:\n    rule:\n        output: x\n    z\n",
     "(FOR x y (BLOCK (RULE (DIRECTIVE output x)) (EXPR z)) -)"},
    {"def f():\n  with a:\n    rule b:\n      output: 'x'\n",
     "(DEF f (PARAMS) (BLOCK (WITH (BLOCK (RULE b (DIRECTIVE output \"x\"))) (WITH_ITEM a -))) -)"},
    {"if a: include: 'x'\nb", "(IF a (BLOCK (KEYWORD_STMT include \"x\")) -) (EXPR b)"},
    {"include: 'a.smk'\n", "(KEYWORD_STMT include \"a.smk\")"},
    {"include:\n    config['x']\n", "(KEYWORD_STMT include (INDEX config \"x\"))"},
    {"configfile: 'c.yaml'  # comment\nworkdir: d\n",
     "(KEYWORD_STMT configfile \"c.yaml\") (KEYWORD_STMT workdir d)"},
    {"localrules: a, b\n", "(KEYWORD_STMT localrules a b)"},
    {"localrules:\n    a,\n    b,\nc", "(KEYWORD_STMT localrules a b) (EXPR c)"},
    {"ruleorder: a > b > c\n", "(KEYWORD_STMT ruleorder a b c)"},
    {"envvars:\n    'A',\n    'B'\n", "(KEYWORD_STMT envvars \"A\" \"B\")"},
    {"wildcard_constraints:\n    s='a+',\n    t='b'\n",
     "(KEYWORD_STMT wildcard_constraints (KEYWORD s \"a+\") (KEYWORD t \"b\"))"},
    {"scattergather: n=8\n", "(KEYWORD_STMT scattergather (KEYWORD n 8))"},
    {"storage: provider='s3'\n", "(KEYWORD_STMT storage (KEYWORD provider \"s3\"))"},
    {"storage t:\n    provider='s3'\n", "(KEYWORD_STMT storage \"t\" (KEYWORD provider \"s3\"))"},
    {"resource_scopes: m='local'\n", "(KEYWORD_STMT resource_scopes (KEYWORD m \"local\"))"},
    {"inputflags: access.sequential\n", "(KEYWORD_STMT inputflags (ATTR sequential access))"},
    {"onstart: print(1)\n", "(HOOK onstart (BLOCK (EXPR (CALL print 1))))"},
    {"onerror:\n    shell('x')\n    b\n",
     "(HOOK onerror (BLOCK (EXPR (CALL shell \"x\")) (EXPR b)))"},
    {"module m:\n    snakefile: 's'\n    config: config\n",
     "(MODULE m (DIRECTIVE snakefile \"s\") (DIRECTIVE config config))"},
    {"module:\n    name: n\n    meta_wrapper: 'w'\n",
     "(MODULE (DIRECTIVE name n) (DIRECTIVE meta_wrapper \"w\"))"},
    {"use rule * from m\n", "(USE_RULE rules: * from: m)"},
    {"use rule * from m exclude a, b as m_*\n", "(USE_RULE rules: * from: m exclude: a b as: m_*)"},
    {"use rule a, b from m as *_x\n", "(USE_RULE rules: a b from: m as: *_x)"},
    {"use rule a as b with:\n    'doc'\n    input: 'x'\n",
     "(USE_RULE rules: a as: b with: (DIRECTIVE input \"x\"))"},
    {"use rule a from m with:\n    output: 'x'\n",
     "(USE_RULE rules: a from: m with: (DIRECTIVE output \"x\"))"},
    /* names that stay Python */
    {"report = 1", "(ASSIGN 1 report)"},
    {"config['x']", "(EXPR (INDEX config \"x\"))"},
    {"module.foo()", "(EXPR (CALL (ATTR foo module)))"},
    {"include('x')", "(EXPR (CALL include \"x\"))"},
    {"dict(\n report=1,\n rule=2)", "(EXPR (CALL dict (KEYWORD report 1) (KEYWORD rule 2)))"},
    {"x = {\n 'a':\n  storage\n}", "(ASSIGN (DICT (PAIR \"a\" storage)) x)"},
    {"class A:\n    conda: str\n", "(CLASS A (BLOCK (ANNASSIGN conda str -)))"},
    {"rule = use = 1", "(ASSIGN 1 rule use)"},
};

int main(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_tree(rows[i].text, rows[i].tree, false);
    check_tree("rule = 1\nreport: 'x'", "(ASSIGN 1 rule) (ANNASSIGN report \"x\" -)", true);
    return done();
}
