// SPDX-License-Identifier: MIT
/* Fuzzes the YAML reader and writer: any bytes give a value or an exception; what is written of a
 * value can be read again and written to the same text. */
#include <string.h>

#include "values.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct vm *vm = values_vm();
    value data = values_call("yaml", "safe_load", bytes_new(vm, (const char *)bytes, len),
                             "YAMLError");
    value text = data ? values_call("yaml", "safe_dump", data, "YAMLError") : NO_VALUE;
    if (text) {
        value again = values_call("yaml", "safe_load", text, "YAMLError");
        ensure(again);
        value twice = values_call("yaml", "safe_dump", again, "YAMLError");
        ensure(twice && str_equal(twice, text));
    }
    heap_collect(vm);
    return 0;
}
