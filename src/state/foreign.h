// SPDX-License-Identifier: MIT
/* foreign.h: Snakemake's own files below .snakemake, so that a project may go from one engine to
 * the other:
 *
 *     metadata/NAME     JSON: what made the output; read, and renewed when it is made here
 *     incomplete/NAME   the output's job was started and has not ended; read and written
 *
 * NAME is the URL-safe base64 of the output's path; one longer than a file name may be is cut into
 * directories @PART/@PART/REST. Both directories are listed once, when first needed, so that asking
 * for what is not there costs nothing.
 *
 * A marker that is removed is kept under incomplete.spare for the next one: some file systems take
 * long to make a file soon after another was deleted (ext4 without a journal most of the time that
 * a small job costs), and not to rename it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "state/output.h"

struct foreign;

/* dir: the directory that holds .snakemake. */
struct foreign *foreign_new(const char *dir);
void foreign_free(struct foreign *foreign);
/* Whether there was no record and no marker when that was first asked. */
bool foreign_is_empty(struct foreign *foreign);

/* Fills a record (all but path; texts in the arena) from an output's metadata; false if there is
 * none of the format that this program knows. */
bool foreign_read(struct foreign *foreign, const char *output, struct arena *in,
                  struct output_record *record);
/* The form of Snakemake's lists and checksums of inputs in our records, and a checksum of ours in
 * its form (NULL: it is none). In the arena. */
struct json;
/* A list of texts as lines; a dict of checksums as "PATH\tCHECKSUM" lines; one of them in hex. */
const char *foreign_lines(const struct json *list, struct arena *in);
/* The same of a sorted list that stands for a set: each once. */
const char *foreign_set(const struct json *list, struct arena *in);
const char *foreign_checksums(const struct json *dict, struct arena *in);
const char *foreign_checksum_hex(struct arena *in, const char *checksum);
/* The reverse, as JSON: lines as a list of texts, "PATH\tCHECKSUM" lines as an object. */
const char *foreign_json_list(struct arena *in, const char *lines);
const char *foreign_json_checksums(struct arena *in, const char *lines);

/* Whether there was metadata of an output when that was first asked; and writes it anew, for one
 * that was made here: an outdated one would mislead Snakemake. If it cannot be written, there is
 * none. */
bool foreign_knows(struct foreign *foreign, const char *output);
/* Writes the record of an output anew, if Snakemake has one. */
void foreign_renew(struct foreign *foreign, const char *output, const struct output_record *record);
/* Removes an output's metadata, if there is any. */
void foreign_forget(struct foreign *foreign, const char *output);

/* The time (ns) of an output's incomplete marker, 0 if it has none. */
int64_t foreign_marked(struct foreign *foreign, const char *output);
/* Makes and removes the marker. False with errno. */
bool foreign_mark(struct foreign *foreign, const char *output);
void foreign_unmark(struct foreign *foreign, const char *output);
