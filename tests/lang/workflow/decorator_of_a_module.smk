@print
module m:
    snakefile: "x"
# expect error: SyntaxError: only rules, functions and classes can have decorators
