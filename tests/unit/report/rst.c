// SPDX-License-Identifier: MIT
#include "report/rst.h"
#include "test.h"

static const char *find(void *user, const char *name)
{
    return !strcmp(name, "known.png") || !strcmp(name, "Some Name") ? "#there" : NULL;
}

static const struct {
    const char *text, *html;
} rows[] = {
    {"", ""},
    {"a\nb\n\nc", "<p>a\nb</p>\n<p>c</p>\n"},
    {"*a* **b** ``<c>`` \\*d\\*",
     "<p><em>a</em> <strong>b</strong> <code>&lt;c&gt;</code> *d*</p>\n"},
    {"2 * 3 * 4, a*b*c, 5**2", "<p>2 * 3 * 4, a*b*c, 5**2</p>\n"},
    {"`Some Name`_ and `other`_ and one_",
     "<p><a href=\"#there\">Some Name</a> and other and one</p>\n"},
    {"`a <http://b/?c&d>`_, `e`", "<p><a href=\"http://b/?c&amp;d\">a</a>, <cite>e</cite></p>\n"},
    {"`a <javascript:x>`_", "<p>a</p>\n"},
    {"see https://a.b/c.", "<p>see <a href=\"https://a.b/c\">https://a.b/c</a>.</p>\n"},
    {".. _x: http://y/\n\nx_ X_",
     "<p><a href=\"http://y/\">x</a> <a href=\"http://y/\">X</a></p>\n"},
    {":math:`a<b`, H\\ :sub:`2`\\ O",
     "<p><span class=\"math\">a&lt;b</span>, H<sub>2</sub>O</p>\n"},
    {"One\n===\n\nTwo\n---\n\nThree\n=====\n", "<h2>One</h2>\n<h3>Two</h3>\n<h2>Three</h2>\n"},
    {"- a\n- b\n\n  c\n", "<ul>\n<li><p>a</p>\n</li>\n<li><p>b</p>\n<p>c</p>\n</li>\n</ul>\n"},
    {"1. a\n#. b\n", "<ol>\n<li><p>a</p>\n</li>\n<li><p>b</p>\n</li>\n</ol>\n"},
    {"code::\n\n  x <\n    y\n\nz", "<p>code:</p>\n<pre>x &lt;\n  y\n</pre>\n<p>z</p>\n"},
    {"a\n  b\n", "<dl>\n<dt>a</dt><dd><p>b</p>\n</dd>\n</dl>\n"},
    {"==  ==\na   b\n==  ==\n1   2\n==  ==\n",
     "<table>\n<tr><th>a</th><th>b</th></tr>\n<tr><td>1</td><td>2</td></tr>\n</table>\n"},
    {"====  ==\nüber  1\n日本  2\n====  ==\n", "<table>\n<tr><td>über</td><td>1</td></tr>\n"
                                               "<tr><td>日本</td><td>2</td></tr>\n</table>\n"},
    {".. note:: a\n   b", "<aside><strong>Note</strong> a<p>b</p>\n</aside>\n"},
    {".. image:: known.png", "<figure><img alt=\"\" src=\"#there\"></figure>\n"},
    {".. figure:: known.png\n   :width: 9\n   :alt: a \"b\"\n\n   c",
     "<figure><img alt=\"a &quot;b&quot;\" src=\"#there\"><figcaption><p>c</p>\n"
     "</figcaption></figure>\n"},
    {".. image:: other.png", "<figure><code>other.png</code></figure>\n"},
    {".. list-table:: a\n   b", "<pre>.. list-table:: a\n   b\n</pre>\n"},
    {".. a comment\n   goes on\n\nb", "<p>b</p>\n"},
    {"a [1]_\n\n.. [1] see\n   <b>\n", "<p>a [1]_</p>\n<pre>.. [1] see\n   &lt;b&gt;\n</pre>\n"},
    {".. |s| replace:: x\n\nb", "<pre>.. |s| replace:: x\n</pre>\n<p>b</p>\n"},
    {"a\n\n  b\n", "<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>\n"},
    {"a \"<b>\" & c", "<p>a &quot;&lt;b&gt;&quot; &amp; c</p>\n"},
};

int main(void)
{
    struct rst_options options = {.link = find, .image = find, .heading = 2};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buf out = {0};
        rst_html(rows[i].text, strlen(rows[i].text), &options, &out);
        is(buf_text(&out), rows[i].html, rows[i].text);
        buf_free(&out);
    }
    return done();
}
