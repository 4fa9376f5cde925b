from urllib.parse import urldefrag, urljoin

# RFC 3986, 5.4: what is meant by these references as seen from one base.
base = "http://a/b/c/d;p?q"
for url in ("g:h", "g", "./g", "g/", "/g", "//g", "?y", "g?y", "#s", "g#s", "g?y#s", ";x", "g;x", "g;x?y#s", "",
            ".", "./", "..", "../", "../g", "../..", "../../", "../../g", "../../../g", "../../../../g", "/./g",
            "/../g", "g.", ".g", "g..", "..g", "./../g", "./g/.", "g/./h", "g/../h", "g;x=1/./y", "g;x=1/../y",
            "g?y/./x", "g?y/../x", "g#s/./x", "g#s/../x", "http:g"):
    print(repr(url), urljoin(base, url))

# Bases without a scheme, without a host, without a path, or without a folder.
urls = ("a/b", "..", "../x", ".", "./x", "/y", "?q", "#f", ";p", "x?q#f", "//h/z", "a//b", "///z")
for base in (".", "..", "a", "a/", "a/b", "/a/b", "/", "//h", "//h/p;x?q", "http://h", "http://h?q", "http://h//a//b/",
             "a;p?q#f", "file:///a/b", "s3://b/k", "rsync://h/a/b", "mailto:a@b"):
    print(base, [urljoin(base, url) for url in urls])
print([urljoin("http://h/a#b", url, False) for url in ("c#d", "#d", "../c#d/..")])

print(urldefrag("http://h/a?b#c"), urldefrag("a"), urldefrag("a#").url, urldefrag("HTTP://h#x").fragment)
print(urldefrag("http://h/a?b#c").geturl(), urldefrag("a#").geturl(), tuple(urldefrag("a#b")))

# expect: 'g:h' g:h
# expect: 'g' http://a/b/c/g
# expect: './g' http://a/b/c/g
# expect: 'g/' http://a/b/c/g/
# expect: '/g' http://a/g
# expect: '//g' http://g
# expect: '?y' http://a/b/c/d;p?y
# expect: 'g?y' http://a/b/c/g?y
# expect: '#s' http://a/b/c/d;p?q#s
# expect: 'g#s' http://a/b/c/g#s
# expect: 'g?y#s' http://a/b/c/g?y#s
# expect: ';x' http://a/b/c/;x
# expect: 'g;x' http://a/b/c/g;x
# expect: 'g;x?y#s' http://a/b/c/g;x?y#s
# expect: '' http://a/b/c/d;p?q
# expect: '.' http://a/b/c/
# expect: './' http://a/b/c/
# expect: '..' http://a/b/
# expect: '../' http://a/b/
# expect: '../g' http://a/b/g
# expect: '../..' http://a/
# expect: '../../' http://a/
# expect: '../../g' http://a/g
# expect: '../../../g' http://a/g
# expect: '../../../../g' http://a/g
# expect: '/./g' http://a/g
# expect: '/../g' http://a/g
# expect: 'g.' http://a/b/c/g.
# expect: '.g' http://a/b/c/.g
# expect: 'g..' http://a/b/c/g..
# expect: '..g' http://a/b/c/..g
# expect: './../g' http://a/b/g
# expect: './g/.' http://a/b/c/g/
# expect: 'g/./h' http://a/b/c/g/h
# expect: 'g/../h' http://a/b/c/h
# expect: 'g;x=1/./y' http://a/b/c/g;x=1/y
# expect: 'g;x=1/../y' http://a/b/c/y
# expect: 'g?y/./x' http://a/b/c/g?y/./x
# expect: 'g?y/../x' http://a/b/c/g?y/../x
# expect: 'g#s/./x' http://a/b/c/g#s/./x
# expect: 'g#s/../x' http://a/b/c/g#s/../x
# expect: 'http:g' http://a/b/c/g
# expect: . ['a/b', '/', 'x', '/', 'x', '/y', '.?q', '.#f', '/;p', 'x?q#f', '//h/z', 'a/b', '/z']
# expect: .. ['a/b', '/', 'x', '/', 'x', '/y', '..?q', '..#f', '/;p', 'x?q#f', '//h/z', 'a/b', '/z']
# expect: a ['a/b', '/', 'x', '/', 'x', '/y', 'a?q', 'a#f', '/;p', 'x?q#f', '//h/z', 'a/b', '/z']
# expect: a/ ['a/a/b', '/', 'x', 'a/', 'a/x', '/y', 'a/?q', 'a/#f', 'a/;p', 'a/x?q#f', '//h/z', 'a/a/b', '/z']
# expect: a/b ['a/a/b', '/', 'x', 'a/', 'a/x', '/y', 'a/b?q', 'a/b#f', 'a/;p', 'a/x?q#f', '//h/z', 'a/a/b', '/z']
# expect: /a/b ['/a/a/b', '/', '/x', '/a/', '/a/x', '/y', '/a/b?q', '/a/b#f', '/a/;p', '/a/x?q#f', '//h/z', '/a/a/b', '/z']
# expect: / ['/a/b', '/', 'x', '/', '/x', '/y', '/?q', '/#f', '/;p', '/x?q#f', '//h/z', '/a/b', '/z']
# expect: //h ['//h/a/b', '//h/', '//h/x', '//h/', '//h/x', '//h/y', '//h?q', '//h#f', '//h/;p', '//h/x?q#f', '//h/z', '//h/a/b', '//h/z']
# expect: //h/p;x?q ['//h/a/b', '//h/', '//h/x', '//h/', '//h/x', '//h/y', '//h/p;x?q', '//h/p;x?q#f', '//h/;p', '//h/x?q#f', '//h/z', '//h/a/b', '//h/z']
# expect: http://h ['http://h/a/b', 'http://h/', 'http://h/x', 'http://h/', 'http://h/x', 'http://h/y', 'http://h?q', 'http://h#f', 'http://h/;p', 'http://h/x?q#f', 'http://h/z', 'http://h/a/b', 'http://h/z']
# expect: http://h?q ['http://h/a/b', 'http://h/', 'http://h/x', 'http://h/', 'http://h/x', 'http://h/y', 'http://h?q', 'http://h?q#f', 'http://h/;p', 'http://h/x?q#f', 'http://h/z', 'http://h/a/b', 'http://h/z']
# expect: http://h//a//b/ ['http://h/a/b/a/b', 'http://h/a/', 'http://h/a/x', 'http://h/a/b/', 'http://h/a/b/x', 'http://h/y', 'http://h//a//b/?q', 'http://h//a//b/#f', 'http://h/a/b/;p', 'http://h/a/b/x?q#f', 'http://h/z', 'http://h/a/b/a/b', 'http://h/z']
# expect: a;p?q#f ['a/b', '/', 'x', '/', 'x', '/y', 'a;p?q', 'a;p?q#f', '/;p', 'x?q#f', '//h/z', 'a/b', '/z']
# expect: file:///a/b ['file:///a/a/b', 'file:///', 'file:///x', 'file:///a/', 'file:///a/x', 'file:///y', 'file:///a/b?q', 'file:///a/b#f', 'file:///a/;p', 'file:///a/x?q#f', 'file://h/z', 'file:///a/a/b', 'file:///z']
# expect: s3://b/k ['a/b', '..', '../x', '.', './x', '/y', '?q', '#f', ';p', 'x?q#f', '//h/z', 'a//b', '///z']
# expect: rsync://h/a/b ['a/b', '..', '../x', '.', './x', '/y', '?q', '#f', ';p', 'x?q#f', '//h/z', 'a//b', '///z']
# expect: mailto:a@b ['a/b', '..', '../x', '.', './x', '/y', '?q', '#f', ';p', 'x?q#f', '//h/z', 'a//b', '///z']
# expect: ['http://h/c#d', 'http://h/#d', 'http://h/']
# expect: DefragResult(url='http://h/a?b', fragment='c') DefragResult(url='a', fragment='') a x
# expect: http://h/a?b#c a ('a', 'b')

# Two hex digits make a byte, all else stays.
from urllib.parse import parse_qsl, unquote, unquote_to_bytes
print([unquote(s) for s in ("%41%c3%BC", "%4", "%", "%%", "%zz", "%+4", "% 4", "%4_", "a%2", "%2525")], unquote_to_bytes(b"%0g%41"))
print(parse_qsl("", strict_parsing=True), parse_qsl("a=1&b=2", max_num_fields=2))
try:
    parse_qsl("a=1&b=2", max_num_fields=1)
except ValueError as e:
    print(e)

# expect: ['Aü', '%4', '%', '%%', '%zz', '%+4', '% 4', '%4_', 'a%2', '%25'] b'%0gA'
# expect: [] [('a', '1'), ('b', '2')]
# expect: Max number of fields exceeded
