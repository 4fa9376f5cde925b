# Patterns as Python reads them: what PCRE2 alone knows is refused, errors have Python's words and places.
import re
for p in [
     "(", "((a|b)", "(a|b))", "[", "[^", "[a", "*", "a|*", "x**", "x*?*", "(?<n>a)", "(?P=n", "(?P>n)",
     "(?R)", "(?|a)", "(?&n)", "(?1)", "\\h", "\\K", "\\Qa\\E", "\\R", "\\X", "[\\B]", "[\\Z]", "\\", "a\\",
     "\\x4", "\\x", "\\u12", "\\U0001F60", "a(?i)b", "(?i)a", "((?i)a)", "(?i)(?s)a", "(?i", "(?z)",
     "(?i-s:a.)", "(?#c", "(?#c)a", "(a)?(?(1)b|c)", "(*ACCEPT)a", "(?", "(?Pa", "(?x) a # ( [\n b", "\\v",
     "[\\v]", "\\a", "(?a)\\w", "(?u)\\w", "a{,3}", "a{1", "{", "}", "]", "(?:a", "a**", "a+++", "(?=a)*",
     "^*", "\\b*", "[]a]", "[^]a]", "[a\\]b]", "(?<!a)b", "(?>a+)b", "a++b", "é(", "\n\n("
]:
    try:
        r = re.compile(p)
        print(repr(p), r.groups, r.flags, r.pattern == p, r.findall("aab é A\x0b\nbc"))
    except re.error as e:
        print(repr(p), "error", e)
    except Exception as e:
        print(repr(p), type(e).__name__, e)

# expect: '(' error missing ), unterminated subpattern at position 0
# expect: '((a|b)' error missing ), unterminated subpattern at position 0
# expect: '(a|b))' error unbalanced parenthesis at position 5
# expect: '[' error unterminated character set at position 0
# expect: '[^' error unterminated character set at position 0
# expect: '[a' error unterminated character set at position 0
# expect: '*' error nothing to repeat at position 0
# expect: 'a|*' error nothing to repeat at position 2
# expect: 'x**' error multiple repeat at position 2
# expect: 'x*?*' error multiple repeat at position 3
# expect: '(?<n>a)' error unknown extension ?<n at position 1
# expect: '(?P=n' error missing ), unterminated name at position 4
# expect: '(?P>n)' error unknown extension ?P> at position 1
# expect: '(?R)' error unknown extension ?R at position 1
# expect: '(?|a)' error unknown extension ?| at position 1
# expect: '(?&n)' error unknown extension ?& at position 1
# expect: '(?1)' error unknown extension ?1 at position 1
# expect: '\\h' error bad escape \h at position 0
# expect: '\\K' error bad escape \K at position 0
# expect: '\\Qa\\E' error bad escape \Q at position 0
# expect: '\\R' error bad escape \R at position 0
# expect: '\\X' error bad escape \X at position 0
# expect: '[\\B]' error bad escape \B at position 1
# expect: '[\\Z]' error bad escape \Z at position 1
# expect: '\\' error bad escape (end of pattern) at position 0
# expect: 'a\\' error bad escape (end of pattern) at position 1
# expect: '\\x4' error incomplete escape \x4 at position 0
# expect: '\\x' error incomplete escape \x at position 0
# expect: '\\u12' error incomplete escape \u12 at position 0
# expect: '\\U0001F60' error incomplete escape \U0001F60 at position 0
# expect: 'a(?i)b' error global flags not at the start of the expression at position 1
# expect: '(?i)a' 0 34 True ['a', 'a', 'A']
# expect: '((?i)a)' error global flags not at the start of the expression at position 1
# expect: '(?i)(?s)a' 0 50 True ['a', 'a', 'A']
# expect: '(?i' error missing -, : or ) at position 3
# expect: '(?z)' error unknown extension ?z at position 1
# expect: '(?i-s:a.)' 0 32 True ['aa', 'A\x0b']
# expect: '(?#c' error missing ), unterminated comment at position 0
# expect: '(?#c)a' 0 32 True ['a', 'a']
# expect: '(a)?(?(1)b|c)' 1 32 True ['a', '']
# expect: '(*ACCEPT)a' error nothing to repeat at position 1
# expect: '(?' error unexpected end of pattern at position 2
# expect: '(?Pa' error unknown extension ?Pa at position 1
# expect: '(?x) a # ( [\n b' 0 96 True ['ab']
# expect: '\\v' 0 32 True ['\x0b']
# expect: '[\\v]' 0 32 True ['\x0b']
# expect: '\\a' 0 32 True []
# expect: '(?a)\\w' 0 256 True ['a', 'a', 'b', 'A', 'b', 'c']
# expect: '(?u)\\w' 0 32 True ['a', 'a', 'b', 'é', 'A', 'b', 'c']
# expect: 'a{,3}' 0 32 True ['aa', '', '', '', '', '', '', '', '', '', '']
# expect: 'a{1' 0 32 True []
# expect: '{' 0 32 True []
# expect: '}' 0 32 True []
# expect: ']' 0 32 True []
# expect: '(?:a' error missing ), unterminated subpattern at position 0
# expect: 'a**' error multiple repeat at position 2
# expect: 'a+++' error multiple repeat at position 3
# expect: '(?=a)*' 0 32 True ['', '', '', '', '', '', '', '', '', '', '', '']
# expect: '^*' error nothing to repeat at position 1
# expect: '\\b*' error nothing to repeat at position 2
# expect: '[]a]' 0 32 True ['a', 'a']
# expect: '[^]a]' 0 32 True ['b', ' ', 'é', ' ', 'A', '\x0b', '\n', 'b', 'c']
# expect: '[a\\]b]' 0 32 True ['a', 'a', 'b', 'b']
# expect: '(?<!a)b' 0 32 True ['b']
# expect: '(?>a+)b' 0 32 True ['aab']
# expect: 'a++b' 0 32 True ['aab']
# expect: 'é(' error missing ), unterminated subpattern at position 1
# expect: '\n\n(' error missing ), unterminated subpattern at position 2 (line 3, column 1)
