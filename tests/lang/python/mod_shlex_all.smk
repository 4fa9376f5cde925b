# Words as a shell sees them.
import shlex

for s in ("a 'b c' \"d \\\" $e\" f\\ g", "", "a#b c # d", "''", "a''b", "x\\\ny", "'a", '"a\\', "a\\", "a\n\tb", 'a"b"c', '"\\a\\\\"', "é 'ü ö'"):
    for kw in ({}, {"comments": True}, {"posix": False}):
        try: print(s, kw, shlex.split(s, **kw))
        except Exception as e: print(s, kw, type(e).__name__, e)
for s in ("", "a b", "a'b", "abc", "é", "a/b-c_d.e", "$x", "~", "a\n"): print(shlex.quote(s))
print(shlex.join(["a b", "c"]))
try: shlex.quote(3)
except Exception as e: print(type(e).__name__, e)
lex = shlex.shlex("a && b; c 'd e'", punctuation_chars=True) if hasattr(shlex, "shlex") else None
print(list(lex) if lex else None)
# expect: a 'b c' "d \" $e" f\ g {} ['a', 'b c', 'd " $e', 'f g']
# expect: a 'b c' "d \" $e" f\ g {'comments': True} ['a', 'b c', 'd " $e', 'f g']
# expect: a 'b c' "d \" $e" f\ g {'posix': False} ['a', "'b c'", '"d \\"', '$e"', 'f\\', 'g']
# expect:  {} []
# expect:  {'comments': True} []
# expect:  {'posix': False} []
# expect: a#b c # d {} ['a#b', 'c', '#', 'd']
# expect: a#b c # d {'comments': True} ['a']
# expect: a#b c # d {'posix': False} ['a#b', 'c', '#', 'd']
# expect: '' {} ['']
# expect: '' {'comments': True} ['']
# expect: '' {'posix': False} ["''"]
# expect: a''b {} ['ab']
# expect: a''b {'comments': True} ['ab']
# expect: a''b {'posix': False} ["a''b"]
# expect: x\
# expect: y {} ['x\ny']
# expect: x\
# expect: y {'comments': True} ['x\ny']
# expect: x\
# expect: y {'posix': False} ['x\\', 'y']
# expect: 'a {} ValueError No closing quotation
# expect: 'a {'comments': True} ValueError No closing quotation
# expect: 'a {'posix': False} ValueError No closing quotation
# expect: "a\ {} ValueError No escaped character
# expect: "a\ {'comments': True} ValueError No escaped character
# expect: "a\ {'posix': False} ValueError No closing quotation
# expect: a\ {} ValueError No escaped character
# expect: a\ {'comments': True} ValueError No escaped character
# expect: a\ {'posix': False} ['a\\']
# expect: a
# expect: 	b {} ['a', 'b']
# expect: a
# expect: 	b {'comments': True} ['a', 'b']
# expect: a
# expect: 	b {'posix': False} ['a', 'b']
# expect: a"b"c {} ['abc']
# expect: a"b"c {'comments': True} ['abc']
# expect: a"b"c {'posix': False} ['a"b"c']
# expect: "\a\\" {} ['\\a\\']
# expect: "\a\\" {'comments': True} ['\\a\\']
# expect: "\a\\" {'posix': False} ['"\\a\\\\"']
# expect: é 'ü ö' {} ['é', 'ü ö']
# expect: é 'ü ö' {'comments': True} ['é', 'ü ö']
# expect: é 'ü ö' {'posix': False} ['é', "'ü ö'"]
# expect: ''
# expect: 'a b'
# expect: 'a'"'"'b'
# expect: abc
# expect: 'é'
# expect: a/b-c_d.e
# expect: '$x'
# expect: '~'
# expect: 'a
# expect: '
# expect: 'a b' c
# expect: TypeError expected string or bytes-like object, got 'int'
# expect: ['a', '&&', 'b', ';', 'c', "'d e'"]
