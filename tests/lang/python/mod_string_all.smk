# string: constants, Template, Formatter.
import string
from string import Formatter, Template

print(string.ascii_letters, string.digits, string.hexdigits, string.octdigits)  # expect: abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789 0123456789abcdefABCDEF 01234567
print(repr(string.whitespace), len(string.printable), string.punctuation)  # expect: ' \t\n\r\x0b\x0c' 100 !"#$%&'()*+,-./:;<=>?@[\]^_`{|}~
print(string.capwords("  a bC  dEF "), string.capwords("x-yZ", "-"))  # expect: A Bc Def X-Yz
print(Template("$who likes ${what}s, $$5").substitute(who="tim", what="kiwi"))  # expect: tim likes kiwis, $5
print(Template("$a $b").substitute({"a": 1, "b": 2}, b=3))  # expect: 1 3
print(Template("$a $b ${c} $ $1").safe_substitute(a=1))  # expect: 1 $b ${c} $ $1
for text in ("$a $missing", "a\nbc $ d", "$", "x ${b", "\n$"):
    try:
        print(Template(text).substitute(a=1))
    except Exception as e:
        print(type(e).__name__, e)
# expect: KeyError 'missing'
# expect: ValueError Invalid placeholder in string: line 2, col 4
# expect: ValueError Invalid placeholder in string: line 1, col 1
# expect: ValueError Invalid placeholder in string: line 1, col 3
# expect: ValueError Invalid placeholder in string: line 2, col 1
print(Template("$a ${b} $a $$").get_identifiers(), Template("$ 1").is_valid(), Template("$é").is_valid())  # expect: ['a', 'b'] False False


class Percent(Template):
    delimiter = "%"
    idpattern = "[a-z.]+"


print(Percent("%a.b %{x} %%").substitute({"a.b": 1, "x": 2}))  # expect: 1 2 %
print(Template("$x").template)  # expect: $x

f = Formatter()
print(f.format("{0} {x:>5} {1!r} {{}}", 1, "b", x=2))  # expect: 1     2 'b' {}
print(f.format("{}-{}-{x.real}-{y[k]}-{z[0]}", 1, 2, x=3, y={"k": 4}, z=[5]))  # expect: 1-2-3-4-5
print(f.format("{:{}}|{:{w}}", "a", 4, "b", w=3))  # expect: a   |b  
print(list(f.parse("a{{b{c!r:>{w}}d}}{e[x:y].z}")))  # expect: [('a{', None, None, None), ('b', 'c', '>{w}', 'r'), ('d}', None, None, None), ('', 'e[x:y].z', '', None)]
print(list(f.parse("")), list(f.parse("{}")), list(f.parse("{a}{b}x")))  # expect: [] [('', '', '', None)] [('', 'a', '', None), ('', 'b', '', None), ('x', None, None, None)]
print([name for _, name, _, _ in f.parse("{sample}_{lane}.txt") if name])  # expect: ['sample', 'lane']
for text in ("{", "}", "{a", "a}b", "{0} {}", "{} {0}", "{a!}", "{a!x}", "{a!rx}", "{missing}", "{5}", "{a[}", "{a.}", "{c[0]b}", "{a{b}}", "{a!", "{a:x", "{a:{b}"):
    try:
        print(f.format(text, 1, 2, a=3, b=4, c=[4]))
    except Exception as e:
        print(type(e).__name__, e)
# expect: ValueError Single '{' encountered in format string
# expect: ValueError Single '}' encountered in format string
# expect: ValueError expected '}' before end of string
# expect: ValueError Single '}' encountered in format string
# expect: ValueError cannot switch from manual field specification to automatic field numbering
# expect: ValueError cannot switch from manual field specification to automatic field numbering
# expect: ValueError unmatched '{' in format spec
# expect: ValueError Unknown conversion specifier x
# expect: ValueError expected ':' after conversion specifier
# expect: KeyError 'missing'
# expect: IndexError tuple index out of range
# expect: ValueError expected '}' before end of string
# expect: ValueError Empty attribute in format string
# expect: ValueError Only '.' or '[' may follow ']' in format field specifier
# expect: ValueError unexpected '{' in field name
# expect: ValueError end of string while looking for conversion specifier
# expect: ValueError unmatched '{' in format spec
# expect: ValueError unmatched '{' in format spec


class Forgiving(Formatter):
    def get_value(self, key, args, kwargs):
        return kwargs.get(key, "?") if isinstance(key, str) else super().get_value(key, args, kwargs)

    def check_unused_args(self, used_args, args, kwargs):
        print(sorted(map(str, used_args)))


print(Forgiving().format("{a} {none} {0}", 7, a=1))
# expect: ['0', 'a', 'none']
# expect: 1 ? 7
