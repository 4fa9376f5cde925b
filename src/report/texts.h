// SPDX-License-Identifier: MIT
/* texts.h: the style and the script of the report's page, what the tests of rules share
 * (src/report/texts/). NUL-terminated. */
#pragma once

extern const char text_report_css[], text_report_js[], text_unit_common[], text_unit_conftest[];
