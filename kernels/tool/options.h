/* SPDX-License-Identifier: MIT
 *
 * options.h: the command line of a verb, declared as a table from which both parsing and --help
 * come.
 *
 *     static struct { struct common common; int iterations; bool keep; } o;
 *     static const struct option rows[] = {
 *         {"iterations", OPTION_INT, "", "10", "Richardson-Lucy steps", &o.iterations},
 *         {"keep", OPTION_FLAG, "", "", "keep what is there", &o.keep},
 *         OPTIONS_COMMON(&o.common),
 *     };
 *     static const char *project;
 *     static const struct operand operands[] = {{"PROJECT", "the project's directory", &project}};
 *     static const struct command command = {"deconv", "one sentence", rows, ROWS(rows),
 *                                            operands, 1};
 *     int status;
 *     if (!options_parse(&command, argc, argv, &status))
 *         return status;
 *
 * A value is given as --name VALUE or --name=VALUE. A default in round brackets, such as
 * "(experiment.json)", is only shown: the target keeps what it held before. */
#pragma once

#include "device/device.h"

enum option_type {
    OPTION_FLAG, /* bool */
    OPTION_INT,  /* int */
    OPTION_REAL, /* double */
    OPTION_TEXT, /* const char *, borrowed from the command line; "" by default is NULL */
    OPTION_PAIR, /* int[2], written AxB */
    OPTION_LIST, /* struct int_list: 1,3,5-8 */
};

/* Numbers given as 1,3,5-8, in that order; count 0: none given. */
struct int_list {
    int count;
    int values[256];
};

struct option {
    const char *name; /* without the dashes */
    enum option_type type;
    /* shown with the name: "px", "nm"; of a text also what it is, "FILE", or the words that it may
     * be, "auto|cpu|gpu"; "" for none */
    const char *unit;
    const char *fallback; /* the default, as it would be typed */
    const char *help;
    void *target;
    double low, high; /* what a number may be; both 0: anything finite */
};

struct operand { /* what is given without a name; required, but the last one may be optional */
    const char *name, *help;
    const char **target;
    bool optional;
};

struct command {
    const char *verb, *about;
    const struct option *options;
    int option_count;
    const struct operand *operands;
    int operand_count;
    const char *notes; /* printed under the options; may be NULL */
};

/* What every stage accepts. */
struct common {
    const char *device; /* auto, cpu or gpu; from KINTSUGI_DEVICE_MODE when not given */
    int threads;        /* 0: all cores */
    int memory;         /* MB a stage may use, at least 1 */
    int gpu_memory;     /* MB of the card that may be used; 0: most of what is free */
    bool on_gpu;        /* options_device has taken a GPU that was not demanded */
    bool json;          /* metrics as one JSON object on stdout */
    bool force;         /* make outputs again that are there and current */
    bool quiet;         /* no progress */
};

#define ROWS(table) ((int)(sizeof(table) / sizeof *(table)))

/* How much is said, and by how many. */
#define OPTIONS_TALK(c)                                                                            \
    {"threads", OPTION_INT, "", "0", "CPU threads; 0: all cores", &(c)->threads, 0, 1024},         \
        {"quiet", OPTION_FLAG, "", "", "print no progress on stderr", &(c)->quiet},                \
    {                                                                                              \
        "json", OPTION_FLAG, "", "", "print metrics as one JSON object on stdout", &(c)->json      \
    }

#define DEVICES "auto|cpu|gpu" /* as in enum device_kind */
#define OPTIONS_COMMON(c)                                                                          \
    {"device",           OPTION_TEXT, DEVICES, "(KINTSUGI_DEVICE_MODE, else auto)",                \
     "where to compute", &(c)->device},                                                            \
        {"memory",     OPTION_INT, "MB", "3000", "memory that may be used for images",             \
         &(c)->memory, 1,          1e9},                                                           \
        {"gpu-memory",                                                                             \
         OPTION_INT,                                                                               \
         "MB",                                                                                     \
         "0",                                                                                      \
         "GPU memory that may be used; 0: most of what is free",                                   \
         &(c)->gpu_memory,                                                                         \
         0,                                                                                        \
         1e9},                                                                                     \
        {"force",    OPTION_FLAG, "", "", "make outputs again even if they are up to date",        \
         &(c)->force},                                                                             \
        OPTIONS_TALK(c)

/* What the stages of one cycle begin with; an int and a struct int_list. */
#define OPTIONS_CYCLE(number, list)                                                                \
    {"cycle", OPTION_INT, "", "1", "the cycle to work on", number},                                \
    {                                                                                              \
        "channels", OPTION_LIST, "", "", "only these channels (default: all)", list                \
    }

/* Whether a word may be another mistyped: all but a third of the longer one is what both begin and
 * end with. */
bool options_alike(const char *typed, size_t length, const char *name);

/* Fills the targets. False: the verb ends with *status (0 after --help; 2 after a mistake, told on
 * stderr). argv[0] is the verb. */
bool options_parse(const struct command *command, int argc, char **argv, int *status);

/* Tells a mistake that can be seen on the command line alone, which the table cannot say; the exit
 * status, 2. What is wrong about files and what they hold is for stage_failed. */
int options_mistake(const struct command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The place of a word among the choices, written "a|b|c"; -1: it is none of them. */
int options_choice(const char *word, const char *choices);

/* The compute device that was asked for. NULL: err says why. */
struct device *options_device(struct common *common, struct kin_error *err);

/* Whether to go on on the CPU after a failure: the device was a GPU that nobody demanded, and it or
 * its memory failed. Then says so on stderr, forgets the failure, and the next options_device is
 * the CPU. */
bool options_retreat(struct common *common, struct kin_error *err);
