// SPDX-License-Identifier: MIT
/* Resolving names: see scope.h. `visit` recurses over the tree, whose depth the parser bounds. */
#include "python/scope.h"

#include <string.h>

static void visit(struct scopes *s, struct scope *scope, const struct node *node);

static bool complain_scope(struct scopes *s, struct span span, const char *format, const char *name)
{
    s->failed = true;
    return complain_kind(s->dx, "SyntaxError", span, format, name);
}

/* ---- scopes and variables ---- */

static uint64_t scope_key(const struct node *node, const struct scope *up)
{
    return hash_mix((uintptr_t)node) ^ ((uintptr_t)up | 1);
}

static struct scope *add_scope(struct scopes *s, enum scope_kind kind, struct scope *up,
                               const struct node *node)
{
    struct scope *scope = arena_new(s->in, struct scope);
    scope->kind = (uint8_t)kind;
    scope->up = up;
    scope->node = node;
    scope->host = kind == SCOPE_COMPREHENSION ? up->host : scope;
    scope->class_name = up ? up->class_name : 0;
    vec_push(&s->all, scope);
    map_set(&s->by_node, scope_key(node, up), s->all.len);
    return scope;
}

struct scope *scope_of(struct scopes *s, const struct node *node, const struct scope *up)
{
    uint32_t at = map_find(&s->by_node, scope_key(node, up));
    return at ? s->all.at[at - 1] : NULL;
}

static struct variable *find_var(const struct scope *scope, sym_t name)
{
    uint32_t at = map_find(&scope->by_name, name);
    return at ? scope->vars.at[at - 1] : NULL;
}

static struct variable *add_var(struct scopes *s, struct scope *scope, sym_t name, unsigned flags)
{
    struct variable *var = find_var(scope, name);
    if (!var) {
        var = arena_new(s->in, struct variable);
        var->name = name;
        vec_push(&scope->vars, var);
        map_set(&scope->by_name, name, scope->vars.len);
    }
    var->flags |= (uint16_t)flags;
    return var;
}

sym_t scope_mangle(struct scopes *s, const struct scope *scope, sym_t name)
{
    const char *text = sym_text(s->names, name);
    size_t len = sym_len(s->names, name);
    if (!scope->class_name || len < 3 || memcmp(text, "__", 2) ||
        !memcmp(text + len - 2, "__", 2) || strchr(text, '.'))
        return name;
    const char *class = sym_text(s->names, scope->class_name);
    while (*class == '_')
        class ++;
    if (!*class)
        return name;
    const char *mangled = arena_printf(s->in, "_%s%s", class, text);
    return intern_str(s->names, mangled);
}

static void bind(struct scopes *s, struct scope *scope, sym_t name, unsigned more)
{
    add_var(s, scope, scope_mangle(s, scope, name), VAR_BOUND | more);
}

static void use(struct scopes *s, struct scope *scope, sym_t name)
{
    add_var(s, scope, scope_mangle(s, scope, name), VAR_USED);
    if (name == s->super)
        add_var(s, scope, s->class_cell, VAR_USED);
}

static void visit_kids(struct scopes *s, struct scope *scope, const struct node *node,
                       uint32_t from)
{
    for (uint32_t i = from; i < node->n; i++)
        visit(s, scope, node->kid[i]);
}

static void bind_target(struct scopes *s, struct scope *scope, const struct node *target)
{
    if (!target)
        return;
    switch (target->kind) {
    case NODE_NAME: bind(s, scope, target->name, 0); break;
    case NODE_TUPLE:
    case NODE_LIST:
    case NODE_STAR:
        for (uint32_t i = 0; i < target->n; i++)
            bind_target(s, scope, target->kid[i]);
        break;
    default: visit(s, scope, target);
    }
}

/* ---- functions, classes, comprehensions ---- */

/* And annotations. */
static void visit_defaults(struct scopes *s, struct scope *scope, const struct node *params)
{
    for (uint32_t i = 0; i < params->n; i++)
        visit_kids(s, scope, params->kid[i], 0);
}

const uint8_t param_order[PARAM_KINDS] = {PARAM_POSITIONAL_ONLY, PARAM_PLAIN, PARAM_KEYWORD_ONLY,
                                          PARAM_STAR, PARAM_DSTAR};

static void add_params(struct scopes *s, struct scope *scope, const struct node *params)
{
    for (int o = 0; o < PARAM_KINDS; o++)
        for (uint32_t i = 0; i < params->n; i++) {
            const struct node *param = params->kid[i];
            if (param->op != param_order[o] || !param->name)
                continue;
            sym_t name = scope_mangle(s, scope, param->name);
            if (find_var(scope, name))
                complain_scope(s, param->span, "duplicate argument '%s' in function definition",
                               sym_text(s->names, name));
            add_var(s, scope, name, VAR_BOUND | VAR_PARAM);
        }
}

static void visit_def(struct scopes *s, struct scope *scope, const struct node *def)
{
    bind(s, scope, def->name, 0);
    visit_defaults(s, scope, def->kid[0]);
    visit_kids(s, scope, def, 2);
    struct scope *inner = add_scope(s, SCOPE_FUNCTION, scope, def);
    add_params(s, inner, def->kid[0]);
    visit(s, inner, def->kid[1]);
}

static void visit_lambda(struct scopes *s, struct scope *scope, const struct node *lambda)
{
    visit_defaults(s, scope, lambda->kid[0]);
    struct scope *inner = add_scope(s, SCOPE_FUNCTION, scope, lambda);
    add_params(s, inner, lambda->kid[0]);
    visit(s, inner, lambda->kid[1]);
}

static void visit_class(struct scopes *s, struct scope *scope, const struct node *class)
{
    bind(s, scope, class->name, 0);
    visit_kids(s, scope, class, 1);
    struct scope *inner = add_scope(s, SCOPE_CLASS, scope, class);
    inner->class_name = class->name;
    visit(s, inner, class->kid[0]);
}

/* The first iterable belongs to the scope around. */
static void visit_comprehension(struct scopes *s, struct scope *scope, const struct node *comp)
{
    visit(s, scope, comp->kid[1]->kid[1]);
    bool generator = comp->kind == NODE_GENEXP;
    struct scope *inner = add_scope(s, generator ? SCOPE_FUNCTION : SCOPE_COMPREHENSION, scope,
                                    comp);
    if (generator) {
        inner->generator = true;
        add_var(s, inner, s->iterable, VAR_BOUND | VAR_PARAM);
    }
    for (uint32_t i = 1; i < comp->n; i++) {
        const struct node *clause = comp->kid[i];
        if (clause->kind == NODE_FOR_CLAUSE)
            bind_target(s, inner, clause->kid[0]);
        visit(s, inner,
              clause->kind == NODE_IF_CLAUSE ? clause->kid[0]
              : i > 1                        ? clause->kid[1]
                                             : NULL);
    }
    visit(s, inner, comp->kid[0]);
}

/* A walrus in a comprehension binds around it. */
static void visit_walrus(struct scopes *s, struct scope *scope, const struct node *walrus)
{
    struct scope *to = scope;
    visit(s, scope, walrus->kid[1]);
    while (to->kind == SCOPE_COMPREHENSION || (to->node && to->node->kind == NODE_GENEXP))
        to = to->up;
    bind(s, to, walrus->kid[0]->name, 0);
    if (to != scope) {
        if (to->kind == SCOPE_MODULE)
            add_var(s, scope, walrus->kid[0]->name, VAR_GLOBAL);
        else if (to->host != scope->host)
            add_var(s, scope, walrus->kid[0]->name, VAR_NONLOCAL | VAR_USED);
        else
            use(s, scope, walrus->kid[0]->name);
    }
}

/* ---- statements ---- */

static void visit_import(struct scopes *s, struct scope *scope, const struct node *import)
{
    for (uint32_t i = 0; i < import->n; i++) {
        const struct node *alias = import->kid[i];
        const char *name = sym_text(s->names, alias->name);
        if (alias->text)
            bind(s, scope, intern(s->names, alias->text, alias->len), 0);
        else if (strcmp(name, "*"))
            bind(s, scope, intern(s->names, name, strcspn(name, ".")), 0);
        else if (scope->kind != SCOPE_MODULE)
            complain_scope(s, alias->span, "import %s only allowed at module level", name);
    }
}

static void declare(struct scopes *s, struct scope *scope, const struct node *node)
{
    bool global = node->kind == NODE_GLOBAL;
    for (uint32_t i = 0; i < node->n; i++) {
        sym_t name = scope_mangle(s, scope, node->kid[i]->name);
        const struct variable *var = find_var(scope, name);
        if (var && var->flags & VAR_PARAM)
            complain_scope(s, node->kid[i]->span,
                           global ? "name '%s' is parameter and global"
                                  : "name '%s' is parameter and nonlocal",
                           sym_text(s->names, name));
        else if (var && var->flags & (VAR_BOUND | VAR_USED) && scope->kind != SCOPE_MODULE)
            complain_scope(s, node->kid[i]->span,
                           var->flags & VAR_BOUND
                               ? (global ? "name '%s' is assigned to before global declaration"
                                         : "name '%s' is assigned to before nonlocal declaration")
                               : (global ? "name '%s' is used prior to global declaration"
                                         : "name '%s' is used prior to nonlocal declaration"),
                           sym_text(s->names, name));
        else if (!global && scope->kind == SCOPE_MODULE)
            complain_scope(s, node->kid[i]->span,
                           "nonlocal declaration of '%s' not allowed at module level",
                           sym_text(s->names, name));
        if (!global)
            add_var(s, scope, name, VAR_NONLOCAL | VAR_USED);
        else
            add_var(s, scope, name, VAR_GLOBAL);
    }
}

static void visit_yield(struct scopes *s, struct scope *scope, const struct node *node)
{
    bool await = node->kind == NODE_AWAIT;
    if ((await ? scope->host : scope)->kind != SCOPE_FUNCTION)
        complain_scope(s, node->span, "'%s' outside function", await ? "await" : "yield");
    scope->host->generator = true;
    visit_kids(s, scope, node, 0);
}

static void visit_pattern_name(struct scopes *s, struct scope *scope, const struct node *node)
{
    if (node->name)
        bind(s, scope, node->name, 0);
    visit_kids(s, scope, node, 0);
}

/* shell:, run: and their like are functions of BODY_PARAMS; their arguments are evaluated outside
 * as well. */
static void visit_directive(struct scopes *s, struct scope *scope, const struct node *directive)
{
    bool block = directive->n == 1 && directive->kid[0]->kind == NODE_BLOCK;
    if (!block)
        visit_kids(s, scope, directive, 0);
    struct scope *inner = add_scope(s, SCOPE_FUNCTION, scope, directive);
    for (int i = 0; i < 10; i++)
        add_var(s, inner, s->body_params[i], VAR_BOUND | VAR_PARAM);
    if (block)
        visit_kids(s, inner, directive, 0);
    else if (directive->n)
        visit(s, inner, directive->kid[0]);
}

static void visit_hook(struct scopes *s, struct scope *scope, const struct node *hook)
{
    struct scope *inner = add_scope(s, SCOPE_FUNCTION, scope, hook);
    add_var(s, inner, s->body_params[6], VAR_BOUND | VAR_PARAM);
    visit(s, inner, hook->kid[0]);
}

static void visit_keyword(struct scopes *s, struct scope *scope, const struct node *node)
{
    const char *name = sym_text(s->names, node->name);
    if (strcmp(name, "localrules") && strcmp(name, "ruleorder"))
        visit_kids(s, scope, node, 0);
}

static void visit_delete(struct scopes *s, struct scope *scope, const struct node *node)
{
    for (uint32_t i = 0; i < node->n; i++) {
        const struct node *target = node->kid[i];
        if (target->kind == NODE_NAME)
            bind(s, scope, target->name, VAR_DELETED);
        else if (target->kind == NODE_TUPLE || target->kind == NODE_LIST)
            visit_delete(s, scope, target);
        else
            visit(s, scope, target);
    }
}

static void visit_name(struct scopes *s, struct scope *scope, const struct node *node)
{
    use(s, scope, node->name);
}

bool scope_grows(const struct node *assign)
{
    const struct node *target = assign->kid[0], *added = assign->kid[1];
    if (assign->kind == NODE_ASSIGN) {
        const struct node *sum = target;
        target = assign->kid[1];
        if (assign->n != 2 || sum->kind != NODE_BINARY || sum->op != OP_ADD ||
            sum->kid[0]->kind != NODE_NAME || sum->kid[0]->name != target->name)
            return false;
        added = sum->kid[1];
    } else if (assign->op != OP_ADD) {
        return false;
    }
    return target->kind == NODE_NAME && added->kind != NODE_INT && added->kind != NODE_FLOAT;
}

/* The targets stand behind the value. */
static void visit_assign(struct scopes *s, struct scope *scope, const struct node *node)
{
    visit(s, scope, node->kid[0]);
    if (scope_grows(node))
        bind(s, scope, node->kid[1]->name, VAR_GROWS);
    for (uint32_t i = 1; i < node->n; i++)
        bind_target(s, scope, node->kid[i]);
}

static void visit_augassign(struct scopes *s, struct scope *scope, const struct node *node)
{
    visit(s, scope, node->kid[1]);
    bind_target(s, scope, node->kid[0]);
    if (scope_grows(node))
        bind(s, scope, node->kid[0]->name, VAR_GROWS);
}

static void visit_annassign(struct scopes *s, struct scope *scope, const struct node *node)
{
    visit(s, scope, scope->kind == SCOPE_CLASS ? node->kid[1] : NULL);
    visit(s, scope, node->kid[2]);
    bind_target(s, scope, node->kid[0]);
}

static void visit_for(struct scopes *s, struct scope *scope, const struct node *node)
{
    visit(s, scope, node->kid[1]);
    bind_target(s, scope, node->kid[0]);
    visit_kids(s, scope, node, 2);
}

/* The body is the first. */
static void visit_with(struct scopes *s, struct scope *scope, const struct node *node)
{
    visit_kids(s, scope, node, 1);
    visit(s, scope, node->kid[0]);
}

static void visit_with_item(struct scopes *s, struct scope *scope, const struct node *node)
{
    visit(s, scope, node->kid[0]);
    bind_target(s, scope, node->kid[1]);
}

typedef void visit_kind(struct scopes *s, struct scope *scope, const struct node *node);
static visit_kind *const by_kind[NODE_KIND_COUNT] = {
    [NODE_NAME] = visit_name,
    [NODE_DEF] = visit_def,
    [NODE_LAMBDA] = visit_lambda,
    [NODE_CLASS] = visit_class,
    [NODE_LISTCOMP] = visit_comprehension,
    [NODE_SETCOMP] = visit_comprehension,
    [NODE_DICTCOMP] = visit_comprehension,
    [NODE_GENEXP] = visit_comprehension,
    [NODE_WALRUS] = visit_walrus,
    [NODE_YIELD] = visit_yield,
    [NODE_YIELD_FROM] = visit_yield,
    [NODE_AWAIT] = visit_yield,
    [NODE_ASSIGN] = visit_assign,
    [NODE_AUGASSIGN] = visit_augassign,
    [NODE_ANNASSIGN] = visit_annassign,
    [NODE_FOR] = visit_for,
    [NODE_WITH] = visit_with,
    [NODE_WITH_ITEM] = visit_with_item,
    [NODE_EXCEPT] = visit_pattern_name,
    [NODE_PAT_CAPTURE] = visit_pattern_name,
    [NODE_PAT_STAR] = visit_pattern_name,
    [NODE_PAT_AS] = visit_pattern_name,
    [NODE_DEL] = visit_delete,
    [NODE_IMPORT] = visit_import,
    [NODE_IMPORT_FROM] = visit_import,
    [NODE_GLOBAL] = declare,
    [NODE_NONLOCAL] = declare,
    [NODE_DIRECTIVE] = visit_directive,
    [NODE_HOOK] = visit_hook,
    [NODE_KEYWORD_STMT] = visit_keyword,
};

static void visit(struct scopes *s, struct scope *scope, const struct node *node)
{
    if (node && by_kind[node->kind])
        by_kind[node->kind](s, scope, node);
    else if (node)
        visit_kids(s, scope, node, 0);
}

/* ---- resolving ---- */

static bool owns(const struct variable *var)
{
    return var && variable_owned(var);
}

/* The scope whose variable a name used in `from` means, NULL for a global; *var is set. */
static struct scope *find_owner(struct scopes *s, struct scope *from, sym_t name,
                                struct variable **var)
{
    for (struct scope *scope = from; scope; scope = scope->up) {
        *var = find_var(scope, name);
        if (scope->kind == SCOPE_MODULE)
            return NULL;
        if (scope->kind == SCOPE_CLASS) {
            if (scope == from)
                continue; /* its own names are looked up at run time */
            if (name == s->class_cell) {
                scope->needs_class = true;
                *var = add_var(s, scope, name, VAR_BOUND);
                return scope;
            }
            continue;
        }
        if (*var && (*var)->flags & VAR_GLOBAL)
            return NULL;
        if (owns(*var))
            return scope;
    }
    return NULL;
}

static void add_free(struct scope *host, struct variable *var)
{
    for (uint32_t i = 0; i < host->frees.len; i++)
        if (host->frees.at[i] == var)
            return;
    vec_push(&host->frees, var);
}

static void resolve_use(struct scopes *s, struct scope *scope, struct variable *use_)
{
    if (use_->flags & VAR_GLOBAL || (owns(use_) && scope->kind != SCOPE_CLASS))
        return;
    if (owns(use_) && !(use_->flags & VAR_USED))
        return;
    struct variable *var;
    struct scope *owner = find_owner(s, scope, use_->name, &var);
    if (!owner) {
        if (use_->flags & VAR_NONLOCAL)
            complain_scope(s, scope->node->span, "no binding for nonlocal '%s' found",
                           sym_text(s->names, use_->name));
        return;
    }
    if (owner->host == scope->host)
        return;
    var->flags |= VAR_CELL;
    for (struct scope *host = scope->host; host != owner->host; host = host->up->host)
        add_free(host, var);
}

static void number_slots(struct scopes *s)
{
    for (uint32_t i = 0; i < s->all.len; i++) { /* outer scopes first: params get the first slots */
        struct scope *scope = s->all.at[i];
        for (uint32_t v = 0; v < scope->vars.len; v++) {
            struct variable *var = scope->vars.at[v];
            bool by_name = scope->kind == SCOPE_MODULE ||
                           (scope->kind == SCOPE_CLASS && !(var->flags & VAR_CELL));
            if (owns(var) && !by_name)
                var->slot = scope->host->nlocals++;
        }
    }
    for (uint32_t i = 0; i < s->all.len; i++)
        s->all.at[i]->nlocals += s->all.at[i]->frees.len;
}

uint32_t scope_free_slot(const struct scope *host, const struct variable *var)
{
    uint32_t first = host->nlocals - host->frees.len;
    for (uint32_t i = 0; i < host->frees.len; i++)
        if (host->frees.at[i] == var)
            return first + i;
    return 0;
}

enum access scope_access(struct scopes *s, struct scope *scope, sym_t name, uint32_t *slot,
                         const struct variable **out)
{
    struct variable *var = find_var(scope, name);
    *out = NULL;
    if (var && var->flags & VAR_GLOBAL)
        return ACCESS_GLOBAL;
    if (scope->kind == SCOPE_MODULE)
        return ACCESS_GLOBAL;
    bool in_class = scope->kind == SCOPE_CLASS;
    if (in_class && owns(var) && !(var->flags & VAR_USED))
        return ACCESS_NAMES;
    struct scope *owner = find_owner(s, scope, name, &var);
    if (!owner)
        return in_class ? ACCESS_NAMES : ACCESS_GLOBAL;
    *out = var;
    bool own = owner->host == scope->host;
    *slot = own ? var->slot : scope_free_slot(scope->host, var);
    if (in_class && !(find_var(scope, name)->flags & VAR_NONLOCAL))
        return ACCESS_CLASS_CELL;
    return var->flags & VAR_CELL ? ACCESS_CELL : ACCESS_LOCAL;
}

bool scopes_make(struct scopes *s, const struct node *tree)
{
    s->super = intern_str(s->names, "super");
    s->class_cell = intern_str(s->names, "__class__");
    s->iterable = intern_str(s->names, ".0");
    struct scope *module = add_scope(s, SCOPE_MODULE, NULL, tree);
    visit(s, module, tree);
    for (uint32_t i = 0; i < s->all.len; i++) {
        struct scope *scope = s->all.at[i];
        if (scope->kind == SCOPE_MODULE)
            continue;
        for (uint32_t v = 0; v < scope->vars.len; v++)
            resolve_use(s, scope, scope->vars.at[v]);
    }
    number_slots(s);
    return !s->failed;
}

void scopes_free(struct scopes *s)
{
    for (uint32_t i = 0; i < s->all.len; i++) {
        struct scope *scope = s->all.at[i];
        vec_free(&scope->vars);
        vec_free(&scope->frees);
        map_free(&scope->by_name);
    }
    vec_free(&s->all);
    map_free(&s->by_node);
}
