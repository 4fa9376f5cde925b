/* SPDX-License-Identifier: MIT
 *
 * builder.h: how a program is made from its text. program.cpp reads what is declared and goes
 * through the functions, decode.cpp makes instructions of their statements. */
#pragma once

#include "program.h"
#include "scan.h"

namespace ptx {

struct reg {
    column at;
    char width; /* as the operands of rows: 'w', 'd' or 'p' */
};

/* What names mean between two braces. */
struct scope {
    std::map<std::string, reg, std::less<>> registers;
    std::map<std::string, uint64_t, std::less<>> addresses;
};

/* A function in the text. */
struct source {
    std::string name;
    size_t begin, body, end; /* tokens: its first word, its brace, one past the last brace */
    bool kernel;
    std::vector<std::string> calls;
};

class builder {
  public:
    explicit builder(program &to) : p(to), t(scan(to.text)) {}
    void build();

  private:
    [[noreturn]] void refuse(const std::string &why) const;
    const token &here() const { return t[at]; }
    std::string_view next();
    bool take(std::string_view what);
    void expect(std::string_view what);
    uint64_t number();
    void skip_line();
    void skip_braces();
    void skip_statement();

    /* program.cpp: what there is, and where */
    void find_function();
    void find_module();
    void read_file();
    void read_variable(bool external);
    void read_table(const std::string &name, uint64_t bytes, uint64_t size);
    void read_function(const source &from);
    variable read_declared(uint64_t *to);
    void read_params(std::vector<variable> *params, uint64_t base, uint64_t *to);
    void read_directives();
    void read_body();
    void read_registers();
    size_t call_ahead() const;
    void bind_call();
    void read_place();

    /* decode.cpp: statements */
    typedef std::vector<std::string_view> operand; /* its words and signs */
    typedef std::vector<operand> operand_list;
    void read_statement();
    void read_call();
    operand_list read_operands();
    std::string meant(const std::string &name, const operand_list &operands) const;
    void emit(const std::string &name, const operand_list &operands);
    void place_operand(instruction &i, char kind, bool written, const operand &given);
    void place_address(instruction &i, const operand &given);
    void place_several(instruction &i, char kind, bool written, const operand &given);
    void put(instruction &i, bool written, column c);
    column constant(uint64_t value, char width);
    column value_of(char kind, const operand &given);
    const reg *find_register(std::string_view name) const;
    const uint64_t *find_address(std::string_view name) const;

    program &p;
    tokens t;
    size_t at = 0;
    std::vector<source> sources;
    std::map<std::string, uint32_t, std::less<>> numbers;  /* of functions that have been read */
    std::map<std::pair<uint64_t, char>, column> constants; /* by value and width */
    std::vector<scope> scopes;
    function *f = nullptr; /* that is read */
    column first_of_kernels = OWN;
    uint64_t local_of_kernels = 0, local_end = 0;
    std::map<std::string, uint32_t> labels;              /* of the function */
    std::vector<std::pair<uint32_t, std::string>> jumps; /* its branches, and where they go */
    uint32_t file = 0, line = 0;
    size_t statement = 0; /* where it begins in the text */
    column guard = ALWAYS;
    bool guard_not = false;
};

} // namespace ptx
