// SPDX-License-Identifier: MIT
#include "base/zip.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/fs.h"
#include "test.h"

/* The 32 bits at a place of the archive, little-endian. */
static uint32_t number(const char *at)
{
    const uint8_t *b = (const uint8_t *)at;
    return b[0] | b[1] << 8 | b[2] << 16 | (uint32_t)b[3] << 24;
}

int main(void)
{
    struct arena in = {0};
    char dir[] = "/tmp/zip-XXXXXX";
    size_t len;
    ok(mkdtemp(dir) && !chdir(dir), "a place to work");
    ok(fs_write("source", "123456789", 9), "a file to pack");
    struct zip *zip = zip_open("a.zip");
    zip_add(zip, "d/empty", "", 0);
    ok(zip_add_file(zip, "d/nine", "source"), "a file is added");
    ok(!zip_add_file(zip, "d/none", "absent") && errno == ENOENT, "one that is not there is told");
    ok(!fs_exists("a.zip"), "the archive is not there before it is whole");
    ok(zip_close(zip), "it is closed");
    const char *text = fs_read(&in, "a.zip", &len);
    const char *second = text + 30 + strlen("d/empty");
    ok(text && number(text) == 0x04034b50 && number(second) == 0x04034b50, "two local headers");
    ok(number(second + 14) == 0xcbf43926, "the checksum of 123456789 is the one of the standard");
    ok(number(second + 18) == 9 && !memcmp(second + 30 + 6, "123456789", 9), "size and bytes");
    const char *end = text + len - 22;
    ok(number(end) == 0x06054b50 && end[10] == 2, "the end counts two files");
    ok(number(text + number(end + 16)) == 0x02014b50, "and says where the directory begins");
    zip = zip_open("b.zip");
    zip_add(zip, "x", "y", 1);
    zip_abandon(zip);
    ok(!fs_exists("b.zip") && system("ls -A | grep -q part"), "an abandoned one leaves nothing");
    ok(!zip_open("absent/c.zip") && errno == ENOENT, "no archive in a folder that is not there");
    fs_remove_tree(dir);
    arena_free(&in);
    return done();
}
