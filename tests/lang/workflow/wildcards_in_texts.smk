from snakemake.io import contains_wildcard, contains_wildcard_constraints, get_flag_value
from snakemake.io import get_wildcard_constraints, regex_from_filepattern

pattern = "ä.{s}/{n,[0-9]{2}}_{s}.txt"
print(contains_wildcard(pattern), contains_wildcard(Path("a")), contains_wildcard_constraints(pattern))
print({name: regex.pattern for name, regex in get_wildcard_constraints(pattern).items()})
regex = regex_from_filepattern(pattern)
print(regex)
print(re.match(regex, "ä.x/12_x.txt").groupdict(), re.match(regex, "ä.x/12_y.txt"))
try:
    regex_from_filepattern("{a}{a,b}")
except ValueError:
    print("refused")
print(get_flag_value(temp("a"), "temp"), get_flag_value("a", "temp"))
# expect: True False True
# expect: {'n': '[0-9]{2}'}
# expect: ä\.(?P<s>.+)/(?P<n>[0-9]{2})_(?P=s)\.txt$
# expect: {'s': 'x', 'n': '12'} None
# expect: refused
# expect: True None
