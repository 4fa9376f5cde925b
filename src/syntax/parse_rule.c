// SPDX-License-Identifier: MIT
/* parse_rule.c: Snakemake's keywords. A name at the start of a statement is a keyword when what
 * follows fits; `report = 1` and a line inside brackets stay Python.
 *
 * The value of a directive is an argument list without brackets that may go on over deeper lines:
 *
 *     input:              NEWLINE INDENT are taken out, as is the line break
 *         "a",            between the items; the DEDENT becomes the NEWLINE
 *         b="c"           that ends the value
 *     output: ... */
#include "syntax/parser.h"

#include <string.h>

#include "syntax/keyword.h"

#define BODY_WORDS "run/shell/script/notebook/wrapper/template_engine/cwl"

/* A block of directives. */
struct rule_block {
    enum keyword_place place;
    sym_t name;    /* of the rule or module, or 0 */
    uint32_t mark; /* its directives lie on the stack from here */
    const char *docstring;
    const struct keyword *body; /* the body directive seen, or NULL */
    bool inherits;              /* the with block of use rule: no body */
    bool in_header;             /* on the line of the keyword itself */
    bool late;                  /* a directive behind the body has been reported */
    bool stray;                 /* a line that is no directive has been reported */
};

static const struct keyword *keyword_at(const struct parser *ps, const struct token *token,
                                        enum keyword_place place)
{
    return token->kind == TOKEN_NAME ? keyword_find(place, token_start(ps, token), token_len(token))
                                     : NULL;
}

static bool directive_at(const struct parser *ps, const struct token *token,
                         enum keyword_place place)
{
    return keyword_at(ps, token, place) && token[1].kind == TOKEN_COLON;
}

bool ps_is_directive(const struct parser *ps, const struct token *token)
{
    return !ps->python && directive_at(ps, token, IN_RULE);
}

void ps_refuse_directive(struct parser *ps, const struct token *token)
{
    complain_kind(ps->dx, "IndentationError", token_span(token),
                  "'%.*s' stands outside of a rule: it belongs into the indented lines below `rule "
                  "NAME:`",
                  (int)token_len(token), token_start(ps, token));
    ps_give_up(ps);
}

/* Whether what stands behind `keyword:` can be its value; a variable annotation else. */
static bool value_fits(const struct keyword *row, const struct token *value)
{
    switch (row->shape) {
    case SHAPE_RULE:
    case SHAPE_MODULE:
        return value->kind == TOKEN_NEWLINE || value->kind == TOKEN_STRING ||
               (value->kind == TOKEN_NAME && value[1].kind == TOKEN_COLON);
    case SHAPE_USE: return false;
    default: return true;
    }
}

bool ps_at_snakemake(struct parser *ps)
{
    if (ps->python || ps->context.klass || !at(ps, TOKEN_NAME))
        return false;
    const struct token *next = ps_peek(ps);
    bool side_by_side = next->kind == TOKEN_NAME || next->kind == TOKEN_STRING ||
                        next->kind == TOKEN_FSTRING_START || next->kind == TOKEN_NUMBER;
    if (next->kind != TOKEN_COLON && !side_by_side)
        return false;
    const struct keyword *row = keyword_at(ps, ps->tok, IN_FILE);
    return row && (side_by_side || value_fits(row, next + 1));
}

/* Values. */

/* Takes the layout out of the value that begins at this token; it then ends at a NEWLINE. */
static void open_value(struct parser *ps)
{
    uint32_t depth = 0;
    const struct token *newline = NULL;
    for (struct token *token = ps->tok; token->kind != TOKEN_END; token++) {
        bool deeper = token->kind == TOKEN_INDENT, end = token->kind == TOKEN_DEDENT;
        if (token->kind == TOKEN_NEWLINE) {
            bool directives = ps->rule && ps->rule->in_header && token[1].kind == TOKEN_INDENT &&
                              directive_at(ps, &token[2], ps->rule->place);
            if (!depth && (token[1].kind != TOKEN_INDENT || directives))
                break;
            newline = token;
        } else if (!deeper && !end) {
            continue;
        }
        depth += deeper;
        depth -= end;
        token->kind = TOKEN_NL;
        if (end && !depth) {
            token->kind = TOKEN_NEWLINE;
            token->at = token->end = newline->at;
            break;
        }
    }
    while (at(ps, TOKEN_NL))
        ps->tok++;
}

static void colon(struct parser *ps, const struct keyword *row)
{
    if (!ps_accept(ps, TOKEN_COLON))
        ps_syntax_error(ps, token_span(ps->tok), "Colon expected after keyword %s.", row->name);
}

static noreturn void bad_value(struct parser *ps, struct span span, const struct keyword *row,
                               uint32_t n)
{
    if (!n && at(ps, TOKEN_NEWLINE) && ps->tok[1].kind == TOKEN_ERROR) /* of the line below */
        ps_give_up(ps);
    if (!n && row->shape == SHAPE_VALUE && row->body)
        ps_syntax_error(ps, span, "Command must be given as string after the %s keyword.",
                        row->name);
    if (!n)
        ps_syntax_error(ps, span, "'%s' needs a value", row->name);
    complain_kind(ps->dx, "SyntaxError", span, "'%s' takes one value, not %u", row->name, n);
    if (row->body)
        diag_hint(ps->dx, "string literals with no comma between them are one string");
    ps_give_up(ps);
}

/* Exactly one value, without a name. What *args will give is not known yet. */
static void check_single(struct parser *ps, const struct keyword *row, uint32_t mark,
                         struct span word)
{
    uint32_t n = ps->kids.len - mark;
    for (uint32_t i = mark; i < ps->kids.len; i++) {
        const struct node *arg = ps->kids.at[i];
        if (arg->kind == NODE_STAR)
            return;
        if (arg->kind == NODE_KEYWORD || arg->kind == NODE_DSTAR)
            ps_syntax_error(ps, arg->span, "'%s' takes one value, without a name", row->name);
    }
    if (n != 1)
        bad_value(ps, n ? ps->kids.at[mark + 1]->span : word, row, n);
}

static void check_named(struct parser *ps, const struct keyword *row, uint32_t mark)
{
    for (uint32_t i = mark; i < ps->kids.len; i++) {
        const struct node *arg = ps->kids.at[i];
        if (arg->kind != NODE_KEYWORD && arg->kind != NODE_DSTAR)
            ps_syntax_error(ps, arg->span, "'%s' takes items with a name only (name=value)",
                            row->name);
    }
}

static void check_scopes(struct parser *ps, uint32_t mark)
{
    for (uint32_t i = mark; i < ps->kids.len; i++) {
        const struct node *arg = ps->kids.at[i], *value = arg->kid[0];
        if (arg->kind == NODE_KEYWORD && value->kind == NODE_STR && strcmp(value->text, "local") &&
            strcmp(value->text, "global"))
            ps_syntax_error(
                ps, value->span,
                "Invalid scope: %s=\"%s\". Scope must be set to either 'local' or 'global'",
                sym_text(ps->names, arg->name), value->text);
    }
}

/* Pushes the names of localrules and ruleorder. */
static void push_names(struct parser *ps, const struct keyword *row)
{
    bool order = row->shape == SHAPE_ORDER;
    while (at(ps, TOKEN_NAME)) {
        push(ps, ps_name(ps, "rule name"));
        if (!ps_accept(ps, order ? TOKEN_GT : TOKEN_COMMA))
            break;
    }
    if (!at(ps, TOKEN_NEWLINE))
        ps_syntax_error(
            ps, token_span(ps->tok), "%s",
            order ? "Expected a descending order of rule names, e.g. rule1 > rule2 > rule3 ..."
                  : "Expected a comma separated list of rules that shall not be executed by the "
                    "cluster command.");
}

/* Pushes the value behind the colon, up to its NEWLINE. */
static void push_value(struct parser *ps, const struct keyword *row, struct span word)
{
    uint32_t mark = kids_mark(ps);
    open_value(ps);
    if (row->shape == SHAPE_NAMES || row->shape == SHAPE_ORDER)
        push_names(ps, row);
    else
        ps_push_arguments(ps, TOKEN_NEWLINE);
    if (row->shape == SHAPE_VALUE)
        check_single(ps, row, mark, word);
    if (row->shape == SHAPE_NAMED || row->shape == SHAPE_TAGGED)
        check_named(ps, row, mark);
    if (!strcmp(row->name, "resource_scopes"))
        check_scopes(ps, mark);
}

/* Python statements behind a colon, as the body of a function. */
static struct node *code(struct parser *ps, const char *owner, uint32_t start)
{
    struct context outer = ps->context;
    struct rule_block *rule = ps->rule;
    ps->context = (struct context){.function = true};
    ps->rule = NULL;
    struct node *body = ps_block(ps, owner, start);
    ps->context = outer;
    ps->rule = rule;
    return body;
}

static noreturn void removed(struct parser *ps, const struct keyword *row)
{
    complain_kind(ps->dx, "SyntaxError", token_span(ps->tok),
                  "Keyword %s is deprecated and has been removed", row->name);
    diag_hint(ps->dx, "%s instead", row->instead);
    ps_give_up(ps);
}

/* Directives. */

static const char *block_name(const struct parser *ps)
{
    return ps->rule->name ? sym_text(ps->names, ps->rule->name) : "(without a name)";
}

/* The first line that is no directive: those that follow most likely have the same cause. */
static void note_stray(struct parser *ps)
{
    if (ps->rule->stray)
        ps_give_up(ps);
    ps->rule->stray = true;
}

static noreturn void unknown_directive(struct parser *ps)
{
    const char *what = ps->rule->place == IN_MODULE ? "module" : "rule";
    struct span span = token_span(ps->tok);
    if (!at(ps, TOKEN_NAME) || ps_peek(ps)->kind != TOKEN_COLON) {
        note_stray(ps);
        ps_syntax_error(ps, span,
                        "Expecting %s keyword, comment or docstrings inside a %s definition.", what,
                        what);
    }
    const char *word = sym_text(ps->names, ps_take_name(ps, "directive"));
    const char *meant = keyword_nearest(ps->rule->place, word);
    complain_kind(ps->dx, "SyntaxError", span, "Unexpected keyword %s in %s definition", word,
                  what);
    if (!diag_meant(ps->dx, meant) && keyword_find(IN_FILE, word, strlen(word)))
        diag_hint(ps->dx, "'%s' belongs outside of rules", word);
    ps_give_up(ps);
}

/* The one body directive comes last. */
static void check_order(struct parser *ps, const struct keyword *row)
{
    struct rule_block *rule = ps->rule;
    struct span span = token_span(ps->tok);
    if (row->body && rule->inherits)
        ps_syntax_error(
            ps, span,
            "Unexpected keyword %s in rule definition: 'use rule' keeps the body of the "
            "rule it uses",
            row->name);
    if (rule->late) /* most likely a header above the first of them is missing */
        ps_give_up(ps);
    rule->late = rule->body;
    if (rule->body && row->body)
        ps_syntax_error(ps, span, "Multiple %s keywords in rule %s.", BODY_WORDS, block_name(ps));
    if (rule->body)
        ps_syntax_error(ps, span, "No rule keywords allowed after %s in rule %s.", BODY_WORDS,
                        block_name(ps));
    if (row->body)
        rule->body = row;
}

/* Whether the directive stands in this rule already. Then the first one counts, as in Snakemake; a
 * module's would contradict each other. */
static bool is_twice(struct parser *ps, const struct keyword *row)
{
    bool module = ps->rule->place == IN_MODULE;
    for (uint32_t i = ps->rule->mark; i < ps->kids.len; i++) {
        const struct node *other = ps->kids.at[i];
        if (strcmp(sym_text(ps->names, other->name), row->name))
            continue;
        if (module)
            complain_kind(ps->dx, "SyntaxError", token_span(ps->tok),
                          "'%s' is given twice in module %s", row->name, block_name(ps));
        else
            warn(ps->dx, token_span(ps->tok),
                 "'%s' is given twice in rule %s; only the first counts", row->name,
                 block_name(ps));
        diag_note(ps->dx,
                  (struct span){other->span.at, other->span.at + (uint32_t)strlen(row->name)},
                  "first given here");
        return true;
    }
    return false;
}

static void docstring(struct parser *ps)
{
    struct rule_block *rule = ps->rule;
    struct node *text = ps_string_literal(ps);
    bool behind = ps->kids.len > rule->mark && rule->place == IN_RULE;
    if (at(ps, TOKEN_COMMA)) {
        note_stray(ps);
        ps_syntax_error(ps, text->span,
                        behind ? "this string is not part of the directive above it: it must be "
                                 "indented deeper"
                               : "no directive, as `input:`, stands above this string");
    }
    if (behind)
        warn(ps->dx, text->span,
             "this string is not part of the directive above it; it becomes the "
             "docstring of rule %s",
             block_name(ps));
    if (text->kind == NODE_STR)
        rule->docstring = text->text;
    if (!rule->in_header || !at(ps, TOKEN_NAME))
        ps_end_of_statement(ps);
}

static void directive(struct parser *ps)
{
    struct rule_block *rule = ps->rule;
    struct span word = token_span(ps->tok);
    if (at(ps, TOKEN_STRING) || at(ps, TOKEN_FSTRING_START)) {
        docstring(ps);
        return;
    }
    const struct keyword *row = keyword_at(ps, ps->tok, rule->place);
    if (!row)
        unknown_directive(ps);
    if (row->shape == SHAPE_REMOVED)
        removed(ps, row);
    check_order(ps, row);
    bool twice = is_twice(ps, row);
    uint32_t mark = kids_mark(ps);
    sym_t name = ps_take_name(ps, "directive");
    colon(ps, row);
    bool python = row->shape == SHAPE_CODE;
    if (python)
        push(ps, code(ps, "'run'", word.at));
    else
        push_value(ps, row, word);
    struct node *node = ps_close(ps, NODE_DIRECTIVE, word.at, mark);
    node->name = name;
    if (!twice)
        push(ps, node);
    if (!python)
        ps_end_of_statement(ps);
}

/* A rule may be empty, but a directive below it that is not indented was meant to be in it. */
static void check_indented(struct parser *ps, const struct rule_block *rule)
{
    if (ps->kids.len > rule->mark || !directive_at(ps, ps->tok, rule->place))
        return;
    complain_kind(ps->dx, "IndentationError", token_span(ps->tok),
                  "expected an indented block: '%.*s' belongs to the keyword above it",
                  (int)token_len(ps->tok), token_start(ps, ps->tok));
    ps_give_up(ps);
}

/* The lines below a header. Those that follow a docstring may be deeper than it: a value takes the
 * deeper lines behind it, a docstring does not. */
static void push_block(struct parser *ps)
{
    uint32_t depth = 0;
    do {
        if (ps_accept(ps, TOKEN_INDENT))
            depth++;
        else if (depth && ps_accept(ps, TOKEN_DEDENT))
            depth--;
        else if (depth && !ps_guarded(ps, directive))
            ps_skip_line(ps);
    } while (depth && !at(ps, TOKEN_END));
}

/* Pushes the directives behind the colon of a header: on its line, in a block below it, or both. */
static void push_directives(struct parser *ps, struct rule_block *rule)
{
    struct rule_block *outer = ps->rule;
    ps->rule = rule;
    rule->mark = kids_mark(ps);
    rule->in_header = true;
    if (!ps_accept(ps, TOKEN_NEWLINE)) {
        directive(ps);
        if (at(ps, TOKEN_NAME) && ps->tok[-1].kind == TOKEN_STRING)
            directive(ps);
    }
    rule->in_header = false;
    check_indented(ps, rule);
    push_block(ps);
    ps->rule = outer;
}

/* Statements. */

/* `rule NAME` or `rule`; the colon too. */
static sym_t header(struct parser *ps, const struct keyword *row)
{
    sym_t name = 0;
    ps_advance(ps);
    if (at(ps, TOKEN_NAME))
        name = ps_take_name(ps, "name");
    else if (!at(ps, TOKEN_COLON))
        ps_syntax_error(ps, token_span(ps->tok), "Expected name or colon after %s keyword.",
                        row->shape == SHAPE_RULE ? "rule or checkpoint" : row->name);
    return name;
}

static struct node *rule_statement(struct parser *ps, const struct keyword *row)
{
    uint32_t start = ps->tok->at;
    bool checkpoint = *row->name == 'c';
    struct rule_block rule = {IN_RULE, header(ps, row)};
    uint32_t end = ps->last_end;
    colon(ps, row);
    push_directives(ps, &rule);
    struct node *node = ps_close(ps, NODE_RULE, start, rule.mark);
    node->span.end = end;
    node->name = rule.name;
    node->op = checkpoint;
    node->text = rule.docstring;
    node->len = rule.docstring ? (uint32_t)strlen(rule.docstring) : 0;
    return node;
}

static bool has_directive(const struct parser *ps, const struct node *node, const char *name)
{
    for (uint32_t i = 0; i < node->n; i++) {
        if (!strcmp(sym_text(ps->names, node->kid[i]->name), name))
            return true;
    }
    return false;
}

static void check_module(struct parser *ps, const struct node *node)
{
    bool named = has_directive(ps, node, "name");
    if (node->name && named)
        complain_kind(
            ps->dx, "SyntaxError", node->span,
            "Ambiguous module name. A module name was provided directly after the module keyword. "
            "Another module name was provided by the name keyword.");
    if (!node->name && !named)
        complain_kind(
            ps->dx, "SyntaxError", node->span,
            "Missing module name. A module name must be provided either after the module keyword "
            "or inside the module definition after the name keyword.");
    if (!has_directive(ps, node, "snakefile") && !has_directive(ps, node, "meta_wrapper"))
        complain_kind(ps->dx, "SyntaxError", node->span,
                      "A module needs either a path to a Snakefile or a meta wrapper URL.");
}

static struct node *module_statement(struct parser *ps, const struct keyword *row)
{
    uint32_t start = ps->tok->at;
    int errors = diag_errors(ps->dx);
    struct rule_block module = {IN_MODULE, header(ps, row)};
    uint32_t end = ps->last_end;
    colon(ps, row);
    push_directives(ps, &module);
    struct node *node = ps_close(ps, NODE_MODULE, start, module.mark);
    node->span.end = end;
    node->name = module.name;
    if (diag_errors(ps->dx) == errors)
        check_module(ps, node);
    return node;
}

/* Names with commas, 0-terminated, in the arena. */
static sym_t *name_list(struct parser *ps, const char *missing)
{
    uint32_t start = kids_mark(ps);
    do {
        if (!at(ps, TOKEN_NAME))
            ps_syntax_error(ps, token_span(ps->tok), "%s", missing);
        push(ps, ps_name(ps, "rule name"));
    } while (ps_accept(ps, TOKEN_COMMA));
    uint32_t n = ps->kids.len - start;
    sym_t *names = arena_array(ps->in, sym_t, n + 1);
    for (uint32_t i = 0; i < n; i++)
        names[i] = ps->kids.at[start + i]->name;
    ps->kids.len = start;
    return names;
}

static sym_t *used_rules(struct parser *ps)
{
    if (!ps_accept(ps, TOKEN_STAR))
        return name_list(ps, "Expecting rule names after 'use rule' statement.");
    sym_t *all = arena_array(ps->in, sym_t, 2);
    all[0] = intern_str(ps->names, "*");
    if (!at(ps, TOKEN_FROM))
        ps_syntax_error(
            ps, token_span(ps->tok),
            "Expecting list of rules in 'use rule' statement to end with keyword 'from'.");
    return all;
}

/* NAME, PREFIX_*, *_SUFFIX: names and stars side by side. */
static sym_t alias_pattern(struct parser *ps)
{
    size_t start = ps->scratch.len;
    int stars = 0;
    while ((at(ps, TOKEN_NAME) && !token_is(ps, ps->tok, "exclude")) || at(ps, TOKEN_STAR)) {
        stars += at(ps, TOKEN_STAR);
        buf_add(&ps->scratch, token_start(ps, ps->tok), token_len(ps->tok));
        ps_advance(ps);
    }
    if (ps->scratch.len == start || stars > 1)
        ps_syntax_error(
            ps, token_span(ps->tok),
            "Expecting rulename modifying pattern (e.g. modulename_*) after 'as' keyword.");
    sym_t alias = intern(ps->names, buf_text(&ps->scratch) + start, ps->scratch.len - start);
    ps->scratch.len = start;
    return alias;
}

/* from, exclude and as, in any order that makes sense. */
static void use_clauses(struct parser *ps, struct use_rule *use)
{
    for (;;) {
        if (!use->from && !use->alias && ps_accept(ps, TOKEN_FROM))
            use->from = ps_take_name(ps, "module name after 'from'");
        else if (use->from && !use->exclude && token_is(ps, ps->tok, "exclude")) {
            ps_advance(ps);
            use->exclude = name_list(
                ps, "Expecting rule name(s) after 'exclude' keyword in 'use rule' statement.");
        } else if (!use->alias && ps_accept(ps, TOKEN_AS))
            use->alias = alias_pattern(ps);
        else
            return;
    }
}

static void check_use(struct parser *ps, const struct use_rule *use, uint32_t start)
{
    struct span span = {start, ps->last_end};
    bool all = !strcmp(sym_text(ps->names, use->rules[0]), "*");
    bool star = use->alias && strchr(sym_text(ps->names, use->alias), '*');
    if (!use->from && !use->alias)
        ps_syntax_error(ps, span, "Expecting 'from MODULE' or 'as NAME' in 'use rule' statement.");
    if (all && at(ps, TOKEN_WITH))
        ps_syntax_error(ps, token_span(ps->tok),
                        "Keyword 'with' in 'use rule' statement is not allowed in combination with "
                        "rule pattern '*'.");
    if (use->alias && !star && (all || use->rules[1]))
        ps_syntax_error(ps, span,
                        "several rules cannot all be called '%s'; the name after 'as' needs a '*'",
                        sym_text(ps->names, use->alias));
}

static struct node *use_statement(struct parser *ps)
{
    uint32_t start = ps->tok->at;
    struct use_rule *use = arena_new(ps->in, struct use_rule);
    struct rule_block rule = {.place = IN_RULE, .inherits = true, .mark = kids_mark(ps)};
    ps_advance(ps);
    if (!token_is(ps, ps->tok, "rule"))
        ps_syntax_error(ps, token_span(ps->tok), "Expecting keyword 'rule' after keyword 'use'");
    ps_advance(ps);
    use->rules = used_rules(ps);
    use_clauses(ps, use);
    check_use(ps, use, start);
    uint32_t end = ps->last_end;
    rule.name = use->alias ? use->alias : use->rules[0];
    if (ps_accept(ps, TOKEN_WITH)) {
        use->with = true;
        if (!ps_accept(ps, TOKEN_COLON))
            ps_syntax_error(ps, token_span(ps->tok),
                            "Expecting colon after 'with' keyword in 'use rule' statement.");
        push_directives(ps, &rule);
    } else if (!at(ps, TOKEN_NEWLINE)) {
        ps_syntax_error(ps, token_span(ps->tok),
                        "Expecting either 'as', 'with' or end of line in 'use rule' statement.");
    } else {
        ps_end_of_statement(ps);
    }
    use->docstring = rule.docstring;
    struct node *node = ps_close(ps, NODE_USE_RULE, start, rule.mark);
    node->span.end = end;
    node->use = use;
    return node;
}

static struct node *hook_statement(struct parser *ps, const struct keyword *row)
{
    uint32_t start = ps->tok->at;
    sym_t name = ps_take_name(ps, "keyword");
    colon(ps, row);
    struct node *node = ps_one(ps, NODE_HOOK, start, code(ps, row->name, start));
    node->name = name;
    return node;
}

static struct node *value_statement(struct parser *ps, const struct keyword *row)
{
    uint32_t start = ps->tok->at, mark = kids_mark(ps);
    struct span word = token_span(ps->tok);
    const char *tag = NULL;
    sym_t name = ps_take_name(ps, "keyword");
    if (row->shape == SHAPE_TAGGED && at(ps, TOKEN_NAME))
        tag = sym_text(ps->names, ps_take_name(ps, "tag"));
    if (row->shape == SHAPE_TAGGED && !at(ps, TOKEN_COLON))
        ps_syntax_error(ps, token_span(ps->tok), "Expected name or colon after storage keyword.");
    colon(ps, row);
    push_value(ps, row, word);
    struct node *node = ps_close(ps, NODE_KEYWORD_STMT, start, mark);
    node->name = name;
    node->text = tag;
    node->len = tag ? (uint32_t)strlen(tag) : 0;
    ps_end_of_statement(ps);
    return node;
}

struct node *ps_snakemake_statement(struct parser *ps)
{
    const struct keyword *row = keyword_at(ps, ps->tok, IN_FILE);
    struct rule_block *outer = ps->rule;
    struct node *node;
    ps->rule = NULL;
    ps_enter(ps);
    switch (row->shape) {
    case SHAPE_RULE: node = rule_statement(ps, row); break;
    case SHAPE_MODULE: node = module_statement(ps, row); break;
    case SHAPE_USE: node = use_statement(ps); break;
    case SHAPE_CODE: node = hook_statement(ps, row); break;
    case SHAPE_REMOVED: removed(ps, row);
    default: node = value_statement(ps, row);
    }
    leave(ps);
    ps->rule = outer;
    return node;
}
