# glob_wildcards() gives a named tuple: what cannot be one of its names is refused.
for pattern in "{x.y}", "{1x}", "{class}", "{_x}":
    try:
        glob_wildcards(pattern)
    except ValueError as e:
        print(e)
# expect: Type names and field names must be valid identifiers: 'x.y'
# expect: Type names and field names must be valid identifiers: '1x'
# expect: Type names and field names cannot be a keyword: 'class'
# expect: Field names cannot start with an underscore: '_x'
print(glob_wildcards("{match}.in")) # expect: Wildcards(match=['a'])
rule all:
# file a.in: x
