// SPDX-License-Identifier: MIT
// program.cpp: from the text to instructions. A function is read when all that it calls have been, so that their
// parameters have their places; its labels get theirs when it has been read.
#include "program.h"
#include "scan.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <set>
#include <unordered_map>

namespace ptx {

namespace {

typedef std::unordered_map<std::string, row> row_table;

const row_table &rows()
{
    static const row_table &all = *[] {
        auto *table = new row_table();
        for (auto part : {arithmetic, conversions, accesses, controls})
            for (const row &r : part())
                for (size_t at = 0, end; at < r.names.size(); at = end + 1) {
                    end = std::min(r.names.find(' ', at), r.names.size());
                    table->emplace(r.names.substr(at, end - at), r);
                }
        return table;
    }();
    return all;
}

uint64_t bytes_of(std::string_view type)
{
    return type == ".pred" ? 1 : (uint64_t)atoi(std::string(type.substr(2)).c_str()) / 8;
}

struct reg {
    column at;
    char width; // 'w', 'd' or 'p'
};

/* What names mean between two braces. */
struct scope {
    std::map<std::string, reg, std::less<>> registers;
    std::map<std::string, uint64_t, std::less<>> addresses;
};

/* A function in the text. */
struct source {
    std::string name;
    size_t begin, body, end; // tokens: the word that begins it, its brace, one past the last brace
    bool kernel;
    std::vector<std::string> calls;
};

} // namespace

class builder {
  public:
    builder(program &to) : p(to), t(scan(to.text)) {}
    void build();

  private:
    [[noreturn]] void refuse(const std::string &why) const;
    const token &here() const { return t[at]; }
    std::string_view next();
    bool take(std::string_view what);
    void expect(std::string_view what);
    uint64_t number();
    void skip_line();
    void skip_braces();
    void skip_statement();

    void find_function();
    void find_module();
    void read_file();
    void read_variable(bool external);
    void read_table(const std::string &name, uint64_t bytes, uint64_t size);
    void read_function(const source &from);
    variable read_declared(uint64_t *to);
    void read_params(std::vector<variable> *params, uint64_t base, uint64_t *to);
    void read_directives();
    void read_body();
    void read_registers();
    void bind_call();
    void read_place();
    void read_statement();
    void read_call();

    typedef std::vector<std::vector<std::string_view>> operand_list;
    operand_list read_operands();
    std::string meant(const std::string &name, const operand_list &operands) const;
    void emit(const std::string &name, const operand_list &operands);
    void place_operand(instruction &i, char kind, bool written, const std::vector<std::string_view> &operand);
    void place_address(instruction &i, const std::vector<std::string_view> &operand);
    void place_several(instruction &i, char kind, bool written, const std::vector<std::string_view> &operand);
    void put(instruction &i, bool written, column c);
    column constant(uint64_t value, char width);
    column value_of(char kind, const std::vector<std::string_view> &operand);
    const reg *find_register(std::string_view name) const;
    const uint64_t *find_address(std::string_view name) const;

    program &p;
    tokens t;
    size_t at = 0;
    std::vector<source> sources;
    std::map<std::string, uint32_t, std::less<>> numbers; // of functions that have been read
    std::map<std::pair<uint64_t, char>, column> constants;
    std::vector<scope> scopes;
    function *f = nullptr;
    column first_of_kernels = OWN;
    uint64_t local_of_kernels = 0, local_end = 0;
    std::map<std::string, uint32_t> labels;
    std::vector<std::pair<uint32_t, std::string>> jumps; // instructions, and the label that they go to
    uint32_t file = 0, line = 0;
    size_t statement = 0; // where it begins in the text
    column guard = ALWAYS;
    bool guard_not = false;
};

void builder::refuse(const std::string &why) const
{
    size_t from = statement, end = p.text.find_first_of(";\n", from);
    throw fault(why + ": " + p.text.substr(from, end - from));
}

std::string_view builder::next()
{
    return t[at].text.empty() ? t[at].text : t[at++].text;
}

bool builder::take(std::string_view what)
{
    bool so = here().is(what);
    at += so;
    return so;
}

void builder::expect(std::string_view what)
{
    if (!take(what))
        refuse("'" + std::string(what) + "' is missing before '" + std::string(here().text) + "'");
}

uint64_t builder::number()
{
    uint64_t value = 0;
    std::string sign = take("-") ? "-" : "";
    if (!read_number(sign + std::string(next()), 8, &value))
        refuse("a number is missing");
    return value;
}

void builder::skip_line()
{
    while (!here().begins_line)
        at++;
}

void builder::skip_braces()
{
    int depth = 0;
    do {
        depth += here().is("{") - here().is("}");
        if (next().empty())
            refuse("a brace is not closed");
    } while (depth);
}

void builder::skip_statement()
{
    while (!here().text.empty() && !take(";"))
        at++;
}

/* ---- what is in the text ---- */

void builder::find_function()
{
    source s = {"", at, 0, 0, here().is(".entry"), {}};
    at++;
    if (!s.kernel && here().is("("))
        while (!take(")"))
            at++;
    s.name = next();
    while (!here().is("{") && !here().is(";") && !here().text.empty())
        at++;
    if (take(";")) // it stands further down
        return;
    s.body = at;
    skip_braces();
    s.end = at;
    for (size_t i = s.body; i < s.end; i++)
        if (t[i].text.substr(0, 4) == "call" && (t[i].text.size() == 4 || t[i].text[4] == '.')) {
            size_t to = i + 1;
            if (t[to].is("(")) {
                while (!t[to].is(")"))
                    to++;
                to += 2;
            }
            s.calls.push_back(std::string(t[to].text));
        }
    sources.push_back(s);
}

void builder::read_file()
{
    uint32_t which = (uint32_t)number();
    std::string_view name = next();
    p.files[which] = name.size() > 2 ? name.substr(1, name.size() - 2) : name;
    skip_line();
}

void builder::find_module()
{
    bool external = false;
    scopes.emplace_back();
    while (!here().text.empty()) {
        statement = here().at;
        std::string_view word = here().text;
        if (word == ".entry" || word == ".func") {
            find_function();
        } else if (word == ".shared" || word == ".global" || word == ".const") {
            read_variable(external);
        } else if (word == ".extern") {
            at++;
            external = true;
            continue;
        } else if (word == ".visible" || word == ".weak") {
            at++;
            continue;
        } else if (word == ".file") {
            at++;
            read_file();
        } else if (word == ".section") {
            while (!here().is("{"))
                at++;
            skip_braces();
        } else if (word == ".pragma") {
            skip_statement();
        } else if (word == ".version" || word == ".target" || word == ".address_size") {
            at++;
            skip_line();
        } else {
            refuse("not known");
        }
        external = false;
    }
}

void builder::read_table(const std::string &name, uint64_t bytes, uint64_t size)
{
    auto &values = p.storage.emplace_back((bytes + 7) / 8);
    char *to = (char *)values.data();
    if (take("=")) {
        bool braces = take("{");
        for (uint64_t i = 0; !here().is("}") && !here().is(";"); i += size) {
            uint64_t value;
            std::string sign = take("-") ? "-" : "";
            if (i + size > bytes || !read_number(sign + std::string(next()), (int)size, &value))
                refuse("no number for a table");
            memcpy(to + i, &value, size);
            take(",");
        }
        if (braces)
            expect("}");
    }
    p.tables.push_back({name, (uint64_t)to, bytes});
    scopes.back().addresses[name] = (uint64_t)to;
}

/* The name and the size of what is declared, and its place after those before it. */
variable builder::read_declared(uint64_t *to)
{
    uint64_t alignment = 0, bytes = 0;
    for (; here().text[0] == '.'; at++) {
        if (here().is(".align")) {
            uint64_t wanted = (at++, number());
            alignment = std::max(alignment, wanted);
            at--;
        } else if (isdigit((unsigned char)here().text.back())) {
            bytes = bytes_of(here().text);
        }
    }
    variable v = {std::string(next()), aligned(*to, std::max<uint64_t>(alignment, bytes ? bytes : 1)), bytes};
    while (take("[")) {
        v.bytes *= here().is("]") ? 0 : number();
        expect("]");
    }
    *to = v.at + v.bytes;
    return v;
}

/* Of a file, or of a function. */
void builder::read_variable(bool external)
{
    std::string_view where = next();
    size_t type = at;
    while (t[type].text[0] == '.' && (t[type].is(".align") || !isdigit((unsigned char)t[type].text.back())))
        type += t[type].is(".align") ? 2 : 1;
    uint64_t nowhere = 0, size = bytes_of(t[type].text);
    if (where == ".shared" && external) {
        scopes.back().addresses[read_declared(&nowhere).name] = SHARED_AT;
    } else if (where == ".shared") {
        p.arrays_end += COLUMN; // whoever leaves an array finds nothing
        variable v = read_declared(&p.arrays_end);
        p.arrays.push_back(v);
        scopes.back().addresses[v.name] = v.at;
    } else if (where == ".local") {
        variable v = read_declared(&local_end);
        scopes.back().addresses[v.name] = LOCAL_AT + v.at;
    } else {
        variable v = read_declared(&nowhere);
        read_table(v.name, v.bytes, size);
    }
    expect(";");
}

/* ---- functions ---- */

void builder::read_params(std::vector<variable> *params, uint64_t base, uint64_t *to)
{
    expect("(");
    while (!take(")")) {
        expect(".param");
        variable v = read_declared(to);
        scopes.back().addresses[v.name] = base + v.at;
        params->push_back(v);
        take(",");
    }
}

void builder::read_directives()
{
    while (here().text[0] == '.') {
        bool most = here().is(".maxntid");
        uint64_t product = 1;
        at++;
        for (; isdigit((unsigned char)here().text[0]); take(","))
            product *= number();
        if (most)
            f->most_threads = (uint32_t)product;
    }
}

void builder::read_function(const source &from)
{
    uint64_t params_end = 0;
    f = &p.functions.emplace_back();
    f->name = from.name;
    f->first = f->columns = from.kernel ? first_of_kernels : p.columns;
    f->back = f->columns++;
    local_end = aligned(from.kernel ? local_of_kernels : local_end, 16);
    f->begin = (uint32_t)p.code.size();
    scopes.emplace_back();
    at = from.begin + 1;
    std::vector<variable> results;
    if (!from.kernel && here().is("("))
        read_params(&results, LOCAL_AT, &local_end);
    at++; // the name
    if (here().is("("))
        read_params(&f->params, from.kernel ? PARAM_AT : LOCAL_AT, from.kernel ? &params_end : &local_end);
    f->params.insert(f->params.begin(), results.begin(), results.end());
    f->results = (uint32_t)results.size();
    read_directives();
    f->local = local_end;
    read_body();
    f->local_end = local_end;
    scopes.pop_back();
    for (auto &[pc, label] : jumps) {
        auto to = labels.find(label);
        if (to == labels.end())
            throw fault("no label " + label + " in " + f->name);
        p.code[pc].target = to->second;
    }
    labels.clear();
    jumps.clear();
    f->end = (uint32_t)p.code.size();
    p.columns = std::max(p.columns, f->columns);
    p.local = std::max(p.local, aligned(local_end, 16));
    numbers[f->name] = (uint32_t)p.functions.size() - 1;
}

void builder::read_registers()
{
    std::string_view type = next();
    char width = type == ".pred" ? 'p' : bytes_of(type) == 8 ? 'd' : 'w';
    column step = width == 'd' ? 2 : 1;
    do {
        std::string name(next());
        uint64_t count = 1;
        bool several = take("<");
        if (several) {
            count = number();
            expect(">");
        }
        for (uint64_t i = 0; i < count; i++, f->columns += step)
            scopes.back().registers[several ? name + std::to_string(i) : name] = {f->columns, width};
    } while (take(","));
    expect(";");
}

/* Between braces with a call, names of parameters are those of the function that is called. */
void builder::bind_call()
{
    size_t back = at;
    int depth = 1;
    for (; depth && !here().text.empty(); at++) {
        depth += here().is("{") - here().is("}");
        if (depth == 1 && (here().is("call") || here().is("call.uni"))) {
            std::vector<std::string_view> given;
            at++;
            if (take("("))
                for (; !take(")"); take(","))
                    given.push_back(next());
            take(",");
            auto to = numbers.find(next());
            if (to == numbers.end())
                refuse("a function that is not here is called");
            for (take(","); !here().is(";"); at++)
                if (!here().is("(") && !here().is(")") && !here().is(","))
                    given.push_back(here().text);
            const function &called = p.functions[to->second];
            if (given.size() != called.params.size())
                refuse("a call gives other parameters than there are");
            for (size_t i = 0; i < given.size(); i++)
                scopes.back().addresses[std::string(given[i])] = LOCAL_AT + called.params[i].at;
        }
    }
    at = back;
}

void builder::read_place()
{
    file = (uint32_t)number();
    line = (uint32_t)number();
    skip_line();
}

void builder::read_body()
{
    expect("{");
    size_t outer = scopes.size();
    scopes.emplace_back();
    while (scopes.size() > outer) {
        statement = here().at;
        std::string_view word = here().text;
        if (take("{")) {
            scopes.emplace_back();
            bind_call();
        } else if (take("}")) {
            scopes.pop_back();
        } else if (take(".reg")) {
            read_registers();
        } else if (word == ".local" || word == ".shared" || word == ".global" || word == ".const") {
            read_variable(false);
        } else if (word == ".param" || word == ".pragma") { // of a call: those of what it calls
            skip_statement();
        } else if (take(".loc")) {
            read_place();
        } else if (t[at + 1].is(":")) {
            labels[std::string(word)] = (uint32_t)p.code.size();
            at += 2;
        } else if (word.empty()) {
            refuse("a brace is not closed");
        } else {
            read_statement();
        }
    }
}

/* ---- instructions ---- */

const reg *builder::find_register(std::string_view name) const
{
    static const std::map<std::string, reg, std::less<>> special = {
        {"%tid.x", {TID, 'w'}},       {"%tid.y", {TID + 1, 'w'}},       {"%tid.z", {TID + 2, 'w'}},
        {"%ntid.x", {NTID, 'w'}},     {"%ntid.y", {NTID + 1, 'w'}},     {"%ntid.z", {NTID + 2, 'w'}},
        {"%ctaid.x", {CTAID, 'w'}},   {"%ctaid.y", {CTAID + 1, 'w'}},   {"%ctaid.z", {CTAID + 2, 'w'}},
        {"%nctaid.x", {NCTAID, 'w'}}, {"%nctaid.y", {NCTAID + 1, 'w'}}, {"%nctaid.z", {NCTAID + 2, 'w'}},
        {"%laneid", {LANE, 'w'}}};
    for (auto s = scopes.rbegin(); s != scopes.rend(); ++s) {
        auto found = s->registers.find(name);
        if (found != s->registers.end())
            return &found->second;
    }
    auto found = special.find(name);
    return found == special.end() ? nullptr : &found->second;
}

const uint64_t *builder::find_address(std::string_view name) const
{
    for (auto s = scopes.rbegin(); s != scopes.rend(); ++s) {
        auto found = s->addresses.find(name);
        if (found != s->addresses.end())
            return &found->second;
    }
    return nullptr;
}

column builder::constant(uint64_t value, char width)
{
    if (width != 'd')
        value = width == 'p' ? (value ? 0xffffffff : 0) : (uint32_t)value;
    auto &c = constants[{value, width}];
    if (c)
        return c;
    c = CONSTANT | (column)(p.constants.size() / LANES);
    for (int i = 0; i < LANES; i++) {
        p.constants.push_back((uint32_t)value);
        if (width == 'd')
            p.constants.push_back((uint32_t)(value >> 32));
    }
    return c;
}

builder::operand_list builder::read_operands()
{
    operand_list operands;
    int depth = 0;
    while (!take(";")) {
        if (operands.empty())
            operands.emplace_back();
        std::string_view word = next();
        if (word.empty())
            refuse("a statement does not end");
        depth += (word == "{" || word == "[") - (word == "}" || word == "]");
        if (depth == 0 && (word == "," || word == "|"))
            operands.emplace_back();
        else
            operands.back().push_back(word);
    }
    return operands;
}

/* The column of an operand that is read. */
column builder::value_of(char kind, const std::vector<std::string_view> &operand)
{
    std::string word;
    for (auto part : operand)
        word += part;
    if (const reg *r = find_register(word)) {
        if (r->width != kind)
            refuse(word + " is of another kind");
        return r->at;
    }
    if (const uint64_t *address = find_address(word))
        return constant(*address, kind);
    uint64_t value;
    if (!read_number(word, kind == 'd' ? 8 : 4, &value))
        refuse("what is " + word + "?");
    return constant(value, kind);
}

void builder::put(instruction &i, bool written, column c)
{
    column *to = written ? i.to : i.from;
    size_t n = 0, room = written ? std::size(i.to) : std::size(i.from);
    while (n < room && to[n] != NONE)
        n++;
    if (n == room)
        refuse("too many operands");
    to[n] = c;
    if (!written && c >= OWN && !(c & CONSTANT))
        i.reads[i.needs++] = c;
}

void builder::place_address(instruction &i, const std::vector<std::string_view> &operand)
{
    if (operand.size() < 3 || operand.front() != "[" || operand.back() != "]")
        refuse("an address is missing");
    std::string more;
    for (size_t k = 2; k + 1 < operand.size(); k++)
        more += operand[k] == "+" ? "" : operand[k];
    uint64_t added = 0;
    if (!more.empty() && !read_number(more, 8, &added))
        refuse("no address");
    i.offset = (int64_t)added;
    i.far = true;
    if (const reg *r = find_register(operand[1])) {
        i.far = r->width == 'd';
        put(i, false, r->at);
    } else {
        const uint64_t *address = find_address(operand[1]);
        if (!address)
            refuse("no address");
        put(i, false, constant(*address, 'd'));
    }
}

/* One register of any width, or several between braces. */
void builder::place_several(instruction &i, char kind, bool written, const std::vector<std::string_view> &operand)
{
    bool braces = operand.front() == "{";
    i.wide |= kind == 'R';
    for (size_t k = braces; k < operand.size() - braces; k++) {
        if (operand[k] == ",")
            continue;
        const reg *r = find_register(operand[k]);
        if (operand[k] == "_" && written) {
            put(i, true, SINK);
        } else if (r) {
            if (r->width == 'p' || (kind == 'R' && r->width != 'd'))
                refuse(std::string(operand[k]) + " is of another kind");
            i.wide |= r->width == 'd';
            put(i, written, r->at);
        } else {
            std::vector<std::string_view> word = {operand[k]};
            if (operand[k] == "-")
                word.push_back(operand[++k]);
            put(i, written, value_of(kind == 'R' ? 'd' : 'w', word));
        }
        i.count++;
    }
}

void builder::place_operand(instruction &i, char kind, bool written, const std::vector<std::string_view> &operand)
{
    if (operand.empty())
        refuse("an operand is missing");
    if (kind == '[') {
        place_address(i, operand);
    } else if (kind == 'r' || kind == 'R') {
        place_several(i, kind, written, operand);
    } else if (kind == '>') {
        jumps.emplace_back((uint32_t)p.code.size(), std::string(operand[0]));
    } else if (!written) {
        put(i, false, value_of(kind, operand));
    } else {
        const reg *r = find_register(operand[0]);
        if (!r && operand[0] != "_")
            refuse("no register");
        if (r && r->width != kind)
            refuse(std::string(operand[0]) + " is of another kind");
        put(i, true, r ? r->at : (column)SINK);
    }
}

void builder::emit(const std::string &name, const operand_list &operands)
{
    auto found = rows().find(name);
    if (found == rows().end())
        refuse("not known");
    const row &r = found->second;
    instruction i = {};
    i.run = r.run;
    i.kind = r.counts_as;
    i.guard = guard;
    i.guard_not = guard_not;
    i.text = (uint32_t)statement;
    i.file = file;
    i.line = line;
    size_t taken = 0;
    bool written = true;
    for (char kind : r.operands) {
        if (kind == '=') {
            written = false;
        } else if (kind == 'p' && written && taken > 0 && operands.size() < r.operands.size() - 1) {
            put(i, true, SINK); // which may be left out
        } else {
            if (taken == operands.size())
                refuse("too few operands");
            place_operand(i, kind, written, operands[taken++]);
        }
    }
    if (taken != operands.size())
        refuse("too many operands");
    p.code.push_back(i);
}

void builder::read_call()
{
    std::string_view name;
    if (take("(")) {
        while (!take(")"))
            at++;
        take(",");
    }
    name = next();
    skip_statement();
    auto to = numbers.find(name);
    if (to == numbers.end())
        refuse("a function that is not here is called");
    const function &called = p.functions[to->second];
    emit("call", {});
    instruction &i = p.code.back();
    i.target = called.begin;
    i.to[0] = called.back;
    i.from[0] = called.first;
    i.from[1] = called.columns;
    i.from[2] = (column)called.local;
    i.from[3] = (column)called.local_end;
}

/* What PTX gives one name is several, by its operands. */
std::string builder::meant(const std::string &name, const operand_list &operands) const
{
    auto braces = [&](size_t k) { return operands.size() == 2 && !operands[k].empty() && operands[k][0] == "{"; };
    if (name.compare(0, 5, "mov.b") == 0)
        return (braces(0) ? "unpack" : braces(1) ? "pack" : "mov") + name.substr(3);
    const reg *from = operands.size() == 2 && !operands[1].empty() ? find_register(operands[1][0]) : nullptr;
    bool narrow = name.compare(0, 4, "cvt.") == 0 && name.compare(name.size() - 2, 2, "64") != 0;
    return name + (narrow && from && from->width == 'd' ? ".wide" : "");
}

void builder::read_statement()
{
    guard = ALWAYS;
    guard_not = false;
    if (take("@")) {
        guard_not = take("!");
        const reg *r = find_register(next());
        if (!r || r->width != 'p')
            refuse("no predicate");
        guard = r->at;
    }
    std::string name(next());
    if (name == "call" || name == "call.uni") {
        read_call();
        return;
    }
    auto operands = read_operands();
    name = meant(name, operands);
    if (name.compare(0, 4, "pack") == 0 || name.compare(0, 6, "unpack") == 0) {
        operand_list flat;
        for (auto &operand : operands)
            for (auto word : operand)
                if (word != "{" && word != "}" && word != ",")
                    flat.push_back({word});
        operands = flat;
    }
    if (name == "ret" && f->first < first_of_kernels)
        name = "ret.func";
    emit(name, operands);
    if (name == "ret.func")
        p.code.back().from[0] = f->back;
}

/* A function after those that it calls; then kernels, each with the registers of the others. */
void builder::build()
{
    find_module();
    std::set<std::string> begun, ended;
    std::map<std::string, const source *> by_name;
    for (const source &s : sources)
        by_name[s.name] = &s;
    p.functions.reserve(sources.size());
    std::function<void(const source &)> read = [&](const source &s) {
        if (ended.count(s.name))
            return;
        if (!begun.insert(s.name).second)
            throw fault(s.name + " calls itself");
        for (const std::string &name : s.calls)
            if (by_name.count(name))
                read(*by_name[name]);
        read_function(s);
        ended.insert(s.name);
    };
    first_of_kernels = (column)-1;
    for (const source &s : sources)
        if (!s.kernel)
            read(s);
    first_of_kernels = p.columns;
    local_of_kernels = local_end;
    for (const source &s : sources)
        if (s.kernel)
            read(s);
}

program::program(const std::string &written) : text(written)
{
    builder(*this).build();
}

const function &program::kernel_named(const std::string &name) const
{
    for (const function &f : functions)
        if (f.name == name)
            return f;
    throw fault("there is no kernel " + name);
}

const function &program::owner(uint32_t pc) const
{
    auto after = std::upper_bound(functions.begin(), functions.end(), pc,
                                  [](uint32_t at, const function &f) { return at < f.begin; });
    return *(after - 1);
}

std::string program::told(uint32_t pc) const
{
    const instruction &i = code[pc];
    std::string place;
    auto found = files.find(i.file);
    if (found != files.end())
        place = found->second.substr(found->second.rfind('/') + 1) + ":" + std::to_string(i.line) + ": ";
    return place + text.substr(i.text, text.find(';', i.text) - i.text);
}

} // namespace ptx
