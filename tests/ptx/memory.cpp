// SPDX-License-Identifier: MIT
#include "memory.h"

#include <algorithm>
#include <cstdio>

namespace ptx {

memory::memory(const program &program, find_buffer *find, size_t dynamic)
    : code(program), find(find), shared(dynamic), arrays(program.arrays_end - ARRAYS_AT)
{
}

void memory::fill_shared()
{
    std::fill(shared.begin(), shared.end(), (char)0xff);
    std::fill(arrays.begin(), arrays.end(), (char)0xff);
}

static bool among(const std::vector<variable> &variables, uint64_t address, uint64_t size)
{
    for (const variable &v : variables)
        if (range{v.at, v.bytes}.holds(address, size))
            return true;
    return false;
}

/* Of generic addresses. */
static space space_at(uint64_t address)
{
    return address >= END_OF_OWN  ? space::GLOBAL
           : address >= PARAM_AT ? space::PARAM
           : address >= LOCAL_AT ? space::LOCAL
                                 : space::SHARED;
}

char *memory::reach(space where, uint64_t address, uint64_t size, bool write, char *local)
{
    if (where == space::GENERIC)
        return reach(space_at(address), address, size, write, local);
    if (where == space::SHARED && range{SHARED_AT, shared.size()}.holds(address, size))
        return shared.data() + (address - SHARED_AT);
    if (where == space::SHARED)
        return among(code.arrays, address, size) ? arrays.data() + (address - ARRAYS_AT) : nullptr;
    if (where == space::PARAM && address >= PARAM_AT)
        return !write && range{PARAM_AT, params.size()}.holds(address, size) ? params.data() + (address - PARAM_AT)
                                                                             : nullptr;
    if (where == space::LOCAL || where == space::PARAM) // parameters of functions are a lane's own
        return range{LOCAL_AT, code.local}.holds(address, size) ? local + (address - LOCAL_AT) : nullptr;
    range buffer = find(address);
    if (buffer.holds(address, size)) {
        *last = buffer;
        return (char *)address;
    }
    return !write && among(code.tables, address, size) ? (char *)address : nullptr;
}

bool memory::note(uint64_t address, uint64_t size, use how)
{
    uint8_t seen = 0;
    size_t k = 0;
    while (k < uses.size() && !uses[k].of.holds(address, size))
        k++;
    if (k == uses.size()) {
        range buffer = find(address);
        if (!buffer.bytes) // a table
            return true;
        uses.push_back({buffer, std::vector<uint8_t>(buffer.bytes)});
    }
    for (uint64_t at = address - uses[k].of.at; size && at < uses[k].bytes.size(); at++, size--)
        seen |= uses[k].bytes[at] |= how;
    return seen != (FIXED | CHANGED);
}

std::string memory::refusal(space where, uint64_t address, uint64_t size) const
{
    static const char *const names[] = {"memory", "global memory", "shared memory", "local memory", "parameters"};
    char text[200];
    range found = where == space::SHARED ? range{SHARED_AT, shared.size()} : find(address);
    uint64_t past = address - found.at;
    if (found.bytes)
        snprintf(text, sizeof text, "%llu bytes of %s at %lld of %llu", (unsigned long long)size, names[(int)where],
                 (long long)past, (unsigned long long)found.bytes);
    else
        snprintf(text, sizeof text, "%llu bytes at %llx, which is of no %s", (unsigned long long)size,
                 (unsigned long long)address, where == space::GLOBAL ? "buffer" : names[(int)where]);
    return text;
}

} // namespace ptx
