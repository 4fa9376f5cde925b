// SPDX-License-Identifier: MIT
// ptx_test.cpp: what PTX's manual says of each kind of instruction, and that what a card would not do is found.
#include "../unit/test.h"
#include "launch.h"

#include <cmath>
#include <functional>

namespace {

enum { THREADS = 64, WORDS = 256 };

uint64_t memory[3 * WORDS], *const out = memory, *const in = memory + 2 * WORDS; // what is between is nobody's

ptx::range find(uint64_t address)
{
    for (uint64_t *buffer : {out, in})
        if (ptx::range{(uint64_t)buffer, WORDS * sizeof *buffer}.holds(address, 1))
            return {(uint64_t)buffer, WORDS * sizeof *buffer};
    return {};
}

/* A kernel. Registers: %p predicates, %h 16 bits, %r 32, %d 64, %f and %g floats. %d0: where the thread's word of `out`
 * is, %d1 the same of `in`, %r0 the thread. */
std::string kernel(const std::string &body, const std::string &before = "")
{
    return ".version 9.0\n.target sm_90\n.address_size 64\n" + before +
           ".visible .entry k(.param .u64 out, .param .u64 in, .param .align 8 .b8 box[16])\n.maxntid 128, 1, 1\n{\n"
           ".reg .pred %p<9>;\n.reg .b16 %h<9>;\n.reg .b32 %r<20>;\n.reg .b64 %d<20>;\n.reg .f32 %f<9>;\n"
           ".reg .f64 %g<9>;\nld.param.u64 %d18, [out];\nld.param.u64 %d19, [in];\nmov.u32 %r0, %tid.x;\n"
           "mul.wide.u32 %d17, %r0, 8;\nadd.s64 %d0, %d18, %d17;\nadd.s64 %d1, %d19, %d17;\n" +
           body + "\nret;\n}\n";
}

ptx::tally counted;

/* Why it failed; "": it did not. */
std::string run(const std::string &text, uint32_t threads = THREADS, size_t shared = 1024)
{
    try {
        ptx::program program(text);
        std::vector<uint64_t> hits;
        std::vector<char> params(32);
        uint64_t given[] = {(uint64_t)out, (uint64_t)in, 0x1122334455667788, 0x99};
        memcpy(params.data(), given, sizeof given);
        memset(out, 0, WORDS * sizeof *out);
        const ptx::function &k = program.kernel_named("k");
        counted = ptx::execute(program, k, {1, 1, 1}, {threads, 1, 1}, shared, params, find, hits);
        return "";
    } catch (const ptx::fault &why) {
        return why.what();
    }
}

/* ---- values ---- */

struct value {
    const char *body; // leaves its result in register 2 of its kind
    char kind;
    uint64_t result;
};

const std::string STORE_WORD = "cvt.u64.u32 %d2, %r2;\nst.global.u64 [%d0], %d2;";

std::string stored(char kind)
{
    switch (kind) {
    case 'r': return STORE_WORD;
    case 'h': return "cvt.u32.u16 %r2, %h2;\n" + STORE_WORD;
    case 'f': return "mov.b32 %r2, %f2;\n" + STORE_WORD;
    case 'p': return "selp.b32 %r2, 1, 0, %p2;\n" + STORE_WORD;
    case 'g': return "st.global.f64 [%d0], %g2;";
    default: return "st.global.u64 [%d0], %d2;";
    }
}

void check(const char *family, const std::vector<value> &values)
{
    std::string wrong;
    for (const value &v : values) {
        std::string why = run(kernel(std::string(v.body) + "\n" + stored(v.kind)));
        if (!why.empty() || out[0] != v.result || out[THREADS - 1] != v.result) {
            char got[99];
            snprintf(got, sizeof got, ": %llx, not %llx", (unsigned long long)out[0], (unsigned long long)v.result);
            wrong = v.body + (why.empty() ? got : ": " + why);
        }
    }
    ok(wrong.empty(), "%s: %zu values %s", family, values.size(), wrong.c_str());
}

uint64_t f(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

uint64_t g(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

void test_integers()
{
    check("sums", {{"add.s32 %r2, 7, -9;", 'r', 0xfffffffe},
                   {"sub.s32 %r2, 7, 9;", 'r', 0xfffffffe},
                   {"add.s64 %d2, 0xffffffff, 1;", 'd', 0x100000000},
                   {"neg.s32 %r2, 5;", 'r', 0xfffffffb},
                   {"abs.s32 %r2, -5;", 'r', 5},
                   {"mov.u16 %h1, 65535; add.s16 %h2, %h1, 2;", 'h', 1}});
    check("products", {{"mul.lo.s32 %r2, 65537, 65537;", 'r', 0x20001},
                       {"mul.hi.u32 %r2, 0xffffffff, 0xffffffff;", 'r', 0xfffffffe},
                       {"mul.hi.s32 %r2, -1, 2;", 'r', 0xffffffff},
                       {"mul.wide.s32 %d2, -3, 5;", 'd', (uint64_t)-15},
                       {"mul.wide.u32 %d2, -3, 5;", 'd', 0x4fffffff1},
                       {"mul.hi.u64 %d2, -1, -1;", 'd', (uint64_t)-2},
                       {"mad.lo.s32 %r2, 3, 4, 5;", 'r', 17},
                       {"mad.wide.u32 %d2, 0xffffffff, 2, 4;", 'd', 0x200000002}});
    check("quotients", {{"div.s32 %r2, -7, 2;", 'r', (uint32_t)-3},
                        {"rem.s32 %r2, -7, 2;", 'r', (uint32_t)-1},
                        {"div.u32 %r2, -7, 2;", 'r', 0x7ffffffc},
                        {"div.s32 %r2, 0x80000000, -1;", 'r', 0x80000000},
                        {"rem.u64 %d2, 17, 5;", 'd', 2}});
    check("least and most", {{"min.s32 %r2, -1, 1;", 'r', 0xffffffff},
                             {"min.u32 %r2, -1, 1;", 'r', 1},
                             {"max.u64 %d2, -1, 1;", 'd', (uint64_t)-1},
                             {"min.u16x2 %r2, 0x00050009, 0x00080002;", 'r', 0x00050002},
                             {"prmt.b32 %r2, 0x33221100, 0x776655c4, 0x7140;", 'r', 0x7711c400},
                             {"prmt.b32 %r2, 0x33221100, 0x776655c4, 0xdc89;", 'r', 0x00ff0000}});
    check("shifts", {{"shl.b32 %r2, 1, 31;", 'r', 0x80000000},
                     {"shl.b32 %r2, 1, 32;", 'r', 0},
                     {"shr.s32 %r2, -8, 1;", 'r', 0xfffffffc},
                     {"shr.s32 %r2, -8, 99;", 'r', 0xffffffff},
                     {"shr.u32 %r2, -8, 32;", 'r', 0},
                     {"shr.u64 %d2, -1, 60;", 'd', 15},
                     {"shf.l.wrap.b32 %r2, 0x80000001, 0x7, 33;", 'r', 0xf}});
    check("bits", {{"and.b32 %r2, 12, 10;", 'r', 8},
                   {"or.b64 %d2, 12, 10;", 'd', 14},
                   {"xor.b32 %r2, 12, 10;", 'r', 6},
                   {"not.b32 %r2, 0;", 'r', 0xffffffff},
                   {"clz.b64 %r2, 1;", 'r', 63},
                   {"clz.b64 %r2, 0;", 'r', 64},
                   {"popc.b32 %r2, 0xf0f;", 'r', 8},
                   {"bfi.b64 %d2, 0x7, 0xf000, 4, 2;", 'd', 0xf030}});
    check("sums of several words",
          {{"add.cc.u32 %r3, -1, 1; addc.u32 %r2, 5, 0;", 'r', 6},
           {"sub.cc.u32 %r3, 0, 1; subc.u32 %r2, 5, 0;", 'r', 4},
           {"add.cc.s64 %d3, -1, -1; addc.cc.s64 %d2, 0, 0;", 'd', 1},
           {"mad.lo.cc.u32 %r3, -1, 1, 1; madc.hi.u32 %r2, -1, -1, 0;", 'r', 0xffffffff}});
    check("comparisons", {{"setp.lt.s32 %p2, -1, 1;", 'p', 1},
                          {"setp.lt.u32 %p2, -1, 1;", 'p', 0},
                          {"mov.u16 %h1, 65535; setp.eq.s16 %p2, %h1, -1;", 'p', 1},
                          {"setp.ge.u64 %p2, -1, 1;", 'p', 1},
                          {"setp.ne.s32 %p1, 1, 2; not.pred %p2, %p1;", 'p', 0},
                          {"setp.eq.s32 %p1, 1, 2; mov.pred %p3, -1; xor.pred %p2, %p1, %p3;", 'p', 1},
                          {"setp.eq.s32 %p1, 1, 2; selp.b32 %r2, 3, 4, %p1;", 'r', 4}});
}

void test_floats()
{
    check("fused products and sums", {{"fma.rn.f32 %f2, 0f3F800001, 0f3F800001, 0fBF800002;", 'f', f(0x1p-46f)},
                                      {"mul.f32 %f1, 0f3F800001, 0f3F800001; add.f32 %f2, %f1, 0fBF800002;", 'f', f(0)},
                                      {"fma.rn.f64 %g2, 0d3FF0000000000001, 0d3FF0000000000001, 0dBFF0000000000002;",
                                       'g', g(0x1p-104)}});
    check("roundings", {{"add.f32 %f2, 0f3F800000, 0f33800000;", 'f', f(1)},
                        {"add.f32 %f2, 0f3F800001, 0f33800000;", 'f', 0x3f800002},
                        {"add.rz.f32 %f2, 0f3F800001, 0f33800000;", 'f', 0x3f800001},
                        {"mul.f32 %f2, 0f00800000, 0f3F000000;", 'f', 0x00400000}, // subnormal
                        {"div.rn.f32 %f2, 0f3F800000, 0f40400000;", 'f', 0x3eaaaaab},
                        {"rcp.rn.f32 %f2, 0f40400000;", 'f', 0x3eaaaaab},
                        {"sqrt.rn.f32 %f2, 0f40000000;", 'f', f(sqrtf(2))}});
    check("least and most of floats", {{"min.f32 %f2, 0f7FC00000, 0f3F800000;", 'f', f(1)},
                                       {"max.f32 %f2, 0f3F800000, 0f7FC00000;", 'f', f(1)},
                                       {"min.f32 %f2, 0f00000000, 0f80000000;", 'f', 0x80000000},
                                       {"max.f64 %g2, 0d8000000000000000, 0d0000000000000000;", 'g', 0}});
    check("signs", {{"abs.f32 %f2, 0fBF800000;", 'f', f(1)},
                    {"neg.f64 %g2, 0d0000000000000000;", 'g', g(-0.0)},
                    {"copysign.f32 %f2, 0f80000000, 0f40000000;", 'f', f(-2)}});
    check("comparisons with NaN", {{"setp.lt.f32 %p2, 0f7FC00000, 0f3F800000;", 'p', 0},
                                   {"setp.ltu.f32 %p2, 0f7FC00000, 0f3F800000;", 'p', 1},
                                   {"setp.ne.f32 %p2, 0f7FC00000, 0f3F800000;", 'p', 0},
                                   {"setp.neu.f32 %p2, 0f7FC00000, 0f7FC00000;", 'p', 1},
                                   {"setp.leu.f64 %p2, 0d3FF0000000000000, 0d0000000000000000;", 'p', 0},
                                   {"setp.num.f32 %p2, 0f3F800000, 0f7FC00000;", 'p', 0},
                                   {"setp.nan.f32 %p2, 0f3F800000, 0f7FC00000;", 'p', 1}});
    check("approximations far out", {{"div.approx.f32 %f2, 0f40000000, 0f7F000000;", 'f', f(0)},
                                     {"div.approx.f32 %f2, 0f3F800000, 0f00000000;", 'f', f(INFINITY)},
                                     {"rsqrt.approx.f32 %f2, 0f00000000;", 'f', f(INFINITY)},
                                     {"rsqrt.approx.ftz.f32 %f2, 0f00000001;", 'f', f(INFINITY)},
                                     {"rcp.approx.ftz.f32 %f2, 0f80000001;", 'f', f(-INFINITY)},
                                     {"rcp.approx.ftz.f32 %f2, 0f7F000000;", 'f', f(0)},
                                     {"rcp.approx.ftz.f32 %f2, 0f00400000;", 'f', f(INFINITY)},
                                     {"rcp.approx.ftz.f32 %f2, 0fFF000000;", 'f', f(-0.0f)},
                                     {"rcp.approx.ftz.f64 %g2, 0d4008000000000000;", 'g', 0x3fd5555500000000}});
}

void test_conversions()
{
    check("floats to integers", {{"cvt.rzi.s32.f32 %r2, 0fBFC00000;", 'r', (uint32_t)-1},
                                 {"cvt.rni.s32.f32 %r2, 0f40200000;", 'r', 2},
                                 {"cvt.rzi.s32.f32 %r2, 0f7F800000;", 'r', 0x7fffffff},
                                 {"cvt.rzi.s32.f32 %r2, 0fFF7FFFFF;", 'r', 0x80000000},
                                 {"cvt.rzi.s32.f32 %r2, 0f7FC00000;", 'r', 0},
                                 {"cvt.rzi.u32.f32 %r2, 0fBF800000;", 'r', 0},
                                 {"cvt.rni.u16.f32 %h2, 0f47000080;", 'h', 32768},
                                 {"cvt.rni.u16.f32 %h2, 0f47800000;", 'h', 65535},
                                 {"cvt.rni.u16.f32 %h2, 0fBF800000;", 'h', 0},
                                 {"cvt.rmi.f32.f32 %f2, 0fBF000000;", 'f', f(-1)},
                                 {"cvt.rni.s32.f64 %r2, 0dC004000000000000;", 'r', (uint32_t)-2}});
    check("integers to floats", {{"cvt.rn.f32.s32 %f2, 16777217;", 'f', f(16777216)},
                                 {"cvt.rn.f32.u64 %f2, -1;", 'f', f(0x1p64f)},
                                 {"mov.u16 %h1, 40000; cvt.rn.f32.u16 %f2, %h1;", 'f', f(40000)}});
    check("other widths", {{"cvt.s64.s32 %d2, -1;", 'd', (uint64_t)-1},
                           {"cvt.u64.u32 %d2, -1;", 'd', 0xffffffff},
                           {"mov.u64 %d3, 0x1ffffffff; cvt.s64.s32 %d2, %d3;", 'd', (uint64_t)-1},
                           {"mov.u16 %h1, 0x80; cvt.s32.s8 %r2, %h1;", 'r', 0xffffff80},
                           {"mov.u32 %r1, 0x12345678; cvt.u16.u32 %h2, %r1;", 'h', 0x5678},
                           {"cvt.rn.f32.f64 %f2, 0d3FF0000010000000;", 'f', f(1)},
                           {"mov.b64 %d2, {1, 2};", 'd', 0x200000001},
                           {"mov.u64 %d3, 0x300000004; mov.b64 {%r3, %r2}, %d3;", 'r', 3},
                           {"{ .reg .b32 %r2; mov.u32 %r2, 5; mov.u32 %r3, %r2; } add.s32 %r2, %r3, 1;", 'r', 6}});
}

/* Each within two units in the last place, or 2^-22.9; some not the nearest. */
void test_approximations()
{
    bool within = true, moved = false;
    for (int k = 0; k < WORDS; k++)
        in[k] = f(1 + (float)k * 0.37f) | f(3 + (float)k) << 32;
    std::string why = run(kernel("ld.global.v2.f32 {%f1, %f2}, [%d1];\ndiv.approx.f32 %f3, %f1, %f2;\n"
                                 "rsqrt.approx.f32 %f4, %f1;\nst.global.v2.f32 [%d0], {%f3, %f4};"));
    for (int k = 0; k < THREADS; k++) {
        float a, b, got[2];
        memcpy(&a, &in[k], 4);
        memcpy(&b, (char *)&in[k] + 4, 4);
        memcpy(got, &out[k], 8);
        within = within && fabsf(got[0] - a / b) <= 2 * (nextafterf(a / b, INFINITY) - a / b) &&
                 fabs(got[1] * std::sqrt((double)a) - 1) <= exp2(-22.9);
        moved = moved || got[0] != a / b;
    }
    ok(why.empty() && within && moved, "approximations are as far off as they may be %s", why.c_str());
}

/* ---- where lanes go ---- */

void test_lanes()
{
    ok(run(kernel("rem.u32 %r1, %r0, 3;\nmov.u32 %r2, 0;\n$loop:\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra $end;\n"
                  "add.s32 %r2, %r2, 10;\nadd.s32 %r1, %r1, -1;\nbra.uni $loop;\n$end:\n" +
                  STORE_WORD)) == "" &&
           out[0] == 0 && out[1] == 10 && out[2] == 20 && out[35] == 20,
       "lanes leave a loop at different times");
ok(counted.lanes * 100 > counted.all() * 32 * 70, "and are together again after it");
    ok(run(kernel("setp.lt.u32 %p1, %r0, 5;\n@!%p1 mov.u32 %r2, 7;\n@%p1 mov.u32 %r2, 8;\n" + STORE_WORD)) == "" &&
           out[4] == 8 && out[5] == 7,
       "predicates");
    ok(run(kernel("and.b32 %r1, %r0, 1;\nsetp.eq.s32 %p1, %r1, 0;\nmov.u32 %r2, 0;\n@%p1 bra $even;\n"
                  "add.s32 %r2, %r2, 1;\n$even:\nshfl.sync.down.b32 %r3|%p2, %r0, 1, 31, -1;\n"
                  "selp.b32 %r2, %r3, 99, %p2;\n" +
                  STORE_WORD)) == "" &&
           out[0] == 1 && out[30] == 31 && out[31] == 99 && out[32] == 33,
       "a shuffle waits for lanes that come later");
    ok(run(kernel("shfl.sync.up.b32 %r2, %r0, 2, 0, -1;\n" + STORE_WORD)) == "" && out[1] == 1 && out[5] == 3,
       "a shuffle up");
    ok(run(kernel("shfl.sync.bfly.b32 %r2, %r0, 1, 31, -1;\n" + STORE_WORD)) == "" && out[4] == 5 && out[5] == 4,
       "one across");
    ok(run(kernel("setp.lt.u32 %p1, %r0, 40;\nvote.sync.all.pred %p2, %p1, -1;\nselp.b32 %r2, 1, 0, %p2;\n" +
                  STORE_WORD)) == "" &&
           out[0] == 1 && out[32] == 0,
       "a vote");
    ok(run(kernel("setp.gt.u32 %p1, %r0, 9;\n@%p1 ret;\nmov.u32 %r2, 1;\n" + STORE_WORD), 40) == "" && out[9] == 1 &&
           out[10] == 0 && out[39] == 0,
       "lanes that end early, a warp that is not whole");
}

const char *const FUNCTIONS =
    ".func (.param .b32 func_retval0) twice(.param .b32 twice_0, .param .b64 twice_1);\n"
    ".func (.param .b32 func_retval0) four(.param .b32 four_0)\n{\n.reg .b32 %r<4>;\n.reg .b64 %d<2>;\n"
    ".local .align 8 .b8 depot[16];\nld.param.u32 %r1, [four_0];\nmov.u64 %d1, depot;\nst.local.u32 [%d1+4], %r1;\n"
    "cvta.local.u64 %d1, %d1;\n{\n.param .b32 param0;\nst.param.b32 [param0+0], %r1;\n.param .b64 param1;\n"
    "st.param.b64 [param1+0], %d1;\n.param .b32 retval0;\ncall.uni (retval0), twice, (param0, param1);\n"
    "ld.param.b32 %r2, [retval0+0];\n}\nadd.s32 %r3, %r2, %r2;\nst.param.b32 [func_retval0+0], %r3;\nret;\n}\n"
    ".func (.param .b32 func_retval0) twice(.param .b32 twice_0, .param .b64 twice_1)\n{\n.reg .b32 %r<4>;\n"
    ".reg .b64 %d<2>;\nld.param.u32 %r1, [twice_0];\nld.param.u64 %d1, [twice_1];\nld.u32 %r2, [%d1+4];\n"
    "add.s32 %r3, %r1, %r2;\nst.param.b32 [func_retval0+0], %r3;\nret;\n}\n";

void test_functions()
{
    std::string call = "{\n.param .b32 param0;\nst.param.b32 [param0+0], %r1;\n.param .b32 retval0;\n"
                       "call.uni (retval0), four, (param0);\nld.param.b32 %r2, [retval0+0];\n}\n";
    ok(run(kernel("add.s32 %r1, %r0, 1;\n" + call + STORE_WORD, FUNCTIONS)) == "" && out[0] == 4 && out[40] == 164,
       "functions that call functions, and give them addresses of their own arrays");
    ok(run(kernel("setp.lt.u32 %p1, %r0, 5;\nmov.u32 %r1, %r0;\n@%p1 bra $other;\n" + call +
                      "bra.uni $end;\n$other:\nadd.s32 %r1, %r1, 100;\n" + call + "$end:\n" + STORE_WORD,
                  FUNCTIONS)) == "" &&
           out[4] == 416 && out[5] == 20,
       "called from two places at once");
}

void test_memory()
{
    ok(run(kernel("mov.u32 %r1, raw;\nshl.b32 %r3, %r0, 2;\nadd.s32 %r4, %r1, %r3;\nst.shared.u32 [%r4], %r0;\n"
                  "bar.sync 0;\nsub.s32 %r5, 252, %r3;\nadd.s32 %r5, %r1, %r5;\nld.shared.u32 %r2, [%r5];\n" +
                      STORE_WORD,
                  ".extern .shared .align 16 .b8 raw[];\n")) == "" &&
           out[0] == 63 && out[63] == 0,
       "shared memory of the launch, and a barrier");
    ok(run(kernel("setp.eq.s32 %p1, %r0, 33;\n@%p1 st.shared.f64 [part+8], 0d3FF0000000000000;\nbar.sync 0;\n"
                  "ld.shared.f64 %g2, [part+8];\nst.global.f64 [%d0], %g2;",
                  ".shared .align 8 .b8 part[16];\n")) == "" &&
           out[0] == g(1),
       "an array in shared memory");
    ok(run(kernel("mov.b64 %d3, box;\nld.param.u32 %r2, [%d3+4];\n" + STORE_WORD)) == "" && out[0] == 0x11223344,
       "parameters by address");
    ok(run(kernel("cvta.param.u64 %d4, %d3;\nld.u8 %h2, [%d4+8];\ncvt.u32.u16 %r2, %h2;\n" + STORE_WORD)
               .replace(0, 0, "")) != "",
       "not by one that was never written");
    ok(run(kernel("mov.u64 %d3, table;\nld.global.nc.u32 %r2, [%d3+4];\n" + STORE_WORD,
                  ".global .align 4 .b8 table[8] = {1, 0, 0, 0, 2, 1};\n")) == "" &&
           out[0] == 0x102,
       "a table of constants");
    ok(run(kernel("ld.global.nc.u32 %r2, [%d1+4];\n" + STORE_WORD)) == "" && out[9] == in[9] >> 32,
       "memory that nothing changes");
    ok(run(kernel("atom.global.add.u64 %d2, [%d18+1600], 2;\nst.global.u64 [%d0], %d2;")) == "" && out[200] == 128,
       "atomic sums");
    ok(run(kernel("ld.global.v2.u32 {%r3, %r2}, [%d1];\n" + STORE_WORD)) == "" && out[7] == in[7] >> 32, "vectors");
    ok(run(kernel("prefetch.global.L2 [%d1];")) == "", "memory that is asked for ahead");
    ok(run(kernel("mov.u32 %r1, raw;\nshl.b32 %r3, %r0, 2;\nadd.s32 %r4, %r1, %r3;\nst.shared.u32 [%r4], 7;\n"
                  "cp.async.ca.shared.global [%r4], [%d1+4], 4;\nld.shared.u32 %r5, [%r4];\n"
                  "cp.async.wait_all;\nld.shared.u32 %r6, [%r4];\nadd.s32 %r2, %r5, %r6;\n" +
                      STORE_WORD,
                  ".extern .shared .align 16 .b8 raw[];\n")) == "" &&
           out[9] == (uint32_t)((in[9] >> 32) + 7),
       "copies to shared memory come when they are waited for");
    ok(run(kernel("mov.u32 %r1, raw;\nshl.b32 %r3, %r0, 3;\nadd.s32 %r4, %r1, %r3;\n"
                  "cp.async.ca.shared.global [%r4], [%d1], 8;\ncp.async.wait_all;\nld.shared.u32 %r2, [%r4+4];\n" +
                      STORE_WORD,
                  ".extern .shared .align 16 .b8 raw[];\n")) == "" &&
           out[9] == in[9] >> 32,
       "copies of 8 bytes");
    ok(run(kernel("mov.u32 %r3, %ntid.x;\nmov.u32 %r4, %nctaid.z;\nadd.s32 %r2, %r3, %r4;\n" + STORE_WORD)) == "" &&
           out[3] == THREADS + 1,
       "the shape of the grid");
}

/* ---- what a card would not do ---- */

void refuse(const char *what, const std::string &text, const char *because, size_t shared = 1024)
{
    std::string why = run(text, THREADS, shared);
    bool good = why.find(because) != std::string::npos;
    ok(good, "found: %s%s%s", what, good ? "" : ": ", good ? "" : why.c_str());
}

void test_faults()
{
    const char *raw = ".extern .shared .align 16 .b8 raw[];\n";
    refuse("a load past a buffer's end", kernel("ld.global.u32 %r2, [%d18+2048];"), "of no buffer");
    refuse("asking for what lies there", kernel("prefetch.global.L2 [%d18+2048];"), "of no buffer");
    refuse("a copy of it",
           kernel("mov.u32 %r1, raw;\ncp.async.ca.shared.global [%r1], [%d18+2048], 4;", raw), "of no buffer");
    refuse("one to shared memory past its end",
           kernel("mov.u32 %r1, raw;\nadd.s32 %r1, %r1, 1024;\ncp.async.ca.shared.global [%r1], [%d18], 4;", raw),
           "shared memory at 1024 of 1024");
    refuse("a copy of 8 bytes that its end cuts",
           kernel("mov.u32 %r1, raw;\nadd.s32 %r1, %r1, 1020;\ncp.async.ca.shared.global [%r1], [%d18], 8;", raw),
           "8 bytes of shared memory at 1020");
    refuse("a load that its end cuts", kernel("ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%d19+2040];"),
           "16 bytes of global memory at 2040 of 2048");
    refuse("a store at 0", kernel("mov.u64 %d3, 0;\nst.global.u32 [%d3], 1;"), "of no buffer");
    refuse("a vector at an address that its size does not divide", kernel("ld.global.v2.u32 {%r1, %r2}, [%d19+4];"),
           "8 bytes at an address that they do not divide");
    refuse("shared memory past its end", kernel("st.shared.u32 [raw+1024], 1;", raw), "shared memory at 1024 of 1024");
    refuse("an array past its end", kernel("ld.shared.u32 %r2, [part+16];", ".shared .align 8 .b8 part[16];\n"),
           "shared memory");
    refuse("parameters past their end", kernel("mov.b64 %d3, box;\nld.param.u64 %d2, [%d3+16];"), "parameters");
    refuse("a store to a table", kernel("st.global.u32 [table], 1;", ".global .align 4 .b8 table[8];\n"),
           "of no buffer");
    refuse("memory that one thread reads as if nothing changed it, and another writes",
           kernel("ld.global.nc.u32 %r2, [%d0];\nsub.s64 %d3, %d18, %d17;\nst.global.u32 [%d3+504], %r2;"),
           "is changed");
    refuse("a register that was never written", kernel("add.s32 %r2, %r9, 1;"), "never written");
    refuse("one that only other lanes have written",
           kernel("setp.lt.u32 %p1, %r0, 5;\n@%p1 mov.u32 %r3, 1;\nadd.s32 %r2, %r3, 1;"), "thread 5 0 0");
    refuse("a predicate that was never written", kernel("@%p3 mov.u32 %r2, 1;"), "never written");
    refuse("a barrier that some lanes go round",
           kernel("setp.lt.u32 %p1, %r0, 5;\n@%p1 bra $end;\nbar.sync 0;\n$end:\n"
                  "shfl.sync.up.b32 %r2, %r0, 1, 0, -1;"),
           "wait for others");
    refuse("a barrier that a warp goes round", kernel("setp.lt.u32 %p1, %r0, 32;\n@%p1 bra $end;\nbar.sync 0;\n$end:"),
           "others that have ended");
    refuse("a shuffle by lanes that it does not name", kernel("shfl.sync.up.b32 %r2, %r0, 1, 0, 15;"), "is not named");
    refuse("one that gets the value of a lane that has ended",
           kernel("setp.eq.s32 %p1, %r0, 7;\n@%p1 ret;\nshfl.sync.up.b32 %r2, %r0, 1, 0, -1;"), "thread 8 0 0");
    refuse("one whose lanes wait elsewhere",
           kernel("setp.lt.u32 %p1, %r0, 5;\n@%p1 bra $other;\nshfl.sync.up.b32 %r2, %r0, 1, 0, -1;\nbra.uni $end;\n"
                  "$other:\nshfl.sync.down.b32 %r2, %r0, 1, 31, -1;\n$end:"),
           "wait for others");
    refuse("a division by 0", kernel("div.u32 %r2, 1, %r0;"), "a division by 0");
    refuse("an instruction that is not known", kernel("tex.2d.v4.f32.f32 {%f1}, [a, {%f1}];"), "not known: tex");
    refuse("a register of another kind", kernel("add.s32 %r2, %d0, 1;"), "of another kind");
}

} // namespace

int main()
{
    test_integers();
    test_floats();
    test_conversions();
    test_approximations();
    test_lanes();
    test_functions();
    test_memory();
    test_faults();
    return done();
}
