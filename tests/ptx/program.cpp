// SPDX-License-Identifier: MIT
// program.cpp: from the text to instructions. A function is read when all that it calls have been, so that their
// parameters have their places; its labels get theirs when it has been read.
#include "builder.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <set>

namespace ptx {

namespace {

uint64_t bytes_of(std::string_view type)
{
    return type == ".pred" ? 1 : (uint64_t)atoi(std::string(type.substr(2)).c_str()) / 8;
}

} // namespace

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

/* The call between these braces; 0: there is none. */
size_t builder::call_ahead() const
{
    int depth = 1;
    for (size_t k = at; depth && !t[k].text.empty(); k++) {
        depth += t[k].is("{") - t[k].is("}");
        if (depth == 1 && (t[k].is("call") || t[k].is("call.uni")))
            return k;
    }
    return 0;
}

/* Between braces with a call, names of parameters are those of the function that is called. */
void builder::bind_call()
{
    std::vector<std::string_view> given;
    size_t back = at;
    at = call_ahead() + 1;
    if (at == 1) {
        at = back;
        return;
    }
    if (take("("))
        for (; !take(")"); take(","))
            given.push_back(next());
    take(",");
    auto to = numbers.find(next());
    if (to == numbers.end())
        refuse("a function that is not here is called");
    for (; !here().is(";"); at++)
        if (!here().is("(") && !here().is(")") && !here().is(","))
            given.push_back(here().text);
    at = back;
    const function &called = p.functions[to->second];
    if (given.size() != called.params.size())
        refuse("a call gives other parameters than there are");
    for (size_t k = 0; k < given.size(); k++)
        scopes.back().addresses[std::string(given[k])] = LOCAL_AT + called.params[k].at;
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
