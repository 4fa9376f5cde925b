// SPDX-License-Identifier: MIT
/* Fuzzes the reader of reStructuredText: any bytes give HTML whose tags are balanced (what raw::
 * html puts in is the author's own). */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "report/rst.h"

enum { OPEN_MOST = 4096 };

static const char *nowhere(void *user, const char *name)
{
    return *name == 'k' ? "#known" : NULL;
}

static bool is_void(const char *tag, size_t len)
{
    return (len == 2 && (!memcmp(tag, "br", 2) || !memcmp(tag, "hr", 2))) ||
           (len == 3 && !memcmp(tag, "img", 3));
}

/* Every tag is closed by its own, in the right order. */
static void check_tags(const char *html, size_t len)
{
    struct {
        const char *name;
        size_t len;
    } open[OPEN_MOST];
    int n = 0;
    for (const char *at = html; (at = memchr(at, '<', (size_t)(html + len - at))); at++) {
        bool closing = at[1] == '/';
        const char *name = at + 1 + closing;
        size_t name_len = strcspn(name, " >");
        if (closing) {
            ensure(n > 0 && open[n - 1].len == name_len &&
                   !memcmp(open[n - 1].name, name, name_len));
            n--;
        } else if (!is_void(name, name_len)) {
            ensure(n < OPEN_MOST);
            open[n].name = name;
            open[n++].len = name_len;
        }
    }
    ensure(n == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct buf out = {0};
    struct rst_options options = {.link = nowhere, .image = nowhere, .heading = 2};
    char *text = malloc(len + 1);
    memcpy(text, bytes, len);
    text[len] = 0;
    rst_html(text, len, &options, &out);
    if (!memmem(text, len, "raw::", 5))
        check_tags(buf_text(&out), out.len);
    buf_free(&out);
    free(text);
    return 0;
}
