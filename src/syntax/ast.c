// SPDX-License-Identifier: MIT
/* ast.c: names of node kinds and operators, and trees as S-expressions:
 *
 *     x = f(a, b=1) + "s"    (ASSIGN (BINARY + (CALL f a (KEYWORD b 1)) "s") x)
 *
 * Names and constants stand for themselves, an absent kid is '-'. */
#include "syntax/ast.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

static const char *const kind_names[] = {
#define X(kind) #kind,
    NODE_KINDS(X)
#undef X
};

static const char *const op_texts[] = {
#define X(op, text) text,
    OPERATORS(X)
#undef X
};

const char *node_kind_name(enum node_kind kind)
{
    return kind < NODE_KIND_COUNT ? kind_names[kind] : "?";
}

const char *op_text(enum node_op op)
{
    return op < sizeof op_texts / sizeof *op_texts ? op_texts[op] : "?";
}

static void print_text(const char *text, size_t len, struct buf *out)
{
    buf_char(out, '"');
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\')
            buf_printf(out, "\\%c", c);
        else if (c == '\n')
            buf_str(out, "\\n");
        else if (c < 32 || c == 127)
            buf_printf(out, "\\x%02x", c);
        else
            buf_char(out, (char)c);
    }
    buf_char(out, '"');
}

/* The shortest digits that give the same number back. */
static void print_real(double real, struct buf *out)
{
    size_t start = out->len;
    for (int precision = 15; precision <= 17; precision++) {
        out->len = start;
        buf_printf(out, "%.*g", precision, real);
        if (strtod(out->at + start, NULL) == real)
            return;
    }
}

static bool print_leaf(const struct node *node, const struct intern *names, struct buf *out)
{
    switch (node->kind) {
    case NODE_NONE: buf_str(out, "None"); return true;
    case NODE_TRUE: buf_str(out, "True"); return true;
    case NODE_FALSE: buf_str(out, "False"); return true;
    case NODE_ELLIPSIS: buf_str(out, "..."); return true;
    case NODE_INT: buf_str(out, node->text); return true;
    case NODE_FLOAT: print_real(node->real, out); return true;
    case NODE_IMAG:
        print_real(node->real, out);
        buf_char(out, 'j');
        return true;
    case NODE_BYTES: buf_char(out, 'b'); /* fallthrough */
    case NODE_STR: print_text(node->text, node->len, out); return true;
    case NODE_NAME: buf_str(out, sym_text(names, node->name)); return true;
    }
    return false;
}

static void print_op(const struct node *node, struct buf *out)
{
    static const char *const params[] = {" /", "", " *", " keyword", " **"};
    switch (node->kind) {
    case NODE_BINARY:
    case NODE_UNARY:
    case NODE_COMPARE:
    case NODE_AUGASSIGN: buf_printf(out, " %s", op_text(node->op)); break;
    case NODE_FIELD:
        if (node->op)
            buf_printf(out, " !%c", node->op);
        break;
    case NODE_PARAM: buf_str(out, params[node->op]); break;
    case NODE_EXCEPT: buf_str(out, node->op ? " *" : ""); break;
    case NODE_RULE: buf_str(out, node->op ? " checkpoint" : ""); break;
    case NODE_DEF:
    case NODE_FOR:
    case NODE_WITH:
    case NODE_FOR_CLAUSE: buf_str(out, node->op ? " async" : ""); break;
    }
}

static void print_syms(const char *word, const sym_t *sym, const struct intern *names,
                       struct buf *out)
{
    buf_printf(out, " %s", word);
    for (; *sym; sym++)
        buf_printf(out, " %s", sym_text(names, *sym));
}

static void print_use(const struct use_rule *use, const struct intern *names, struct buf *out)
{
    print_syms("rules:", use->rules, names, out);
    if (use->from)
        buf_printf(out, " from: %s", sym_text(names, use->from));
    if (use->exclude)
        print_syms("exclude:", use->exclude, names, out);
    if (use->alias)
        buf_printf(out, " as: %s", sym_text(names, use->alias));
    if (use->with)
        buf_str(out, " with:");
}

/* Texts of nodes that are no constants. */
static void print_payload(const struct node *node, const struct intern *names, struct buf *out)
{
    switch (node->kind) {
    case NODE_ALIAS:
        if (node->text)
            buf_printf(out, " as %s", node->text);
        break;
    case NODE_FIELD:
    case NODE_RULE:
    case NODE_KEYWORD_STMT:
        if (node->text) {
            buf_char(out, ' ');
            print_text(node->text, node->len, out);
        }
        break;
    case NODE_IMPORT_FROM:
        if (node->num)
            buf_printf(out, " dots: %d", (int)node->num);
        break;
    case NODE_CLASS:
        if (node->num)
            buf_printf(out, " decorators: %d", (int)node->num);
        break;
    case NODE_USE_RULE: print_use(node->use, names, out); break;
    }
}

void ast_print(const struct node *node, const struct intern *names, struct buf *out)
{
    if (!node) {
        buf_char(out, '-');
        return;
    }
    if (print_leaf(node, names, out))
        return;
    buf_printf(out, "(%s", node_kind_name(node->kind));
    print_op(node, out);
    if (node->name)
        buf_printf(out, " %s", sym_text(names, node->name));
    print_payload(node, names, out);
    for (uint32_t i = 0; i < node->n; i++) {
        buf_char(out, ' ');
        ast_print(node->kid[i], names, out);
    }
    buf_char(out, ')');
}
