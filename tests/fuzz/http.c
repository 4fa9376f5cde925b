// SPDX-License-Identifier: MIT
/* Fuzzes the reader of HTTP answers: any bytes give an answer or none, and a body no longer than
 * they are. */
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "base/http.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    for (int chunked = 0; chunked < 2; chunked++) {
        struct arena arena = {0};
        struct http_answer answer = {0};
        const char *location;
        char *text = malloc(len + 1);
        memcpy(text, bytes, len);
        text[len] = 0;
        http_parse(&arena, text, len, chunked, &answer, &location);
        ensure(answer.body.len <= len);
        buf_free(&answer.body);
        arena_free(&arena);
        free(text);
    }
    return 0;
}
