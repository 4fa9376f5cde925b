/* SPDX-License-Identifier: MIT
 *
 * launch.h: a grid of blocks of warps that execute a kernel. */
#pragma once

#include "memory.h"
#include "program.h"
#include "warp.h"

namespace ptx {

struct extent {
    uint32_t x, y, z;
};

/* Executes a kernel, block by block. params: its parameters, as the program lays them out. Throws a
 * fault, with the instruction, the block and the thread, at what a card would not do. hits: of each
 * instruction of the program, how often a warp has executed it. */
tally execute(const program &program, const function &kernel, extent grid, extent block,
              size_t shared, std::vector<char> params, find_buffer *find,
              std::vector<uint64_t> &hits);

} // namespace ptx
