// SPDX-License-Identifier: MIT
/* Fuzzes the JSON reader and writer: any bytes give a value or an exception; what is written of a
 * value can be read again and written to the same text. */
#include <string.h>

#include "values.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct vm *vm = values_vm();
    value data = values_call("json", "loads", bytes_new(vm, (const char *)bytes, len),
                             "JSONDecodeError");
    value text = data ? values_call("json", "dumps", data, "JSONDecodeError") : NO_VALUE;
    if (text) {
        value again = values_call("json", "loads", text, "JSONDecodeError");
        ensure(again);
        value twice = values_call("json", "dumps", again, "JSONDecodeError");
        ensure(twice && str_equal(twice, text));
    }
    heap_collect(vm);
    return 0;
}
