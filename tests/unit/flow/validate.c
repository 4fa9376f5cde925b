// SPDX-License-Identifier: MIT
/* JSON Schema: a value, a schema, and what is wrong with them ("" if nothing is). The verdicts are
 * those of Python's jsonschema 4, but of
 * schemas that are none. */
#include "flowtest.h"

static const struct {
    const char *value, *schema, *want;
} rows[] = {
    {"{'a': 1}", "{'type': 'object', 'properties': {'a': {'type': 'integer'}}}", ""},
    {"{'a': 'x'}", "{'properties': {'a': {'type': 'integer'}}}",
     "'x' is not of type 'integer' (at a)"},
    {"{'a': True}", "{'properties': {'a': {'type': 'integer'}}}",
     "True is not of type 'integer' (at a)"},
    {"{'a': 1.0}", "{'properties': {'a': {'type': 'integer'}}}", ""},
    {"{'a': 1.5}", "{'properties': {'a': {'type': ['integer', 'null']}}}",
     "1.5 is not of type 'integer', 'null' (at a)"},
    {"{}", "{'required': ['k']}", "'k' is a required property (at top level)"},
    {"{'a': {'b': {}}}", "{'properties': {'a': {'properties': {'b': {'required': ['c']}}}}}",
     "'c' is a required property (at a.b)"},
    {"{'x': 1}", "{'properties': {'a': {}}, 'additionalProperties': False}",
     "Additional properties are not allowed ('x' was unexpected) (at top level)"},
    {"{'x': 1}", "{'additionalProperties': {'type': 'string'}}",
     "1 is not of type 'string' (at x)"},
    {"{'s1': 1, 't': 'u'}", "{'patternProperties': {'^s': {'type': 'integer'}}}", ""},
    {"[1, 'a']", "{'items': {'type': 'integer'}}", "'a' is not of type 'integer' (at [1])"},
    {"[1, 'a']", "{'prefixItems': [{'type': 'integer'}, {'type': 'string'}]}", ""},
    {"'b'", "{'enum': ['a', 'c']}", "'b' is not one of ['a', 'c'] (at top level)"},
    {"1", "{'const': 2}", "2 was expected (at top level)"},
    {"'abc'", "{'pattern': '^b'}", "'abc' does not match '^b' (at top level)"},
    {"5", "{'minimum': 6}", "5 is less than the minimum of 6 (at top level)"},
    {"5", "{'exclusiveMaximum': 5}",
     "5 is greater than or equal to the maximum of 5 (at top level)"},
    {"7", "{'multipleOf': 2}", "7 is not a multiple of 2 (at top level)"},
    {"'ab'", "{'minLength': 3}", "'ab' is too short (at top level)"},
    {"[1, 1]", "{'uniqueItems': True}", "[1, 1] has non-unique elements (at top level)"},
    {"[1]", "{'minItems': 2}", "[1] is too short (at top level)"},
    {"5", "{'anyOf': [{'type': 'string'}, {'minimum': 3}]}", ""},
    {"5", "{'anyOf': [{'type': 'string'}, {'minimum': 9}]}",
     "5 is not valid under any of the given schemas (at top level)"},
    {"5", "{'oneOf': [{'minimum': 1}, {'maximum': 9}]}",
     "5 is valid under more than one of the given schemas (at top level)"},
    {"5", "{'allOf': [{'minimum': 1}, {'maximum': 3}]}",
     "5 is greater than the maximum of 3 (at top level)"},
    {"5", "{'not': {'type': 'integer'}}",
     "5 should not be valid under {'type': 'integer'} (at top level)"},
    {"{'k': 'a'}", "{'if': {'required': ['k']}, 'then': {'required': ['l']}}",
     "'l' is a required property (at top level)"},
    {"{'n': {'n': {'n': 1}}}",
     "{'$ref': '#/properties/v/$defs/t', '$defs': {'t': {'type': 'object', 'properties': {'n': "
     "{'$ref': "
     "'#/properties/v/$defs/t'}}}}}",
     "1 is not of type 'object' (at n.n.n)"},
    {"{'a': 1}", "{'additionalProperties': False, 'properties': 5}",
     "Additional properties are not allowed ('a' was unexpected) (at top level)"},
    {"{'a': 1}", "{'patternProperties': 'a'}",
     "the schema says 'patternProperties: 'a'', which is not an object (at top level)"},
    {"'a'", "{'pattern': 5}", "the schema says 'pattern: 5', which is not a text (at top level)"},
    {"{1: 2}", "{'properties': {1: {'type': 'string'}}}", "2 is not of type 'string' (at 1)"},
    {"[]", "{'minItems': 1}", "[] should be non-empty (at top level)"},
    {"{'a': 1}", "{'maxProperties': 0}", "{'a': 1} is expected to be empty (at top level)"},
    {"{'a': 1, 'b': 2}", "{'maxProperties': 1}",
     "{'a': 1, 'b': 2} has too many properties (at top level)"},
    {"{}", "{'minProperties': 2}", "{} does not have enough properties (at top level)"},
    {"[1]", "{'maxItems': 0}", "[1] is expected to be empty (at top level)"},
    {"'abc'", "{'maxLength': 2}", "'abc' is too long (at top level)"},
    {"{'y': 1}", "{'propertyNames': {'pattern': '^x'}}", "'y' does not match '^x' (at top level)"},
    {"{'x': 1}", "{'dependentRequired': {'x': ['y']}}",
     "'y' is a dependency of 'x' (at top level)"},
    {"{'x': 1}", "{'dependentSchemas': {'x': {'required': ['q']}}}",
     "'q' is a required property (at top level)"},
    {"{'b': 2}", "{'patternProperties': {'^x': {}, '^y': {}}, 'additionalProperties': False}",
     "'b' does not match any of the regexes: '^x', '^y' (at top level)"},
    {"['a']", "{'contains': {'type': 'integer'}}",
     "['a'] does not contain items matching the given schema (at top level)"},
    {"[1]", "{'contains': {'type': 'integer'}, 'minContains': 2}",
     "Too few items match the given schema (expected at least 2 but only 1 matched) (at top "
     "level)"},
    {"[1, 2]", "{'contains': {'type': 'integer'}, 'maxContains': 1}",
     "Too many items match the given schema (expected at most 1) (at top level)"},
    {"['a']", "{'contains': {'type': 'integer'}, 'minContains': 0}", ""},
    {"{'a': 1, 'b': 2}", "{'properties': {'a': {}}, 'unevaluatedProperties': False}",
     "Unevaluated properties are not allowed ('b' was unexpected) (at top level)"},
    {"{'a': 1, 'b': 2, 'c': 3}",
     "{'allOf': [{'properties': {'a': {}}}, {'patternProperties': {'^b': {}}}], 'if': {'required': "
     "['a']}, 'then': {'properties': {'c': {}}}, 'unevaluatedProperties': False}",
     ""},
    {"{'a': 1, 'b': 's'}",
     "{'anyOf': [{'properties': {'b': {'type': 'integer'}}}, {'properties': {'a': {}}}], "
     "'unevaluatedProperties': False}",
     "Unevaluated properties are not allowed ('b' was unexpected) (at top level)"},
    {"{'a': 1, 'b': 2}",
     "{'allOf': [{'properties': {'a': {}}, 'unevaluatedProperties': {'type': 'integer'}}], "
     "'unevaluatedProperties': False}",
     ""},
    {"{'a': 1, 'b': 's'}", "{'unevaluatedProperties': {'type': 'integer'}}",
     "'s' is not of type 'integer' (at b)"},
    {"{'a': 1, 'b': 2}",
     "{'dependentSchemas': {'a': {'properties': {'a': {}, 'b': {}}}}, 'unevaluatedProperties': "
     "False}",
     ""},
    {"[1, 2]", "{'prefixItems': [{}], 'unevaluatedItems': False}",
     "Unevaluated items are not allowed (2 was unexpected) (at top level)"},
    {"[1, 'a', 2]",
     "{'prefixItems': [{}], 'contains': {'type': 'string'}, 'unevaluatedItems': False}",
     "Unevaluated items are not allowed (2 was unexpected) (at top level)"},
    {"[1, 2]",
     "{'allOf': [{'prefixItems': [{}]}, {'prefixItems': [{}, {}]}], 'unevaluatedItems': False}",
     ""},
    {"{'a': 1, 'b': 2}",
     "{'$ref': '#/properties/v/$defs/t', '$defs': {'t': {'properties': {'a': {}}}}, "
     "'unevaluatedProperties': False}",
     "Unevaluated properties are not allowed ('b' was unexpected) (at top level)"},
    {"5", "{'exclusiveMinimum': 5}", "5 is less than or equal to the minimum of 5 (at top level)"},
    {"6", "{'maximum': 5}", "6 is greater than the maximum of 5 (at top level)"},
};

static const char *snakefile(struct flowtest *t)
{
    struct buf text = {0};
    buf_str(&text, "from snakemake.utils import validate\nGOT = []\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        buf_printf(&text,
                   "try:\n    validate({'v': %s}, {'properties': {'v': %s}})\n    GOT.append('')\n"
                   "except WorkflowError as e:\n    GOT.append(str(e))\n",
                   rows[i].value, rows[i].schema);
    buf_str(&text, "data = {'b': 1, 'd': {}}\n"
                   "validate(data, {'properties': {'a': {'default': [1]}, 'b': {'default': 2},"
                   " 'd': {'properties': {'e': {'default': 'f'}}}}})\nDEFAULTS = repr(data)\n"
                   "config['n'] = 5\nvalidate(config, 'schema.yaml')\n");
    const char *copy = arena_copy(&t->arena, buf_text(&text), text.len);
    buf_free(&text);
    return copy;
}

/* The rows stand below "v": its place is taken off what is told. */
static const char *told(struct flowtest *t, const char *got)
{
    const char *line = strrchr(got, '\n');
    line = line ? line + 1 : got;
    const char *colon = strstr(line, "ValidationError: ");
    return arena_str(&t->arena, colon ? colon + strlen("ValidationError: ") : line);
}

int main(void)
{
    struct flowtest t = flowtest_open();
    size_t n = 0;
    flowtest_write("schema.yaml",
                   "properties:\n  n:\n    type: integer\n  m:\n    default: 8\nrequired: [n]\n");
    if (ok(flowtest_load(&t, snakefile(&t)), "values are checked (%s)", t.error)) {
        const value *got = sequence_items(dict_get_str(t.w->vm, t.w->globals.v, "GOT"), &n);
        for (size_t i = 0; i < n; i++) {
            const char *text = told(&t, str_text(got[i])), *want = rows[i].want,
                       *at = strstr(want, " (at ");
            struct buf full = {0};
            if (at && !strcmp(at, " (at top level)"))
                buf_printf(&full, "%.*s (at v)", (int)(at - want), want);
            else if (at)
                buf_printf(&full, "%.*s (at v%s%s", (int)(at - want), want, at[5] == '[' ? "" : ".",
                           at + 5);
            is(text, buf_text(&full), rows[i].schema);
            buf_free(&full);
        }
        is(str_text(dict_get_str(t.w->vm, t.w->globals.v, "DEFAULTS")),
           "{'b': 1, 'd': {'e': 'f'}, 'a': [1]}", "defaults are filled in");
        is(str_text(value_repr(t.w->vm, t.w->config.v)), "{'n': 5, 'm': 8}", "a schema in a file");
    }
    flowtest_close(&t);
    return done();
}
