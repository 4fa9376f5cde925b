/* SPDX-License-Identifier: MIT
 *
 * memory.h: what the threads of a launch may reach. Every access of a lane must lie in one buffer
 * of the card, in its block's shared memory, among its own arrays or in the parameters, as its
 * instruction says. */
#pragma once

#include "program.h"

#include <cstdint>
#include <vector>

namespace ptx {

enum class space { GENERIC, GLOBAL, SHARED, LOCAL, PARAM };

struct range {
    uint64_t at, bytes;
    bool holds(uint64_t address, uint64_t size) const
    {
        return address - at < bytes && size <= bytes - (address - at);
    }
};

/* Whose buffer an address is of; bytes is 0: nobody's. */
typedef range find_buffer(uint64_t address);

struct memory {
    memory(const program &program, find_buffer *find, size_t dynamic);

    /* Begins a block: NaN in all of shared memory. */
    void fill_shared();

    /* Where `size` bytes at a lane's address are; NULL: it may not reach them, or not write there.
     * `local`: the lane's own memory. */
    char *reach(space where, uint64_t address, uint64_t size, bool write, char *local)
    {
        if (where <= space::GLOBAL && last.holds(address, size))
            return (char *)address;
        if (where == space::SHARED && address - SHARED_AT < dynamic &&
            size <= dynamic - (address - SHARED_AT))
            return shared.data() + (address - SHARED_AT);
        return look_up(where, address, size, write, local);
    }

    /* Why it may not. */
    std::string refusal(space where, uint64_t address, uint64_t size) const;

    std::vector<char> params;
    range last = {}; /* a buffer of the card that was found */

  private:
    char *look_up(space where, uint64_t address, uint64_t size, bool write, char *local);

    const program &code;
    find_buffer *find;
    size_t dynamic;                   /* bytes of shared memory that the launch states */
    std::vector<char> shared, arrays; /* these; arrays of fixed size */
};

} // namespace ptx
