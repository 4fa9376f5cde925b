import textwrap
for text in ("this-is-a-useful-feature-for-reformatting-posts-from-tim-peters'ly", "You can also do--this or even---this.",
             "-v --option--this-opt --dry-run -n 10-15 x--y-z co-op e-mail self-tests", "and then 'bla-bla-bla' said-he, a-b a-bc ab-c",
             "1234567890-1234567890--this_is_a_very_long_option_indeed-good-bye\"", "what--where? yes.--no \"so\"--well -- alone",
             "/usr/local/share/some-thing/other-name.tar.gz --flag=some-value,other-value"):
    for width in (8, 13, 30):
        print(textwrap.wrap(text, width), textwrap.wrap(text, width, break_on_hyphens=False), textwrap.wrap(text, width, break_long_words=False))
for text in ("A short line. Note the single space.", 'He said "hello." Then left! Why? "Dr. X." said', "File stdio.h is nice. Or e.g. this. 3. No", "I say, a (b). C"):
    print(textwrap.wrap(text, 60, fix_sentence_endings=True), textwrap.wrap(text, 11, fix_sentence_endings=True))
print(textwrap.shorten("one two-three four", 12), textwrap.shorten("one two-three four", 12, placeholder="..."))

# expect: ['this-is-', 'a-', 'useful-', 'feature-', 'for-refo', 'rmatting', '-posts-', 'from-', 'tim-pete', "rs'ly"] ['this-is-', 'a-useful', '-feature', '-for-ref', 'ormattin', 'g-posts-', 'from-tim', "-peters'", 'ly'] ['this-is-', 'a-', 'useful-', 'feature-', 'for-', 'reformatting-', 'posts-', 'from-', 'tim-', "peters'ly"]
# expect: ['this-is-a-', 'useful-', 'feature-for-', 'reformatting-', 'posts-from-', "tim-peters'ly"] ['this-is-a-use', 'ful-feature-f', 'or-reformatti', 'ng-posts-from', "-tim-peters'l", 'y'] ['this-is-a-', 'useful-', 'feature-for-', 'reformatting-', 'posts-from-', "tim-peters'ly"]
# expect: ['this-is-a-useful-feature-for-', 'reformatting-posts-from-tim-', "peters'ly"] ['this-is-a-useful-feature-for-r', 'eformatting-posts-from-tim-pet', "ers'ly"] ['this-is-a-useful-feature-for-', 'reformatting-posts-from-tim-', "peters'ly"]
# expect: ['You can', 'also do', '--this', 'or even', '---this.'] ['You can', 'also', 'do--this', 'or even-', '--this.'] ['You can', 'also do', '--this', 'or even', '---this.']
# expect: ['You can also', 'do--this or', 'even---this.'] ['You can also', 'do--this or', 'even---this.'] ['You can also', 'do--this or', 'even---this.']
# expect: ['You can also do--this or even', '---this.'] ['You can also do--this or', 'even---this.'] ['You can also do--this or even', '---this.']
# expect: ['-v', '--option', '--this-', 'opt', '--dry-', 'run -n', '10-15 x', '--y-z', 'co-op', 'e-mail', 'self-', 'tests'] ['-v --opt', 'ion--thi', 's-opt --', 'dry-run', '-n 10-15', 'x--y-z', 'co-op', 'e-mail s', 'elf-test', 's'] ['-v', '--option', '--this-', 'opt', '--dry-', 'run -n', '10-15 x', '--y-z', 'co-op', 'e-mail', 'self-', 'tests']
# expect: ['-v --option--', 'this-opt', '--dry-run -n', '10-15 x--y-z', 'co-op e-mail', 'self-tests'] ['-v --option--', 'this-opt', '--dry-run -n', '10-15 x--y-z', 'co-op e-mail', 'self-tests'] ['-v --option--', 'this-opt', '--dry-run -n', '10-15 x--y-z', 'co-op e-mail', 'self-tests']
# expect: ['-v --option--this-opt --dry-', 'run -n 10-15 x--y-z co-op', 'e-mail self-tests'] ['-v --option--this-opt', '--dry-run -n 10-15 x--y-z', 'co-op e-mail self-tests'] ['-v --option--this-opt --dry-', 'run -n 10-15 x--y-z co-op', 'e-mail self-tests']
# expect: ['and then', "'bla-", "bla-bla'", 'said-he,', 'a-b a-bc', 'ab-c'] ['and then', "'bla-bla", "-bla'", 'said-he,', 'a-b a-bc', 'ab-c'] ['and then', "'bla-", "bla-bla'", 'said-he,', 'a-b a-bc', 'ab-c']
# expect: ['and then', "'bla-bla-bla'", 'said-he, a-b', 'a-bc ab-c'] ['and then', "'bla-bla-bla'", 'said-he, a-b', 'a-bc ab-c'] ['and then', "'bla-bla-bla'", 'said-he, a-b', 'a-bc ab-c']
# expect: ["and then 'bla-bla-bla' said-", 'he, a-b a-bc ab-c'] ["and then 'bla-bla-bla'", 'said-he, a-b a-bc ab-c'] ["and then 'bla-bla-bla' said-", 'he, a-b a-bc ab-c']
# expect: ['12345678', '90-', '12345678', '90--this', '_is_a_ve', 'ry_long_', 'option_i', 'ndeed-', 'good-', 'bye"'] ['12345678', '90-12345', '67890--t', 'his_is_a', '_very_lo', 'ng_optio', 'n_indeed', '-good-by', 'e"'] ['1234567890-1234567890', '--', 'this_is_a_very_long_option_indeed-', 'good-', 'bye"']
# expect: ['1234567890-', '1234567890--t', 'his_is_a_very', '_long_option_', 'indeed-good-', 'bye"'] ['1234567890-12', '34567890--thi', 's_is_a_very_l', 'ong_option_in', 'deed-good-bye', '"'] ['1234567890-1234567890', '--', 'this_is_a_very_long_option_indeed-', 'good-bye"']
# expect: ['1234567890-1234567890--this_is', '_a_very_long_option_indeed-', 'good-bye"'] ['1234567890-1234567890--this_is', '_a_very_long_option_indeed-goo', 'd-bye"'] ['1234567890-1234567890--', 'this_is_a_very_long_option_indeed-', 'good-bye"']
# expect: ['what--', 'where?', 'yes.--no', '"so"--', 'well --', 'alone'] ['what--wh', 'ere?', 'yes.--no', '"so"--we', 'll --', 'alone'] ['what--', 'where?', 'yes.--no', '"so"--', 'well --', 'alone']
# expect: ['what--where?', 'yes.--no "so"', '--well --', 'alone'] ['what--where?', 'yes.--no', '"so"--well --', 'alone'] ['what--where?', 'yes.--no "so"', '--well --', 'alone']
# expect: ['what--where? yes.--no "so"--', 'well -- alone'] ['what--where? yes.--no', '"so"--well -- alone'] ['what--where? yes.--no "so"--', 'well -- alone']
# expect: ['/usr/loc', 'al/share', '/some-th', 'ing/othe', 'r-name.t', 'ar.gz --', 'flag=som', 'e-value,', 'other-', 'value'] ['/usr/loc', 'al/share', '/some-th', 'ing/othe', 'r-name.t', 'ar.gz --', 'flag=som', 'e-value,', 'other-va', 'lue'] ['/usr/local/share/some-', 'thing/other-', 'name.tar.gz', '--flag=some-', 'value,other-', 'value']
# expect: ['/usr/local/sh', 'are/some-', 'thing/other-', 'name.tar.gz', '--flag=some-', 'value,other-', 'value'] ['/usr/local/sh', 'are/some-thin', 'g/other-name.', 'tar.gz --flag', '=some-value,o', 'ther-value'] ['/usr/local/share/some-', 'thing/other-', 'name.tar.gz', '--flag=some-', 'value,other-', 'value']
# expect: ['/usr/local/share/some-', 'thing/other-name.tar.gz', '--flag=some-value,other-value'] ['/usr/local/share/some-thing/ot', 'her-name.tar.gz', '--flag=some-value,other-value'] ['/usr/local/share/some-', 'thing/other-name.tar.gz', '--flag=some-value,other-value']
# expect: ['A short line.  Note the single space.'] ['A short', 'line.  Note', 'the single', 'space.']
# expect: ['He said "hello."  Then left!  Why?  "Dr.  X." said'] ['He said', '"hello."', 'Then left!', 'Why?  "Dr.', 'X." said']
# expect: ['File stdio.h is nice.  Or e.g.  this.  3. No'] ['File', 'stdio.h is', 'nice.  Or', 'e.g.  this.', '3. No']
# expect: ['I say, a (b). C'] ['I say, a', '(b). C']
# expect: one [...] one two-...
