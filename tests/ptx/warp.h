/* SPDX-License-Identifier: MIT
 *
 * warp.h: 32 lanes that execute a program.
 *
 * Lanes that are at the same place go together. When a branch parts them, those at the lowest place
 * go first, until they are where others are or past them: nvcc puts a loop's end after it and both
 * sides of a condition before what follows, so lanes meet where they can. A card from compute
 * capability 7.0 on parts and joins lanes as it likes. Code may rely only on shuffles and votes,
 * where lanes wait for all that are named, and on barriers, where all that have not ended must
 * come; that some cannot come any more is a fault. With KINTSUGI_EMULATED_ORDER=apart they join
 * nowhere else. */
#pragma once

#include "memory.h"
#include "program.h"

#include <cstring>
#include <vector>

namespace ptx {

constexpr uint32_t ALL = 0xffffffff;

/* Lanes at one place. */
struct group {
    uint32_t mask, pc;
    bool waits;
};

/* To shared memory, that a lane has asked for. */
struct copy {
    int lane;
    char *to;
    const char *from;
    size_t bytes;
};

struct tally {
    uint64_t executed[KINDS] = {}; /* by warps */
    uint64_t lanes = 0;            /* that took part */
    tally &operator+=(const tally &more);
    uint64_t all() const
    {
        uint64_t sum = 0;
        for (uint64_t n : executed)
            sum += n;
        return sum;
    }
};

struct warp {
    warp(const program &program, memory &memory, uint32_t number);
    ~warp();
    warp(const warp &) = delete;

    /* Begins anew, with these lanes. The columns from TID on are the caller's to fill. */
    void begin(const function &kernel, uint32_t lanes);

    /* To the next barrier, or to the end: then no lane is alive. hits: of each instruction, how
     * often it was executed. */
    void advance(tally &tally, std::vector<uint64_t> &hits);

    template <class T> T *words(column c)
    {
        return (T *)(bases[c >> 31] + (size_t)(c & ~CONSTANT) * COLUMN);
    }
    uint32_t &predicate(column c) { return *words<uint32_t>(c); }
    char *own(int lane) { return local + (size_t)lane * code.local; }

    /* What instructions do to the warp. Its lanes have written to a register. */
    void wrote(column c) { written[c] |= mask; }
    /* These lanes go on elsewhere. */
    void go(uint32_t lanes, uint32_t to);
    /* The instruction is executed again when others have come. */
    void wait();
    /* All that are alive are at a barrier. */
    void stop_at_barrier();
    void end(uint32_t lanes);
    /* These registers hold nothing any more. */
    void forget(column from, column to);

    [[noreturn]] void fail(const std::string &why, int lane);

    const program &code;
    memory &mem;
    const uint32_t number; /* of the warp in its block */
    uint32_t mask = 0;     /* lanes that execute the instruction */
    uint32_t alive = 0;    /* lanes that have not ended */
    uint32_t at = 0;       /* the instruction */
    uint32_t pc = 0;       /* the next one */
    uint32_t carry = 0;    /* of each lane */
    bool at_barrier = false;
    std::vector<copy> copies; /* that nobody has waited for */

  private:
    bool next_group();
    void put(group g);
    void execute(const instruction &i, tally &tally, std::vector<uint64_t> &hits);

    char *bases[2];            /* of registers and constants */
    uint32_t *written;         /* of each column, by which lanes */
    char *local;               /* memory of the lanes */
    std::vector<group> groups; /* that do not run */
    uint32_t together = 0;     /* the lanes that are here, whether they execute it or not */
    uint32_t stop = 0;         /* where others are */
    bool waits = false;
};

/* Whether lanes join only where they wait. */
bool lanes_stay_apart();

} // namespace ptx
