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

/* Addresses, and where their bytes are. */
struct window {
    range of;
    char *bytes;
};

/* What must not be done both to a byte while a kernel runs. */
enum use : uint8_t { FIXED = 1, CHANGED = 2 };

struct used {
    range of;
    std::vector<uint8_t> bytes;
};

/* Whose buffer an address is of; bytes is 0: nobody's. */
typedef range find_buffer(uint64_t address);

struct memory {
    memory(const program &program, find_buffer *find, size_t dynamic);

    /* Begins a block: NaN in all of shared memory. */
    void fill_shared();

    /* Where `size` bytes at a lane's address are; NULL: it may not reach them, or not write there.
     * `local`: the lane's own memory. */
    char *reach(space where, uint64_t address, uint64_t size, bool write, char *local);

    /* Where it is most likely to be: what an instruction reached before is in one buffer. */
    window seen(space where, uint32_t instruction, bool write)
    {
        last = &found[instruction % std::size(found)];
        return where <= space::GLOBAL            ? window{*last, (char *)last->at}
               : where == space::SHARED          ? window{{SHARED_AT, shared.size()}, shared.data()}
               : where == space::PARAM && !write ? window{{PARAM_AT, params.size()}, params.data()}
                                                 : window();
    }

    /* Notes what a lane has read as if nothing changed it (ld.global.nc), or written. False: the
     * other thing has been done in this launch. */
    bool note(uint64_t address, uint64_t size, use how);

    /* Why it may not. */
    std::string refusal(space where, uint64_t address, uint64_t size) const;

    std::vector<char> params;
    bool watch = false; /* whether what lanes use is to be noted */

  private:
    const program &code;
    find_buffer *find;
    std::vector<used> uses;           /* of the buffers of the card */
    range found[64] = {};             /* buffers of the card */
    range *last = found;              /* that of the running instruction */
    std::vector<char> shared, arrays; /* what the launch states; arrays of fixed size */
};

} // namespace ptx
