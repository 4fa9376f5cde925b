// SPDX-License-Identifier: MIT
// card.cpp: what nvcc's code for the host calls to launch kernels. Of each object that it has compiled, the kernels'
// PTX is in the object; other entry points of CUDA are those of the emulated card.
#include "cuda_runtime.h"
#include "launch.h"
#include "traffic.h"

#include <cstdio>
#include <cxxabi.h>
#include <map>
#include <memory>
#include <zstd.h>

namespace {

/* The kernels of one object. */
struct library {
    std::string text;
    std::unique_ptr<ptx::program> program; // once one of them is launched
    std::vector<uint64_t> hits;
};

struct known_kernel {
    library *from;
    std::string name;
    uint64_t launches, threads;
    ptx::tally sum;
};

/* By their stubs. Objects tell theirs before anything here is made; they stay until the process ends. */
std::map<const void *, known_kernel> &kernels()
{
    static auto &all = *new std::map<const void *, known_kernel>();
    return all;
}

[[noreturn]] void die(const std::string &why)
{
    fprintf(stderr, "emulated card: %s\n", why.c_str());
    abort();
}

ptx::range find(uint64_t address)
{
    emulated_buffer buffer = emulated_buffer_of((const void *)address);
    return {(uint64_t)buffer.at, buffer.bytes};
}

const ptx::program &program_of(library &l)
{
    if (!l.program)
        l.program.reset(new ptx::program(l.text));
    return *l.program;
}

/* Parameters as the kernel finds them. */
std::vector<char> laid_out(const ptx::function &kernel, void **given)
{
    std::vector<char> params;
    for (size_t k = 0; k < kernel.params.size(); k++) {
        const ptx::variable &p = kernel.params[k];
        params.resize(p.at + p.bytes);
        memcpy(&params[p.at], given[k], p.bytes);
    }
    return params;
}

traffic taken; // until now

uint64_t volume(const dim3 &of)
{
    return (uint64_t)of.x * of.y * of.z;
}

void run(known_kernel &k, const ptx::function &kernel, const cudaLaunchConfig_t &c,
         const std::vector<char> &params)
{
    library &from = *k.from;
    if (emulated_idle())
        return;
    try {
        k.sum += ptx::execute(*from.program, kernel, {c.gridDim.x, c.gridDim.y, c.gridDim.z},
                              {c.blockDim.x, c.blockDim.y, c.blockDim.z}, c.dynamicSmemBytes,
                              params, find, from.hits);
    } catch (const ptx::fault &why) {
        die(why.what());
    }
    k.launches++;
    k.threads += volume(c.gridDim) * volume(c.blockDim);
}

/* What all kernels have done. */
traffic total()
{
    traffic t = {};
    for (auto &[stub, k] : kernels()) {
        t.launches += k.launches;
        t.instructions += k.sum.all();
        t.lanes += k.sum.lanes;
    }
    return t;
}

/* How many of a kernel's instructions have been executed. */
uint64_t reached(const known_kernel &k, uint64_t *all)
{
    uint64_t count = 0;
    *all = 0;
    if (!k.from->program)
        return 0;
    const ptx::function &f = k.from->program->kernel_named(k.name);
    *all = f.end - f.begin;
    for (size_t pc = f.begin; pc < f.end && pc < k.from->hits.size(); pc++)
        count += k.from->hits[pc] > 0;
    return count;
}

/* At the end of the process. */
__attribute__((destructor)) void write_counts()
{
    const char *path = getenv("KINTSUGI_EMULATED_COUNTS");
    FILE *to = path ? fopen(path, "w") : nullptr;
    if (!to)
        return;
    fprintf(to, "kernel\tlaunches\tthreads\tlanes\tloads\tstores\tshared\tfloats\tintegers\tbranche"
                "s\tothers\t"
                "reached\tcode\n");
    for (auto &[stub, k] : kernels()) {
        uint64_t code, got = reached(k, &code);
        char *plain = abi::__cxa_demangle(k.name.c_str(), nullptr, nullptr, nullptr);
        fprintf(to, "%s\t%llu\t%llu\t%llu", plain ? plain : k.name.c_str(),
                (unsigned long long)k.launches, (unsigned long long)k.threads,
                (unsigned long long)k.sum.lanes);
        for (uint64_t n : k.sum.executed)
            fprintf(to, "\t%llu", (unsigned long long)n);
        fprintf(to, "\t%llu\t%llu\n", (unsigned long long)got, (unsigned long long)code);
        free(plain);
    }
    fclose(to);
}

// What nvcc puts into an object: parts, of which one is PTX. (Not documented; cuobjdump prints it.)
struct fat_wrapper {
    int magic, version;
    const struct fat_header *data;
};
struct fat_header {
    uint32_t magic;
    uint16_t version, header;
    uint64_t bytes;
};
struct fat_part {
    uint16_t kind, version;
    uint32_t header;
    uint64_t bytes;
};
enum { FAT_MAGIC = (int)0xba55ed50, FAT_PTX = 1 };

/* What is in a part, which may be compressed. */
std::string text_in(const char *data, size_t bytes)
{
    unsigned long long most = ZSTD_getFrameContentSize(data, bytes);
    if (most == ZSTD_CONTENTSIZE_ERROR)
        return std::string(data, strnlen(data, bytes));
    if (most == ZSTD_CONTENTSIZE_UNKNOWN)
        die("an object does not say how long its PTX is");
    std::string text(most, '\0');
    size_t frame = ZSTD_findFrameCompressedSize(data, bytes); // zeros may follow it
    size_t got = ZSTD_isError(frame) ? frame : ZSTD_decompress(&text[0], text.size(), data, frame);
    if (ZSTD_isError(got))
        die(std::string("the PTX of an object: ") + ZSTD_getErrorName(got));
    text.resize(strnlen(text.data(), got));
    return text;
}

std::string ptx_in(const fat_header *fat)
{
    const char *at = (const char *)fat + fat->header, *end = at + fat->bytes;
    for (const fat_part *part; fat->magic == (uint32_t)FAT_MAGIC && at < end;
         at += part->header + part->bytes) {
        part = (const fat_part *)at;
        std::string text = part->kind == FAT_PTX ? text_in(at + part->header, part->bytes) : "";
        if (text.find(".version") != std::string::npos)
            return text;
    }
    die("an object has no PTX, or it is compressed in a way that is not known here");
}

} // namespace

extern "C" {

__attribute__((visibility("default"))) void emulated_traffic(traffic *since)
{
    traffic now = total();
    *since = {};
    since->launches = now.launches - taken.launches;
    since->instructions = now.instructions - taken.instructions;
    since->lanes = now.lanes - taken.lanes;
    taken = now;
}

void **__cudaRegisterFatBinary(const fat_wrapper *wrapper)
{
    return (void **)new library{ptx_in(wrapper->data), nullptr, {}};
}

void __cudaRegisterFatBinaryEnd(void **) {}

void __cudaUnregisterFatBinary(void **) {}

void __cudaRegisterFunction(void **from, const void *stub, char *, const char *name, int, void *,
                            void *, void *, void *, int *)
{
    kernels()[stub] = {(library *)from, name, 0, 0, {}};
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *stub, void **given)
{
    cudaError_t code = emulated_launch(config, stub);
    auto found = kernels().find(stub);
    if (code != cudaSuccess)
        return code;
    if (found == kernels().end())
        die("a kernel is launched that no object has");
    known_kernel &k = found->second;
    try {
        const ptx::function &kernel = program_of(*k.from).kernel_named(k.name);
        std::vector<char> params = laid_out(kernel, given);
        cudaLaunchConfig_t c = *config;
        emulated_queue(c.stream, [=, &k, &kernel] { run(k, kernel, c, params); });
    } catch (const ptx::fault &why) {
        die(why.what());
    }
    return cudaSuccess;
}

// The stubs of kernels call these: what <<<>>> would.
cudaError_t __cudaPopCallConfiguration(dim3 *, dim3 *, size_t *, void *)
{
    die("a kernel is called like a function");
}

cudaError_t __cudaGetKernel(void **, const void *)
{
    die("a kernel is called like a function");
}

cudaError_t __cudaLaunchKernel(void *, dim3, dim3, void **, size_t, cudaStream_t)
{
    die("a kernel is called like a function");
}

cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t)
{
    die("a kernel is called like a function");
}
}
