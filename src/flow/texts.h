// SPDX-License-Identifier: MIT
/* texts.h: files of other languages that the engine carries in itself (src/flow/texts/).
 * NUL-terminated. */
#pragma once

extern const char text_prelude[];  /* helpers of Snakefiles, in Python, run by our evaluator */
extern const char text_notebook[]; /* notebooks with the facts of a job, too */
extern const char text_parts[];   /* what values of Python scripts are made from, in the same way */
extern const char text_caption[]; /* the templates of report captions, in the same way */
extern const char text_storage[]; /* asks Snakemake's storage plugins; run by the python3 child */
/* what Snakefiles ask Snakemake's settings for, in the same way */
extern const char text_settings[];
/* what a Python script sees before its first line, run by python3 */
extern const char text_preamble_py[];
extern const char text_preamble_r[];  /* the same for R */
extern const char text_preamble_rs[]; /* the same for Rust */
extern const char text_template[];    /* the Python script of template_engine rules */
