# expect error: SyntaxError
def f(:
