/* SPDX-License-Identifier: MIT
 *
 * program.h: the instructions of kernels, as nvcc writes them (PTX), made ready to be executed by
 * warps of 32 lanes (warp.h).
 *
 *     ptx::program p(text);                         throws ptx::fault at what it does not know
 *     const ptx::kernel &k = p.kernel_named(name);
 *
 * Every register is a column: a value for each lane, of 4 bytes (also for 8 and 16 bits; a
 * predicate is one mask, in the first of them) or of 8. Constants are columns too, so that an
 * instruction need not ask what its operands are. Columns are numbered in steps of 32 words; those
 * of constants have the highest bit set.
 *
 * The instructions of all functions lie one after the other, a function before those that call it:
 * of lanes that are apart, those at the lowest place go first, so that calls return before others
 * go on. Functions that call themselves are refused. Each has its registers, its parameters and its
 * arrays in one place of a warp, whoever calls it. */
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace ptx {

enum { LANES = 32, COLUMN = LANES * 4 };

/* What instructions count as. */
enum kind { LOADS, STORES, SHARED, FLOATS, INTEGERS, BRANCHES, OTHERS, KINDS };

/* Where memory begins that is not the card's own: one range of addresses for all kinds of it. An
 * address says of itself what it is of, as generic ones do on a card. */
enum : uint64_t {
    SHARED_AT = 0x01000400, /* what the launch states; a card keeps the first kB for itself */
    ARRAYS_AT = 0x01100000, /* of fixed size, in shared memory */
    LOCAL_AT = 0x02000000,  /* of one lane: arrays, and parameters of functions */
    PARAM_AT = 0x03000000,  /* of a kernel */
    END_OF_OWN = 0x04000000,
};

/* Something a card would not do, or the interpreter does not know. */
struct fault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

typedef uint32_t column;
enum : column { NONE, ALWAYS = NONE, TID, NTID = TID + 3, CTAID = NTID + 3, NCTAID = CTAID + 3 };
enum : column { LANE = NCTAID + 3, SINK, OWN = SINK + 2, CONSTANT = 1u << 31 };

struct warp;
struct instruction;
typedef void operation(warp &w, const instruction &i);

struct instruction {
    operation *run;
    column to[4];
    column from[5];
    column guard;    /* executed by lanes for which it is so */
    bool guard_not;  /* or is not */
    bool wide;       /* what is loaded or stored is in columns of double words */
    bool far;        /* so is the address */
    uint8_t count;   /* of a vector */
    uint8_t kind;    /* for counting */
    uint8_t needs;   /* how many of `reads` there are */
    column reads[5]; /* registers that must have been written */
    uint32_t target; /* of branches and calls */
    int64_t offset;  /* added to an address */
    uint32_t text;   /* where it begins in the program's text */
    uint32_t file, line;
};

/* Memory with a name. */
struct variable {
    std::string name;
    uint64_t at, bytes;
};

struct function {
    std::string name;
    uint32_t begin, end;       /* its instructions */
    column first, columns;     /* its registers: the first, and one past the last */
    column back;               /* where it returns to */
    uint64_t local, local_end; /* its arrays in a lane's own memory, after LOCAL_AT */
    /* Of a kernel after PARAM_AT; of a function after LOCAL_AT, and first what it returns. */
    std::vector<variable> params;
    uint32_t results;             /* how many these are */
    uint32_t most_threads = 1024; /* of a block */
    bool fixed = false;           /* it relies on memory that it does not change */
};

class program {
  public:
    explicit program(const std::string &text);
    program(const program &) = delete;

    const function &kernel_named(const std::string &name) const;

    std::string text;
    std::vector<instruction> code;
    std::vector<function> functions; /* in the order of their instructions; kernels last */
    std::map<uint32_t, std::string> files;
    std::vector<variable> arrays; /* of fixed size in shared memory, of all kernels */
    uint64_t arrays_end = ARRAYS_AT;
    std::vector<variable> tables;    /* constants on the card, by their address */
    std::vector<uint32_t> constants; /* columns */
    column columns = OWN;            /* how many a warp must have */
    uint64_t local = 0;              /* bytes that a lane must have */

    /* An instruction as it was written, and where it comes from. */
    std::string told(uint32_t pc) const;

    /* The kernel or function that an instruction is of. */
    const function &owner(uint32_t pc) const;

  private:
    std::vector<std::vector<uint64_t>> storage; /* of tables */
    friend class builder;
};

/* What executes an instruction, by its name; names of the same one are separated by blanks. Its
 * operands, those that it writes before the '=':
 *
 *     w d p   a column of words, of double words, a predicate
 *     r R     words or double words, whatever the register is; double words; also several
 *     [       an address and what is added to it
 *     >       a place in the code */
struct row {
    std::string names;
    kind counts_as;
    operation *run;
    std::string operands;
};

/* What can be executed: arithmetic.cpp, conversion.cpp, access.cpp, control.cpp. */
std::vector<row> arithmetic();
std::vector<row> conversions();
std::vector<row> accesses();
std::vector<row> controls();

/* Parts of an address space that are given away one after the other. */
inline uint64_t aligned(uint64_t at, uint64_t to)
{
    return (at + to - 1) / to * to;
}

} // namespace ptx
