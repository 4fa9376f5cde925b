// SPDX-License-Identifier: MIT
/* rulegraph.h: the graph of rules as a drawing in SVG: layers from top to bottom, made by the
 * method of Sugiyama (Sugiyama, Tagawa, Toda 1981): longest-path layers, edges over several layers
 * through stand-ins, crossings reduced by sweeps of barycentres, then places. */
#pragma once

#include "base/buf.h"
#include "report/rulenet.h"

/* An <svg> element; each node links to "#rule-NAME". Nothing for a net without nodes. */
void rulegraph_svg(const struct graph *g, const struct rule_net *net, struct buf *out);
/* The hue (0..359) by which a rule is known all over the page: node i of n. */
int rulegraph_hue(uint32_t i, uint32_t n);
