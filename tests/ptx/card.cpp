// SPDX-License-Identifier: MIT
// card.cpp: what nvcc's code for the host calls to launch kernels. Of each object that it has compiled, the kernels'
// PTX is in the object; other entry points of CUDA are those of the emulated card.
#include "cuda_runtime.h"
#include "launch.h"

#include <cstdio>
#include <memory>

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

void run(library &from, const ptx::function &kernel, const cudaLaunchConfig_t &c, const std::vector<char> &params)
{
    if (emulated_idle())
        return;
    try {
        ptx::execute(*from.program, kernel, {c.gridDim.x, c.gridDim.y, c.gridDim.z},
                     {c.blockDim.x, c.blockDim.y, c.blockDim.z}, c.dynamicSmemBytes, params, find, from.hits);
    } catch (const ptx::fault &why) {
        die(why.what());
    }
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

std::string ptx_in(const fat_header *fat)
{
    const char *at = (const char *)fat + fat->header, *end = at + fat->bytes;
    for (const fat_part *part; fat->magic == (uint32_t)FAT_MAGIC && at < end; at += part->header + part->bytes) {
        part = (const fat_part *)at;
        std::string text(at + part->header, strnlen(at + part->header, part->bytes));
        if (part->kind == FAT_PTX && text.find(".version") != std::string::npos)
            return text;
    }
    die("an object has no PTX, or it is compressed");
}

} // namespace

extern "C" {

void **__cudaRegisterFatBinary(const fat_wrapper *wrapper)
{
    return (void **)new library{ptx_in(wrapper->data), nullptr, {}};
}

void __cudaRegisterFatBinaryEnd(void **)
{
}

void __cudaUnregisterFatBinary(void **)
{
}

void __cudaRegisterFunction(void **from, const void *stub, char *, const char *name, int, void *, void *, void *, void *,
                            int *)
{
    kernels()[stub] = {(library *)from, name};
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *stub, void **given)
{
    cudaError_t code = emulated_launch(config, stub);
    auto found = kernels().find(stub);
    if (code != cudaSuccess)
        return code;
    if (found == kernels().end())
        die("a kernel is launched that no object has");
    library &from = *found->second.from;
    try {
        const ptx::function &kernel = program_of(from).kernel_named(found->second.name);
        std::vector<char> params = laid_out(kernel, given);
        cudaLaunchConfig_t c = *config;
        emulated_queue(c.stream, [=, &from, &kernel] { run(from, kernel, c, params); });
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
