// SPDX-License-Identifier: MIT
/* texts.h: the style and the script of the report's page (src/report/texts/). NUL-terminated. */
#pragma once

extern const char text_report_css[], text_report_js[];
