/* SPDX-License-Identifier: MIT
 *
 * experiment.h: what meta/experiment.json and meta/CHANNELNAMES.txt of a project say, with
 * KINTSUGI's keys and defaults (the older CODEX names are understood too), and where a cycle's raw
 * tiles are.
 *
 *     struct experiment exp;
 *     if (!experiment_read(project, &exp, &err)) ...
 *     puts(experiment_marker(&exp, 2, 3));
 *     experiment_free(&exp);
 *
 * Cycles, channels and planes are counted from 1 in names and here, as the microscope counts
 * them. */
#pragma once

#include "kintsugi.h"

enum {
    EXPERIMENT_CHANNELS = 16,
    EXPERIMENT_CYCLES = 999
}; /* of a cycle, of an experiment: at most */

/* The words of "scan", by raster; of "scan_axis", by column_major; of "scan_start", by
 * 2 * start_bottom + start_right. */
extern const char *const scan_ways[2], *const scan_axes[2], *const scan_starts[4];

/* What the file may leave to KINTSUGI's value though a result depends on it; EXPERIMENT_WAVE is of
 * channel 1, shifted to the left by one for each further one. */
enum { EXPERIMENT_XY = 1, EXPERIMENT_Z = 2, EXPERIMENT_NA = 4, EXPERIMENT_WAVE = 8 };

struct experiment {
    int cycles, channels, planes; /* counted in data/raw where the file does not say */
    int rows, cols;               /* of the tile grid */
    double overlap;               /* fraction of a tile */
    bool column_major;            /* tiles are taken column by column ("scan_axis": "column") */
    bool raster; /* every line in the same direction ("scan": "raster"); else a snake */
    bool start_right, start_bottom; /* the first tile's corner ("scan_start": "top-right") */
    double xy_nm, z_nm;             /* pixel and plane distance, nm; z in units of the stage */
    double na;                      /* numerical aperture */
    double tissue_ri, immersion_ri; /* refractive indices; a dry objective has immersion 1.0 */
    double camera_offset;           /* ADU without light; NAN: not known */
    double gain;                    /* ADU for one photo-electron; NAN: not known */
    double excitation[EXPERIMENT_CHANNELS],
        emission[EXPERIMENT_CHANNELS]; /* nm, of channel index + 1 */
    unsigned assumed; /* EXPERIMENT_XY and so on: of what the file does not state */
    int reference_cycle, nuclear_channel; /* what registration aligns to; 1 and 1 */
    char (*markers)[64];                  /* owned; cycles * channels names, empty: not named */
    int names; /* as many CHANNELNAMES.txt lists one a line, also beyond these */
};

/* Reads the project's description. A key that is absent takes KINTSUGI's default; without the file,
 * or without a grid, the project cannot be understood and that is an error; there is nothing to
 * free then. */
bool experiment_read(const char *project, struct experiment *exp, struct kin_error *err);
void experiment_free(struct experiment *exp);

/* For what works on registered images: the reference cycle is that of transforms.json, where there
 * is one, since register may have been told another than the description's. */
void experiment_registered(const char *project, struct experiment *exp);

/* Writes meta/experiment.json and meta/CHANNELNAMES.txt; meta/ must be there. */
bool experiment_write(const char *project, const struct experiment *exp, struct kin_error *err);

/* Excitation and emission that are taken where nobody states those of a channel (from 1), nm. */
const double *experiment_usual_nm(int channel);

/* The edge of a pixel and the emission of a channel (from 1), nm; 0 where the file does not state
 * it: the usual value may be computed with, but is no fact to be written into an image. */
double experiment_pixel(const struct experiment *exp);
double experiment_emission(const struct experiment *exp, int channel);

/* The marker's name as it stands in CHANNELNAMES.txt; "CHn" if it has none there. */
const char *experiment_marker(const struct experiment *exp, int cycle, int channel);

/* "3 cycles, 1 channel, 20 planes, 9 x 7 tiles"; 120 bytes are room enough. */
void experiment_extent(const struct experiment *exp, char *to, size_t size);

/* Whether a channel of that name is an image of the autofluorescence alone: "Blank...". */
bool experiment_names_blank(const char *marker);

/* The marker's name as a file name: '/' and ' ' become '_'; "CHn_edf" if it has none. A name that
 * came before in the same cycle gets "_CHn" behind it. */
void experiment_file_name(const struct experiment *exp, int cycle, int channel, char *name,
                          size_t size);

/* The same where the images of all cycles lie together, beside isolated.ome.tif: a name that a
 * cycle before has used gets "_cycNN" behind it, and "_CHn" if that is a name as well. False: there
 * is none, as of nuclear stains only the reference cycle's is kept there. */
bool experiment_name_together(const struct experiment *exp, int cycle, int channel, char *name,
                              size_t size);

/* Of the file names of cycles first..last, in order: another if one has changed. */
uint64_t experiment_names_hash(const struct experiment *exp, int first, int last);

/* ---- raw tiles ----------------------------------------------------------------------------- */

/* How a tile's name is written: some programs pad numbers with zeros, some do not. */
struct raw_file {
    uint8_t tile_digits, z_digits, channel_digits;
    uint8_t suffix; /* ".tif", ".tiff", ...: which one, from 1; 0: there is no such file */
};

struct raw_cycle {
    char dir[4096];
    char prefix[64];             /* of the file names: the region */
    int tile_first;              /* number in the name of tile 0 */
    int tiles, planes, channels; /* highest of each that a file name has */
    struct raw_file *files;      /* owned; [tile][plane][channel] */
    struct raw_file usual;       /* how the name of one that is missing is told */
    int others;                  /* further folders of the cycle, of which none is read */
    char other[256];             /* the first of these */
};

/* The folder of that cycle under data/raw by any of its usual names (cyc001_reg001_DATE, cyc01_...,
 * Cyc01_..., cyc001, cyc01, Cyc01, Cyc1_...), and what it holds. False: it is not there, or holds
 * no tiles. */
bool raw_find(const char *project, int cycle, struct raw_cycle *raw, struct kin_error *err);

/* The last cycle, up to EXPERIMENT_CYCLES, that data/raw has a folder of; 0: none. */
int raw_last(const char *project);

/* The same for a folder that is named. False also when two files are the same tile. */
bool raw_open(const char *dir, struct raw_cycle *raw, struct kin_error *err);
void raw_free(struct raw_cycle *raw);

/* Path of a tile (from 0) at a plane and channel (from 1); whether the folder has it. */
bool raw_path(const struct raw_cycle *raw, int tile, int plane, int channel, char *path,
              size_t size);
