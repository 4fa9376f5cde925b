// SPDX-License-Identifier: MIT
/* page.h: the report being written, shared by the html files only. */
#pragma once

#include <stdio.h>

#include "base/map.h"
#include "report/html.h"
#include "report/results.h"
#include "report/rulegraph.h"
#include "report/runtimes.h"

struct page {
    struct graph *g;
    const struct report_options *options;
    struct log *log;
    struct results results;
    struct map places; /* of results and categories, by the symbols of their names */
    struct rule_net net;
    struct runtimes runtimes;
    bool archive;
    FILE *file;     /* where the page goes piece by piece; NULL: it stays in .out */
    struct buf out; /* what has not been written yet */
    struct arena scratch;
    bool failed;
    const char *description;          /* reStructuredText */
    const struct report_entry *entry; /* the metadata; their texts too */
    uint32_t nentries;
};

/* Writes what has gathered if there is a file. */
void page_flush(struct page *page);
/* By errno, such a file cannot be read: there will be no page. */
void page_lacks(struct page *page, const char *what, const char *path);
/* Appends text with HTML's characters escaped. */
void page_text(struct page *page, const char *text);
/* "1.4 MB" */
void page_size(struct page *page, int64_t bytes);
/* "0.42 s", "12 min 3 s" */
void page_seconds(struct page *page, double seconds);
/* A caption or description as HTML; references lead to results, categories and sections. */
void page_rst(struct page *page, const char *text, int heading);

/* html_results.c */
void page_results(struct page *page);
/* The entries of the navigation below "Results". */
void page_results_index(struct page *page);
/* The address of a result or category of that name in the page, in scratch; NULL: there is none. */
const char *page_find_result(struct page *page, const char *name);
/* A file as a data: address. False with errno. */
bool page_data(struct page *page, const char *path, const char *mime);

/* html_stats.c */
void page_statistics(struct page *page);
/* html_rules.c */
void page_rules(struct page *page);
/* The section of configuration files. */
void page_configs(struct page *page);
