// SPDX-License-Identifier: MIT
/* zip.h: writes a zip archive: files as they are, without compression (images and the like would
 * not get smaller). Zip64 records are written where 4 GiB or 65535 files are exceeded.
 *
 *     struct zip *zip = zip_open("out.zip");
 *     zip_add(zip, "folder/a.txt", bytes, len);
 *     zip_add_file(zip, "folder/b.png", "path/b.png");
 *     if (!zip_close(zip)) perror("out.zip");      // errno of the first failure */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct zip;

/* The archive is written under a temporary name until it is closed. NULL with errno. */
struct zip *zip_open(const char *path);
/* Failures are kept for zip_close; zip_add_file tells of its own (errno). */
void zip_add(struct zip *zip, const char *name, const void *bytes, size_t len);
bool zip_add_file(struct zip *zip, const char *name, const char *path);
/* Leaves nothing and frees zip. */
void zip_abandon(struct zip *zip);
/* Writes the directory and frees zip. False with errno: nothing was left at the path. */
bool zip_close(struct zip *zip);
