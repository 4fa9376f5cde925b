// SPDX-License-Identifier: MIT
// decode.cpp: statements as instructions. What executes one is found by its name; operands are columns, constants too.
#include "builder.h"

#include <algorithm>
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

} // namespace

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
column builder::value_of(char kind, const operand &given)
{
    std::string word;
    for (auto part : given)
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

void builder::place_address(instruction &i, const operand &given)
{
    if (given.size() < 3 || given.front() != "[" || given.back() != "]")
        refuse("an address is missing");
    if (i.offset)
        refuse("only the last of two addresses may have more added");
    std::string more;
    for (size_t k = 2; k + 1 < given.size(); k++)
        more += given[k] == "+" ? "" : given[k];
    uint64_t added = 0;
    if (!more.empty() && !read_number(more, 8, &added))
        refuse("no address");
    i.offset = (int64_t)added;
    i.far = true;
    if (const reg *r = find_register(given[1])) {
        i.far = r->width == 'd';
        put(i, false, r->at);
    } else {
        const uint64_t *address = find_address(given[1]);
        if (!address)
            refuse("no address");
        put(i, false, constant(*address, 'd'));
    }
}

/* One register of any width, or several between braces. */
void builder::place_several(instruction &i, char kind, bool written, const operand &given)
{
    bool braces = given.front() == "{";
    i.wide |= kind == 'R';
    for (size_t k = braces; k < given.size() - braces; k++) {
        if (given[k] == ",")
            continue;
        const reg *r = find_register(given[k]);
        if (given[k] == "_" && written) {
            put(i, true, SINK);
        } else if (r) {
            if (r->width == 'p' || (kind == 'R' && r->width != 'd'))
                refuse(std::string(given[k]) + " is of another kind");
            i.wide |= r->width == 'd';
            put(i, written, r->at);
        } else {
            operand word = {given[k]};
            if (given[k] == "-")
                word.push_back(given[++k]);
            put(i, written, value_of(kind == 'R' ? 'd' : 'w', word));
        }
        i.count++;
    }
}

void builder::place_operand(instruction &i, char kind, bool written, const operand &given)
{
    if (given.empty())
        refuse("an operand is missing");
    if (kind == '[') {
        place_address(i, given);
    } else if (kind == 'r' || kind == 'R') {
        place_several(i, kind, written, given);
    } else if (kind == '>') {
        jumps.emplace_back((uint32_t)p.code.size(), std::string(given[0]));
    } else if (!written) {
        put(i, false, value_of(kind, given));
    } else {
        const reg *r = find_register(given[0]);
        if (!r && given[0] != "_")
            refuse("no register");
        if (r && r->width != kind)
            refuse(std::string(given[0]) + " is of another kind");
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
    f->fixed |= name.compare(0, 13, "ld.global.nc.") == 0;
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
    f->fixed |= called.fixed;
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
        for (auto &given : operands)
            for (auto word : given)
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

} // namespace ptx
