// SPDX-License-Identifier: MIT
/* Node trees (lib/_yaml.py makes them) become YAML text. A node met twice gets an anchor, numbered
 * in the order in which second meetings happen. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "modules/yaml_data.h"
#include "modules/yaml_out.h"
#include "python/str.h"
#include "python/vm.h"
#include "python/vm_state.h"

#define TAG "tag:yaml.org,2002:"

struct writing {
    struct vm *vm;
    const struct yaml_writer *options;
    struct yaml_out out;
    struct map met;     /* node address -> 1: met once, n + 2: anchor number n */
    struct map written; /* node address -> 1 */
    uint32_t anchors;
    int flow_level;
    sym_t id, tag, value, style, flow_style;
};

/* Where a node stands. */
struct spot {
    bool root, mapping, simple_key;
};

static bool write_node(struct writing *w, value node, struct spot spot);

/* ---- looking into nodes ---- */

enum yaml_node { YAML_SCALAR, YAML_SEQUENCE, YAML_MAPPING, YAML_NO_NODE };

static enum yaml_node kind_of(struct writing *w, value node)
{
    value id = value_attr_find(w->vm, node, w->id);
    const char *text = id && is_str(id) ? str_text(id) : "";
    if (*text == 's')
        return text[1] == 'c' ? YAML_SCALAR : YAML_SEQUENCE;
    if (*text == 'm')
        return YAML_MAPPING;
    if (!w->vm->error)
        vm_raise(w->vm, "TypeError", "a representer gave %s where a node is wanted",
                 type_name(node));
    return YAML_NO_NODE;
}

/* The text of an attribute, which must be a str ("" for None); NULL: raised. */
static const char *attr_str(struct writing *w, value node, sym_t name)
{
    value v = value_attr(w->vm, node, name);
    if (!v || v == VALUE_NONE)
        return v ? "" : NULL;
    if (is_str(v))
        return str_text(v);
    vm_raise(w->vm, "TypeError", "%s of a node must be str, not %s", sym_text(w->vm->names, name),
             type_name(v));
    return NULL;
}

/* The items of a collection node. */
static const value *node_items(struct writing *w, value node, size_t *n)
{
    value list = value_attr(w->vm, node, w->value);
    const value *items = list ? sequence_items(list, n) : NULL;
    if (list && !items)
        vm_raise(w->vm, "TypeError", "the value of a collection node must be a list");
    return items;
}

static const value *node_pair(struct writing *w, value pair)
{
    size_t n;
    const value *items = sequence_items(pair, &n);
    if (!items || n != 2) {
        vm_raise(w->vm, "TypeError",
                 "the value of a mapping node must be a list of pairs of nodes");
        return NULL;
    }
    return items;
}

/* ---- anchors ---- */

static bool meet(struct writing *w, value node)
{
    uint32_t *met = map_at(&w->met, node);
    if (*met) {
        if (*met == 1)
            *met = ++w->anchors + 2;
        return true;
    }
    *met = 1;
    enum yaml_node kind = kind_of(w, node);
    if (kind == YAML_SCALAR || kind == YAML_NO_NODE)
        return kind == YAML_SCALAR;
    size_t n = 0;
    const value *items = vm_too_deep(w->vm) ? NULL : node_items(w, node, &n);
    for (size_t i = 0; items && i < n; i++) {
        const value *pair = kind == YAML_MAPPING ? node_pair(w, items[i]) : NULL;
        if (kind == YAML_MAPPING ? !pair || !meet(w, pair[0]) || !meet(w, pair[1])
                                 : !meet(w, items[i]))
            return false;
    }
    return items;
}

/* The number of a node's anchor; 0: it has none. */
static uint32_t anchor_of(struct writing *w, value node)
{
    uint32_t met = map_find(&w->met, node);
    return met > 2 ? met - 2 : 0;
}

static void write_anchor(struct writing *w, char sign, uint32_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%cid%03u", sign, (unsigned)number);
    yaml_out_indicator(&w->out, text, true, false, false);
}

/* ---- tags ---- */

static bool in_tag(unsigned char c, bool bang)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           (c && strchr("-;/?:@&=+$,_.~*'()[]", c)) || (c == '!' && bang);
}

/* As it is written: "!!set", "!mine", "!<tag:...>". */
static void tag_text(const char *tag, struct buf *to)
{
    bool own = !strncmp(tag, TAG, strlen(TAG)) && strlen(tag) > strlen(TAG),
         local = !own && *tag == '!';
    if (!strcmp(tag, "!")) {
        buf_str(to, tag);
        return;
    }
    buf_str(to, own ? "!!" : local ? "!" : "!<");
    for (const char *at = tag + (own ? strlen(TAG) : local); *at; at++)
        if (in_tag((unsigned char)*at, !local))
            buf_char(to, *at);
        else
            buf_printf(to, "%%%02X", (unsigned char)*at);
    if (!own && !local)
        buf_char(to, '>');
}

static void write_tag(struct writing *w, const char *tag)
{
    struct buf text = {0};
    tag_text(tag, &text);
    yaml_out_indicator(&w->out, buf_text(&text), true, false, false);
    buf_free(&text);
}

static size_t tag_len(const char *tag)
{
    struct buf text = {0};
    tag_text(tag, &text);
    size_t len = text.len;
    buf_free(&text);
    return len;
}

/* ---- scalars ---- */

/* The tag that readers give a plain scalar of this text. */
static const char *resolved_tag(const char *text, size_t len)
{
    static const char *const tags[] = {
        [YAML_STR] = TAG "str",     [YAML_NULL] = TAG "null",
        [YAML_BOOL] = TAG "bool",   [YAML_INT] = TAG "int",
        [YAML_FLOAT] = TAG "float", [YAML_TIMESTAMP] = TAG "timestamp",
        [YAML_MERGE] = TAG "merge", [YAML_DEFAULT] = TAG "value",
    };
    if (len == 1 && strchr("!&*", *text))
        return TAG "yaml";
    return tags[yaml_resolve(text, len)];
}

static char choose_style(struct writing *w, const struct yaml_looks *looks, char wanted,
                         bool plain_ok, bool empty, bool simple_key)
{
    if (wanted == '"')
        return '"';
    if (!wanted && plain_ok && !(simple_key && (empty || looks->multiline)) &&
        (w->flow_level ? looks->flow_plain : looks->block_plain))
        return 0;
    if ((wanted == '|' || wanted == '>') && !w->flow_level && !simple_key && looks->block)
        return wanted;
    if ((!wanted || wanted == '\'') && looks->single_quoted && !(simple_key && looks->multiline))
        return '\'';
    return '"';
}

static void write_styled(struct writing *w, char style, struct yaml_text text, bool split,
                         bool root)
{
    struct yaml_out *out = &w->out;
    switch (style) {
    case '"': yaml_out_double(out, text, split); break;
    case '\'': yaml_out_single(out, text, split); break;
    case '|': yaml_out_literal(out, text); break;
    case '>': yaml_out_folded(out, text); break;
    default: out->open_ended |= root; yaml_out_plain(out, text, split);
    }
}

static struct yaml_text decode(const char *text, size_t len)
{
    const char *end = text + len;
    uint32_t *to = memory_resized(NULL, len + 1, sizeof *to);
    size_t n = 0;
    for (const char *at = text; at < end;)
        to[n++] = utf8_next(&at, end);
    return (struct yaml_text){to, n};
}

static bool write_scalar(struct writing *w, value node, struct spot spot)
{
    const char *tag = attr_str(w, node, w->tag), *wanted = tag ? attr_str(w, node, w->style) : NULL;
    if (!wanted || !attr_str(w, node, w->value))
        return false;
    value content = value_attr(w->vm, node, w->value);
    if (content == VALUE_NONE)
        content = str_from(w->vm, "");
    struct text bytes = text_of(content);
    struct yaml_text text = decode(bytes.at, bytes.len);
    struct yaml_looks looks = yaml_looks(&w->out, text);
    bool plain_ok = !strcmp(tag, resolved_tag(bytes.at, bytes.len)),
         is_text = !strcmp(tag, TAG "str");
    char style = choose_style(w, &looks, *wanted, plain_ok, !text.len, spot.simple_key);
    if (!(style ? is_text : plain_ok))
        write_tag(w, tag);
    int indent = w->out.indent;
    w->out.indent = indent < 0 ? w->out.step : indent + w->out.step;
    write_styled(w, style, text, !spot.simple_key, spot.root);
    w->out.indent = indent;
    free((void *)text.at);
    return true;
}

/* ---- collections ---- */

/* Whether a node can stand in front of ": " on one line; -1: raised. */
static int is_simple_key(struct writing *w, value node)
{
    uint32_t anchor = anchor_of(w, node);
    size_t length = anchor ? (anchor > 999 ? 6 : 5) : 0, n;
    if (anchor && map_find(&w->written, node))
        return true;
    const char *tag = attr_str(w, node, w->tag);
    if (!tag)
        return -1;
    length += tag_len(tag);
    if (kind_of(w, node) != YAML_SCALAR)
        return node_items(w, node, &n) ? n == 0 && length < 128 : -1;
    if (!attr_str(w, node, w->value))
        return -1;
    value content = value_attr(w->vm, node, w->value);
    if (!is_str(content) || !as_str(content)->len)
        return false;
    struct text bytes = text_of(content);
    struct yaml_text text = decode(bytes.at, bytes.len);
    bool multiline = yaml_looks(&w->out, text).multiline;
    free((void *)text.at);
    return !multiline && length + text.len < 128;
}

static void flow_break(struct writing *w)
{
    if (w->out.column > w->out.width)
        yaml_out_indent(&w->out);
}

static bool write_flow_pair(struct writing *w, const value *pair)
{
    int simple = is_simple_key(w, pair[0]);
    if (simple < 0)
        return false;
    if (!simple)
        yaml_out_indicator(&w->out, "?", true, false, false);
    if (!write_node(w, pair[0], (struct spot){.mapping = true, .simple_key = simple}))
        return false;
    if (!simple)
        flow_break(w);
    yaml_out_indicator(&w->out, ":", !simple, false, false);
    return write_node(w, pair[1], (struct spot){.mapping = true});
}

static bool write_flow(struct writing *w, const value *items, size_t n, bool mapping)
{
    struct yaml_out *out = &w->out;
    int indent = out->indent;
    yaml_out_indicator(out, mapping ? "{" : "[", true, true, false);
    w->flow_level++;
    out->indent = indent < 0 ? out->step : indent + out->step;
    for (size_t i = 0; i < n; i++) {
        if (i)
            yaml_out_indicator(out, ",", false, false, false);
        flow_break(w);
        const value *pair = mapping ? node_pair(w, items[i]) : NULL;
        if (mapping ? !pair || !write_flow_pair(w, pair)
                    : !write_node(w, items[i], (struct spot){0}))
            return false;
    }
    out->indent = indent;
    w->flow_level--;
    yaml_out_indicator(out, mapping ? "}" : "]", false, false, false);
    return true;
}

static bool write_block_pair(struct writing *w, const value *pair)
{
    struct yaml_out *out = &w->out;
    yaml_out_indent(out);
    int simple = is_simple_key(w, pair[0]);
    if (simple < 0)
        return false;
    if (!simple)
        yaml_out_indicator(out, "?", true, false, true);
    if (!write_node(w, pair[0], (struct spot){.mapping = true, .simple_key = simple}))
        return false;
    if (!simple)
        yaml_out_indent(out);
    yaml_out_indicator(out, ":", !simple, false, !simple);
    return write_node(w, pair[1], (struct spot){.mapping = true});
}

static bool write_block(struct writing *w, const value *items, size_t n, bool mapping,
                        struct spot spot)
{
    struct yaml_out *out = &w->out;
    int indent = out->indent;
    bool indentless = !mapping && spot.mapping && !out->indention && !w->options->indent_lists;
    if (indent < 0)
        out->indent = 0;
    else if (!indentless)
        out->indent += out->step;
    for (size_t i = 0; i < n; i++) {
        const value *pair = mapping ? node_pair(w, items[i]) : NULL;
        if (!mapping) {
            yaml_out_indent(out);
            yaml_out_indicator(out, "-", true, false, true);
        }
        if (mapping ? !pair || !write_block_pair(w, pair)
                    : !write_node(w, items[i], (struct spot){0}))
            return false;
    }
    out->indent = indent;
    return true;
}

static bool write_collection(struct writing *w, value node, bool mapping, struct spot spot)
{
    size_t n;
    bool flow;
    const char *tag = attr_str(w, node, w->tag);
    const value *items = tag ? node_items(w, node, &n) : NULL;
    value style = items ? value_attr(w->vm, node, w->flow_style) : NO_VALUE;
    if (!style || !value_truth(w->vm, style, &flow) || vm_too_deep(w->vm))
        return false;
    if (strcmp(tag, mapping ? TAG "map" : TAG "seq") != 0)
        write_tag(w, tag);
    return w->flow_level || flow || !n ? write_flow(w, items, n, mapping)
                                       : write_block(w, items, n, mapping, spot);
}

static bool write_node(struct writing *w, value node, struct spot spot)
{
    uint32_t anchor = anchor_of(w, node), *written = anchor ? map_at(&w->written, node) : NULL;
    if (anchor) {
        write_anchor(w, *written ? '*' : '&', anchor);
        if (*written)
            return true;
        *written = 1;
    }
    enum yaml_node kind = kind_of(w, node);
    if (kind == YAML_NO_NODE)
        return false;
    return kind == YAML_SCALAR ? write_scalar(w, node, spot)
                               : write_collection(w, node, kind == YAML_MAPPING, spot);
}

/* ---- documents ---- */

static bool write_document(struct writing *w, value node, bool first)
{
    struct yaml_out *out = &w->out;
    map_free(&w->met);
    map_free(&w->written);
    w->anchors = 0;
    out->indent = -1;
    if (!meet(w, node))
        return false;
    if (!first || w->options->explicit_start) {
        yaml_out_indent(out);
        yaml_out_indicator(out, "---", true, false, false);
    }
    if (!write_node(w, node, (struct spot){.root = true}))
        return false;
    out->indent = -1;
    yaml_out_indent(out);
    if (w->options->explicit_end) {
        yaml_out_indicator(out, "...", true, false, false);
        yaml_out_indent(out);
    }
    return true;
}

static void write_start(struct writing *w)
{
    const struct yaml_writer *options = w->options;
    w->out = (struct yaml_out){
        .step = options->indent > 1 && options->indent < 10 ? (int)options->indent : 2,
        .width = 80,
        .indent = -1,
        .whitespace = true,
        .indention = true,
        .allow_unicode = options->allow_unicode,
        .line_break = "\n"};
    if (options->width > 2 * w->out.step)
        w->out.width = options->width > INT32_MAX / 2 ? INT32_MAX / 2 : (int)options->width;
    w->id = intern_str(w->vm->names, "id");
    w->tag = intern_str(w->vm->names, "tag");
    w->value = intern_str(w->vm->names, "value");
    w->style = intern_str(w->vm->names, "style");
    w->flow_style = intern_str(w->vm->names, "flow_style");
}

value yaml_write(struct vm *vm, const struct yaml_writer *options, const value *nodes, size_t n)
{
    struct writing w = {.vm = vm, .options = options};
    bool fine = true;
    write_start(&w);
    for (size_t i = 0; i < n && fine; i++)
        fine = write_document(&w, nodes[i], i == 0);
    if (fine && w.out.open_ended) {
        yaml_out_indicator(&w.out, "...", true, false, false);
        yaml_out_indent(&w.out);
    }
    map_free(&w.met);
    map_free(&w.written);
    if (fine)
        return str_take(vm, &w.out.text);
    buf_free(&w.out.text);
    return NO_VALUE;
}
