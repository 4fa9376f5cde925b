// SPDX-License-Identifier: MIT
// What the first page of a TIFF says of the file in the words of ImageJ and OME.
#include "grey_page.h"
#include "kintsugi.h"

#include <stdlib.h>
#include <tiffio.h>
#include <unistd.h>

#include "test.h"

static char dir[] = "/tmp/kin-says-XXXXXX";
static char path[200];

/* What ImageJ and OME say of a file that is read. */
static void test_says(void)
{
    static const struct {
        const char *text;
        double resolution;
        int unit, channels, moments, slices;
        double pixel_nm, plane_nm;
    } cases[] = {
        {"", 0, RESUNIT_NONE, 1, 1, 1, 0, 0},
        {"", 72, RESUNIT_INCH, 1, 1, 1, 0, 0}, /* of a printer */
        {"", 1e7 / 325, RESUNIT_CENTIMETER, 1, 1, 1, 325, 0},
        {"", 2.54e7 / 250, RESUNIT_INCH, 1, 1, 1, 250, 0},
        {"ImageJ=1.54f\nimages=1\nchannels=3\nslices=5\nframes=2\nunit=micron\nspacing=1.5\n", 4,
         RESUNIT_NONE, 3, 2, 5, 250, 1500},
        {"ImageJ=1.54f\nimages=nan\nunit=micron\nspacing=nan\n", 2, RESUNIT_NONE, 1, 1, 1, 500, 0},
        {"ImageJ=1.54f\nunit=\\u00B5m\n", 2, RESUNIT_NONE, 1, 1, 1, 500, 0},
        {"ImageJ=1.54f\nunit=microns\n", 2, RESUNIT_NONE, 1, 1, 1, 500, 0},
        {"ImageJ=1.54f\nunit=inches\n", 25400, RESUNIT_NONE, 1, 1, 1, 1000, 0},
        {"ImageJ=1.54f\nunit=mil\n", 2, RESUNIT_NONE, 1, 1, 1, 0, 0},
        {"<OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\"><Pixels "
         "PhysicalSizeX=\"5e-07\" PhysicalSizeXUnit=\"m\" PhysicalSizeZ=\"15000\" "
         "PhysicalSizeZUnit=\"\u00c5\"/></OME>",
         0, RESUNIT_NONE, 1, 1, 1, 500, 1500},
        {"<OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\"><Pixels SizeC=\"2\" "
         "PhysicalSizeXUnit=\"nm\" PhysicalSizeX=\"108.3\" PhysicalSizeZ=\"0.3\" "
         "SizeZ=\"7\"/></OME>",
         72, RESUNIT_INCH, 2, 1, 7, 108.3, 300},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct kin_error err = {0};
        struct kin_tiff_info got = {0};
        uint8_t zero = 0;
        TIFF *f = TIFFOpen(path, "w");
        grey_page(f, 1, 1, 8);
        TIFFSetField(f, TIFFTAG_IMAGEDESCRIPTION, cases[i].text);
        TIFFSetField(f, TIFFTAG_RESOLUTIONUNIT, cases[i].unit);
        if (cases[i].resolution > 0)
            TIFFSetField(f, TIFFTAG_XRESOLUTION, cases[i].resolution);
        TIFFWriteEncodedStrip(f, 0, &zero, 1);
        TIFFClose(f);
        bool read = kin_tiff_info(path, &got, &err);
        ok(read && got.channels == cases[i].channels && got.moments == cases[i].moments &&
               got.slices == cases[i].slices && fabs(got.pixel_nm - cases[i].pixel_nm) < 1e-3 &&
               fabs(got.plane_nm - cases[i].plane_nm) < 1e-3,
           "text %zu says %d channels, %d moments, %d slices, pixels of %g, planes of %g nm %s", i,
           got.channels, got.moments, got.slices, got.pixel_nm, got.plane_nm, err.text);
    }
}

/* ImageJ's signed samples are stored 32768 too high; another calibration is that of its display. */
static void test_raised(void)
{
    for (int raised = 0; raised < 2; raised++) {
        struct kin_error err = {0};
        uint16_t zeros[64] = {0};
        TIFF *f = TIFFOpen(path, "w");
        grey_page(f, 8, 8, 16);
        TIFFSetField(f, TIFFTAG_IMAGEDESCRIPTION,
                     raised ? "ImageJ=1.54f\ncf=0\nc0=-32768.0\nc1=1.0\n"
                            : "ImageJ=1.54f\ncf=0\nc0=5.0\nc1=2.0\n");
        TIFFWriteEncodedStrip(f, 0, zeros, sizeof zeros);
        TIFFClose(f);
        bool read = kin_tiff_info(path, NULL, &err);
        ok(raised ? !read && strstr(err.text, "signed samples as ImageJ") : read,
           "calibrated samples: %s", read ? "read" : err.text);
    }
}

int main(void)
{
    if (!mkdtemp(dir))
        return 1;
    snprintf(path, sizeof path, "%s/a.tif", dir);
    test_says();
    test_raised();
    unlink(path);
    rmdir(dir);
    return done();
}
