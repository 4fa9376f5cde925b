// SPDX-License-Identifier: MIT
/* The only door to libyaml: its events become Python values at once, without a tree of nodes in
 * between. Open collections stand on a stack of our own, so depth costs no C stack; an alias is the
 * same object again, so aliases of aliases cost nothing.
 *
 *     a: [1, *x]      MAPPING-START  a dict on top; "a" becomes its waiting key
 *                     SEQUENCE-START a list on top; "1" and *x are put into it
 *                     SEQUENCE-END   the list is complete and is put under the key
 *                     MAPPING-END */
#include <yaml.h>

#include <string.h>

#include "base/pool.h"
#include "base/utf8.h"
#include "modules/yaml_data.h"
#include "python/str.h"
#include "python/vm.h"

#define TAG "tag:yaml.org,2002:"

enum role {
    ROLE_SEQ,
    ROLE_TUPLE,
    ROLE_OMAP, /* a list of pairs, from mappings of one item */
    ROLE_MAP,
    ROLE_SET,
    ROLE_CUSTOM_SEQ, /* for a constructor of the user's */
    ROLE_CUSTOM_MAP,
};

/* PyYAML ends at some 500; libyaml takes quadratic time. */
enum { MOST_LEVELS = 10000 };

struct open {
    enum role role;
    bool merging;    /* the waiting key is << */
    value container; /* list or dict */
    value key;       /* waiting for its item, or NO_VALUE */
    value merges;    /* list of dicts to merge, or NO_VALUE */
    value tag;       /* CUSTOM */
    yaml_mark_t start;
    uint32_t anchor; /* index + 1 in anchors, 0: none */
};

struct anchor {
    value object; /* NO_VALUE: cannot be had before it is complete */
    yaml_mark_t mark;
};

struct reading {
    struct vm *vm;
    const struct yaml_reader *reader;
    const char *text;
    size_t len;
    yaml_parser_t parser;
    yaml_event_t event;
    VEC(struct open) open;
    VEC(struct anchor) anchors;
    value anchor_of; /* dict: name -> index in anchors, of this document */
    value documents;
    yaml_mark_t document; /* where the last one begins: its root */
    size_t blank_at;      /* nonzero: where a blank is wanted, nothing is raised */
    bool stop; /* the error is one of anchors and documents, which stand in order with the parser's
                */
};

/* ---- errors ---- */

static value mark_value(struct vm *vm, const yaml_mark_t *mark)
{
    if (!mark)
        return VALUE_NONE;
    value at[] = {small((int64_t)mark->index), small((int64_t)mark->line),
                  small((int64_t)mark->column)};
    return tuple_new(vm, at, 3);
}

/* Raises an error of yaml.CLASS; context and marks may be NULL. Always NO_VALUE. */
static value fail(struct reading *r, const char *class, const char *context,
                  const yaml_mark_t *context_mark, value problem, const yaml_mark_t *mark)
{
    struct vm *vm = r->vm;
    r->stop = !strcmp(class, "ComposerError");
    value args[] = {str_from(vm, class), context ? str_from(vm, context) : VALUE_NONE,
                    mark_value(vm, context_mark), problem, mark_value(vm, mark)};
    value error = vm_call(vm, r->reader->fail, args, 5, NO_VALUE);
    return error ? vm_raise_value(vm, error) : NO_VALUE;
}

static value fail_constructing(struct reading *r, const char *problem, const yaml_mark_t *mark)
{
    return fail(r, "ConstructorError", NULL, NULL, str_from(r->vm, problem), mark);
}

/* libyaml goes to a new line at the end of the text, PyYAML stays where it is. */
static yaml_mark_t true_mark(const struct reading *r, yaml_mark_t mark)
{
    size_t offset = utf8_offset(r->text, r->len, mark.index), column = 0;
    if (!offset || offset != r->len || mark.column || strchr("\r\n", r->text[offset - 1]))
        return mark;
    while (offset && !strchr("\r\n", r->text[offset - 1]))
        column += (r->text[--offset] & 0xc0) != 0x80;
    mark.line -= mark.line > 0;
    mark.column = column;
    return mark;
}

static bool is_bracket(const char *text, size_t len, size_t at)
{
    return at < len && text[at] && strchr(",[]{}", text[at]);
}

/* In {a:[1]} and the like PyYAML takes the colon for the end of a key, libyaml wants a blank behind
 * it. */
static bool find_blank(struct reading *r, const char *said)
{
    size_t at = utf8_offset(r->text, r->len, r->parser.problem_mark.index) + 1;
    if (strcmp(said, "found unexpected ':'") || !is_bracket(r->text, r->len, at))
        return false;
    r->blank_at = at;
    return true;
}

static value fail_parsing(struct reading *r)
{
    const yaml_parser_t *parser = &r->parser;
    const char *said = parser->problem ? parser->problem : "out of memory";
    if (find_blank(r, said))
        return NO_VALUE;
    if (parser->error == YAML_READER_ERROR) {
        size_t before = parser->problem_offset < r->len ? parser->problem_offset : r->len;
        yaml_mark_t place = {.index = utf8_count(r->text, before), /* libyaml counts bytes here */
                             .line = (size_t)parser->problem_value};
        return fail(r, "ReaderError", NULL, NULL, str_from(r->vm, said), &place);
    }
    struct buf words = {0};
    yaml_mark_t mark = true_mark(r, parser->problem_mark),
                context = true_mark(r, parser->context_mark);
    yaml_words(said, mark.column == context.column,
               r->text + utf8_offset(r->text, r->len, mark.index), r->text + r->len, &words);
    value problem = str_take(r->vm, &words);
    if (!strcmp(said, "found unknown escape character")) { /* PyYAML points behind the backslash */
        mark.index++;
        mark.column++;
    }
    return fail(r, parser->error == YAML_SCANNER_ERROR ? "ScannerError" : "ParserError",
                yaml_context(parser->context), parser->context ? &context : NULL, problem, &mark);
}

/* ---- merge keys ---- */

static const char *node_kind(value v)
{
    return is_list(v) || is_tuple(v) ? "sequence" : is_dict(v) ? "mapping" : "scalar";
}

/* What << stands for: a mapping, or a list of them of which the first ones win. */
static bool merge_add(struct reading *r, struct open *open, value item, const yaml_mark_t *mark)
{
    size_t n = 1;
    const value *items = is_list(item) ? sequence_items(item, &n) : &item;
    const char *wanted = is_list(item) ? "a mapping" : "a mapping or list of mappings";
    if (!open->merges)
        open->merges = list_new(r->vm, NULL, 0);
    for (size_t i = n; i-- > 0;) {
        if (!is_dict(items[i]))
            return fail(r, "ConstructorError", "while constructing a mapping", &open->start,
                        str_printf(r->vm, "expected %s for merging, but found %s", wanted,
                                   node_kind(items[i])),
                        mark);
        list_push(r->vm, open->merges, items[i]);
    }
    return true;
}

static bool merge_dict(struct vm *vm, value into, value from)
{
    value key, item;
    for (size_t pos = 0; dict_next(from, &pos, &key, &item);)
        if (!dict_set(vm, into, key, item))
            return false;
    return true;
}

/* Merged items come first, own ones win. The dict stays the same object: something may refer to it
 * already. */
static bool merge_finish(struct reading *r, struct open *open)
{
    struct vm *vm = r->vm;
    size_t n;
    value merged = dict_new(vm), key, item;
    const value *at = sequence_items(open->merges, &n);
    for (size_t i = 0; i < n; i++)
        if (!merge_dict(vm, merged, at[i]))
            return false;
    if (!merge_dict(vm, merged, open->container))
        return false;
    for (size_t pos = 0; dict_next(merged, &pos, &key, &item);)
        dict_delete(vm, open->container, key);
    return merge_dict(vm, open->container, merged);
}

/* ---- putting objects where they belong ---- */

static bool is_mapping(enum role role)
{
    return role == ROLE_MAP || role == ROLE_SET || role == ROLE_CUSTOM_MAP;
}

static bool put_pair(struct reading *r, struct open *open, value item, const yaml_mark_t *mark)
{
    struct vm *vm = r->vm;
    size_t pos = 0;
    value pair[2];
    if (!is_dict(item) || dict_len(item) != 1)
        return fail(
            r, "ConstructorError", "while constructing an ordered map", &open->start,
            is_dict(item)
                ? str_printf(vm, "expected a single mapping item, but found %zu items",
                             dict_len(item))
                : str_printf(vm, "expected a mapping of length 1, but found %s", node_kind(item)),
            mark);
    dict_next(item, &pos, &pair[0], &pair[1]);
    list_push(vm, open->container, tuple_new(vm, pair, 2));
    return true;
}

static bool put_key(struct reading *r, struct open *open, value key, bool merge,
                    const yaml_mark_t *mark)
{
    uint64_t hash;
    open->merging = merge;
    open->key = key;
    if (is_str(key) || value_hash(r->vm, key, &hash))
        return true;
    vm_take_error(r->vm);
    return fail(r, "ConstructorError", "while constructing a mapping", &open->start,
                str_from(r->vm, "found unhashable key"), mark);
}

static bool put_item(struct reading *r, struct open *open, value item, const yaml_mark_t *mark)
{
    value key = open->key;
    open->key = NO_VALUE;
    return open->merging ? merge_add(r, open, item, mark)
                         : dict_set(r->vm, open->container, key, item);
}

/* An object goes into the collection on top, or is a document. */
static bool put(struct reading *r, value object, bool merge, const yaml_mark_t *mark)
{
    struct open *open = r->open.len ? &r->open.at[r->open.len - 1] : NULL;
    if (open && is_mapping(open->role))
        return open->key ? put_item(r, open, object, mark) : put_key(r, open, object, merge, mark);
    if (open && open->role == ROLE_OMAP)
        return put_pair(r, open, object, mark);
    list_push(r->vm, open ? open->container : r->documents, object);
    if (!open)
        r->document = *mark;
    return true;
}

/* ---- anchors ---- */

/* Remembers an anchored object; *index is its number, from 1 on, 0 where there is no anchor. False:
 * raised. */
static bool anchor_add(struct reading *r, const yaml_char_t *name, value object, uint32_t *index)
{
    struct vm *vm = r->vm;
    *index = 0;
    if (!name)
        return true;
    value key = str_from(vm, (const char *)name), known = dict_get(vm, r->anchor_of, key);
    if (known) {
        value context = str_printf(vm, "found duplicate anchor '%s'; first occurrence",
                                   (const char *)name);
        return fail(r, "ComposerError", str_text(context), &r->anchors.at[small_int(known)].mark,
                    str_from(vm, "second occurrence"), &r->event.start_mark);
    }
    dict_set(vm, r->anchor_of, key, small(r->anchors.len));
    vec_push(&r->anchors, ((struct anchor){object, r->event.start_mark}));
    *index = r->anchors.len;
    return true;
}

static bool on_alias(struct reading *r)
{
    const char *name = (const char *)r->event.data.alias.anchor;
    value known = dict_get_str(r->vm, r->anchor_of, name);
    if (!known)
        return fail(r, "ComposerError", NULL, NULL,
                    str_printf(r->vm, "found undefined alias '%s'", name), &r->event.start_mark);
    const struct anchor *anchor = &r->anchors.at[small_int(known)];
    if (!anchor->object)
        return fail_constructing(r, "found unconstructable recursive node", &anchor->mark);
    return put(r, anchor->object, false, &r->event.start_mark);
}

/* ---- tags ---- */

/* Tags of collections behind TAG. */
static const struct {
    const char *name;
    enum role role;
    enum yaml_schema from;
} collection_tags[] = {
    {"seq", ROLE_SEQ, YAML_SAFE},
    {"omap", ROLE_OMAP, YAML_SAFE},
    {"pairs", ROLE_OMAP, YAML_SAFE},
    {"map", ROLE_MAP, YAML_SAFE},
    {"set", ROLE_SET, YAML_SAFE},
    {"python/list", ROLE_SEQ, YAML_FULL},
    {"python/tuple", ROLE_TUPLE, YAML_FULL},
    {"python/dict", ROLE_MAP, YAML_FULL},
};
enum { COLLECTION_TAGS = sizeof collection_tags / sizeof *collection_tags };

/* The user's constructor makes it. */
static value construct(struct reading *r, value tag, const char *kind, value content,
                       const yaml_mark_t *mark)
{
    value args[] = {tag, str_from(r->vm, kind), content, mark_value(r->vm, mark)};
    return vm_call(r->vm, r->reader->construct, args, 4, NO_VALUE);
}

/* Whether the loader class has a constructor of its own for a tag. */
static bool is_custom(struct reading *r, const char *tag)
{
    return dict_len(r->reader->custom) && dict_get_str(r->vm, r->reader->custom, tag);
}

static value wrong_node(struct reading *r, const char *expected, const char *found)
{
    value problem = str_printf(r->vm, "expected a %s node, but found %s", expected, found);
    return fail(r, "ConstructorError", NULL, NULL, problem, &r->event.start_mark);
}

/* ---- scalars ---- */

struct scalar {
    const char *text;
    size_t len;
};

static value make_str(struct reading *r, struct scalar s)
{
    return str_new(r->vm, s.text, s.len);
}

static value make_null(struct reading *r, struct scalar s)
{
    return VALUE_NONE;
}

static value make_bool(struct reading *r, struct scalar s)
{
    return yaml_bool(r->vm, s.text, s.len);
}

static value make_int(struct reading *r, struct scalar s)
{
    return yaml_int(r->vm, s.text, s.len);
}

static value make_float(struct reading *r, struct scalar s)
{
    return yaml_float(r->vm, s.text, s.len);
}

static value make_timestamp(struct reading *r, struct scalar s)
{
    return vm_call1(r->vm, r->reader->timestamp, make_str(r, s));
}

static value make_binary(struct reading *r, struct scalar s)
{
    value v = yaml_binary(r->vm, s.text, s.len);
    return v ? v
             : fail_constructing(r, "failed to decode base64 data: Incorrect padding",
                                 &r->event.start_mark);
}

static value make_complex(struct reading *r, struct scalar s)
{
    return vm_call1(r->vm, dict_get_str(r->vm, vm_builtins(r->vm), "complex"), make_str(r, s));
}

/* << and = mean something as keys only. */
static value make_undefined(struct reading *r, struct scalar s)
{
    value problem = str_printf(r->vm, "could not determine a constructor for the tag '" TAG "%s'",
                               s.len == 1 ? "value" : "merge");
    return fail(r, "ConstructorError", NULL, NULL, problem, &r->event.start_mark);
}

/* Tags of scalars behind TAG. */
static const struct {
    const char *name;
    value (*make)(struct reading *r, struct scalar s);
    enum yaml_schema from;
} scalar_tags[] = {
    {"str", make_str, YAML_SAFE},
    {"null", make_null, YAML_SAFE},
    {"bool", make_bool, YAML_SAFE},
    {"int", make_int, YAML_SAFE},
    {"float", make_float, YAML_SAFE},
    {"timestamp", make_timestamp, YAML_SAFE},
    {"binary", make_binary, YAML_SAFE},
    {"python/none", make_null, YAML_FULL},
    {"python/bool", make_bool, YAML_FULL},
    {"python/str", make_str, YAML_FULL},
    {"python/unicode", make_str, YAML_FULL},
    {"python/bytes", make_binary, YAML_FULL},
    {"python/int", make_int, YAML_FULL},
    {"python/long", make_int, YAML_FULL},
    {"python/float", make_float, YAML_FULL},
    {"python/complex", make_complex, YAML_FULL},
};
enum { SCALAR_TAGS = sizeof scalar_tags / sizeof *scalar_tags };

/* What the resolver says about scalars without a tag. */
static const struct {
    const char *tag;
    value (*make)(struct reading *r, struct scalar s);
} kinds[] = {
    [YAML_STR] = {TAG "str", make_str},
    [YAML_NULL] = {TAG "null", make_null},
    [YAML_BOOL] = {TAG "bool", make_bool},
    [YAML_INT] = {TAG "int", make_int},
    [YAML_FLOAT] = {TAG "float", make_float},
    [YAML_TIMESTAMP] = {TAG "timestamp", make_timestamp},
    [YAML_MERGE] = {TAG "merge", make_undefined},
    [YAML_DEFAULT] = {TAG "value", make_undefined},
};

static value make_resolved(struct reading *r, enum yaml_kind kind, struct scalar s)
{
    const struct open *open = r->open.len ? &r->open.at[r->open.len - 1] : NULL;
    if ((kind == YAML_DEFAULT || kind == YAML_MERGE) && open && is_mapping(open->role) &&
        !open->key)
        kind = YAML_STR;
    if (is_custom(r, kinds[kind].tag))
        return construct(r, str_from(r->vm, kinds[kind].tag), "scalar", make_str(r, s),
                         &r->event.start_mark);
    return kinds[kind].make(r, s);
}

static value make_tagged(struct reading *r, const char *tag, struct scalar s)
{
    const char *name = strncmp(tag, TAG, strlen(TAG)) || is_custom(r, tag) ? "" : tag + strlen(TAG);
    for (size_t i = 0; i < SCALAR_TAGS; i++)
        if (scalar_tags[i].from <= r->reader->schema && !strcmp(scalar_tags[i].name, name))
            return scalar_tags[i].make(r, s);
    for (size_t i = 0; i < COLLECTION_TAGS; i++)
        if (collection_tags[i].from <= r->reader->schema && !strcmp(collection_tags[i].name, name))
            return wrong_node(r, is_mapping(collection_tags[i].role) ? "mapping" : "sequence",
                              "scalar");
    return construct(r, str_from(r->vm, tag), "scalar", make_str(r, s), &r->event.start_mark);
}

static bool on_scalar(struct reading *r)
{
    const yaml_event_t *event = &r->event;
    struct scalar s = {(const char *)event->data.scalar.value, event->data.scalar.length};
    const char *tag = (const char *)event->data.scalar.tag;
    enum yaml_kind kind = YAML_STR;
    uint32_t index;
    value v;
    if (r->reader->schema == YAML_BASE) {
        v = make_str(r, s);
    } else if (tag && strcmp(tag, "!") != 0) {
        v = make_tagged(r, tag, s);
    } else {
        if (event->data.scalar.plain_implicit || tag) /* "!" means the same as no tag */
            kind = yaml_resolve(s.text, s.len);
        v = make_resolved(r, kind, s);
    }
    return v && anchor_add(r, event->data.scalar.anchor, v, &index) &&
           put(r, v, kind == YAML_MERGE, &event->start_mark);
}

/* ---- collections ---- */

/* The role of a collection with that tag; false: raised. */
static bool role_of(struct reading *r, const char *tag, bool mapping, enum role *role)
{
    const char *name = strncmp(tag, TAG, strlen(TAG)) || is_custom(r, tag) ? "" : tag + strlen(TAG);
    const char *found = mapping ? "mapping" : "sequence";
    *role = mapping ? ROLE_MAP : ROLE_SEQ;
    if (r->reader->schema == YAML_BASE)
        return true;
    for (size_t i = 0; i < COLLECTION_TAGS; i++)
        if (collection_tags[i].from <= r->reader->schema &&
            !strcmp(collection_tags[i].name, name)) {
            *role = collection_tags[i].role;
            return is_mapping(*role) == mapping ||
                   wrong_node(r, mapping ? "sequence" : "mapping", found);
        }
    for (size_t i = 0; i < SCALAR_TAGS; i++)
        if (scalar_tags[i].from <= r->reader->schema && !strcmp(scalar_tags[i].name, name))
            return wrong_node(r, "scalar", found);
    *role = mapping ? ROLE_CUSTOM_MAP : ROLE_CUSTOM_SEQ;
    return true;
}

static bool begin_collection(struct reading *r, bool mapping, const yaml_char_t *anchor,
                             const yaml_char_t *said)
{
    struct open open = {.start = r->event.start_mark};
    const char *tag = (const char *)said;
    if (r->open.len == MOST_LEVELS) {
        r->stop = true;
        return vm_raise(r->vm, "RecursionError", "maximum recursion depth exceeded");
    }
    if (!tag || !strcmp(tag, "!"))
        tag = mapping ? TAG "map" : TAG "seq";
    if (!role_of(r, tag, mapping, &open.role))
        return false;
    open.container = mapping ? dict_new(r->vm) : list_new(r->vm, NULL, 0);
    open.tag = open.role >= ROLE_CUSTOM_SEQ ? str_from(r->vm, tag) : NO_VALUE;
    bool final = open.role == ROLE_SEQ || open.role == ROLE_MAP || open.role == ROLE_OMAP;
    if (!anchor_add(r, anchor, final ? open.container : NO_VALUE, &open.anchor))
        return false;
    vec_push(&r->open, open);
    return true;
}

static value set_of_keys(struct vm *vm, value dict)
{
    value set = set_new(vm), key, item;
    for (size_t pos = 0; dict_next(dict, &pos, &key, &item);)
        if (!set_add(vm, set, key))
            return NO_VALUE;
    return set;
}

/* What a complete container becomes. */
static value finished(struct reading *r, struct open *open)
{
    size_t n;
    const value *items;
    switch (open->role) {
    case ROLE_TUPLE: items = sequence_items(open->container, &n); return tuple_new(r->vm, items, n);
    case ROLE_SET: return set_of_keys(r->vm, open->container);
    case ROLE_CUSTOM_SEQ: return construct(r, open->tag, "sequence", open->container, &open->start);
    case ROLE_CUSTOM_MAP: return construct(r, open->tag, "mapping", open->container, &open->start);
    default: return open->container;
    }
}

static bool end_collection(struct reading *r)
{
    struct open open = r->open.at[r->open.len - 1];
    if (open.merges && !merge_finish(r, &open))
        return false;
    value object = finished(r, &open);
    if (!object)
        return false;
    if (open.anchor)
        r->anchors.at[open.anchor - 1].object = object;
    r->open.len--;
    return put(r, object, false, &open.start);
}

/* ---- events ---- */

static bool on_document(struct reading *r)
{
    size_t n;
    sequence_items(r->documents, &n);
    r->anchors.len = 0;
    r->anchor_of = dict_new(r->vm);
    if (!n || !r->reader->single)
        return true;
    return fail(r, "ComposerError", "expected a single document in the stream", &r->document,
                str_from(r->vm, "but found another document"), &r->event.start_mark);
}

static bool on_event(struct reading *r)
{
    const yaml_event_t *event = &r->event;
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT: return on_document(r);
    case YAML_ALIAS_EVENT: return on_alias(r);
    case YAML_SCALAR_EVENT: return on_scalar(r);
    case YAML_SEQUENCE_START_EVENT:
        return begin_collection(r, false, event->data.sequence_start.anchor,
                                event->data.sequence_start.tag);
    case YAML_MAPPING_START_EVENT:
        return begin_collection(r, true, event->data.mapping_start.anchor,
                                event->data.mapping_start.tag);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: return end_collection(r);
    default: return true;
    }
}

/* A text that is wrong further down is said to be so, before what its upper part means is. */
static bool read_rest(struct reading *r)
{
    value error = vm_take_error(r->vm);
    for (bool end = false; !end;) {
        if (!yaml_parser_parse(&r->parser, &r->event))
            return fail_parsing(r);
        end = r->event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&r->event);
    }
    return vm_raise_value(r->vm, error);
}

static bool read_all(struct reading *r)
{
    for (bool end = false; !end;) {
        if (!yaml_parser_parse(&r->parser, &r->event))
            return fail_parsing(r);
        end = r->event.type == YAML_STREAM_END_EVENT;
        bool fine = on_event(r);
        yaml_event_delete(&r->event);
        if (!fine)
            return end || r->stop ? false : read_rest(r);
    }
    return true;
}

static bool read_text(struct reading *r)
{
    if (!yaml_parser_initialize(&r->parser))
        return vm_raise(r->vm, "MemoryError", "libyaml");
    yaml_parser_set_input_string(&r->parser, (const unsigned char *)r->text, r->len);
    bool fine = read_all(r);
    yaml_parser_delete(&r->parser);
    vec_free(&r->open);
    vec_free(&r->anchors);
    return fine;
}

/* Adds a blank and the text from `at` on, within brackets, with blanks as far as it is plain that
 * they are wanted: the text is read again for each one that is not. */
static void add_with_blanks(struct buf *out, const char *text, size_t len, size_t at)
{
    buf_char(out, ' ');
    for (int depth = 1; at < len && depth && !strchr("'\"#&*!?", text[at]); at++) {
        depth += (text[at] == '[' || text[at] == '{') - (text[at] == ']' || text[at] == '}');
        buf_char(out, text[at]);
        if (text[at] == ':' && is_bracket(text, len, at + 1))
            buf_char(out, ' ');
    }
    buf_add(out, text + at, len - at);
}

value yaml_read(struct vm *vm, const struct yaml_reader *reader, const char *text, size_t len)
{
    struct buf spaced = {0}, before = {0};
    for (;;) {
        struct reading r = {.vm = vm,
                            .reader = reader,
                            .text = text,
                            .len = len,
                            .anchor_of = dict_new(vm),
                            .documents = list_new(vm, NULL, 0)};
        bool fine = read_text(&r);
        if (!r.blank_at) {
            buf_free(&spaced);
            return fine ? r.documents : NO_VALUE;
        }
        buf_add(&before, text, r.blank_at);
        add_with_blanks(&before, text, len, r.blank_at);
        buf_free(&spaced);
        spaced = before, before = (struct buf){0};
        text = spaced.at, len = spaced.len;
    }
}
