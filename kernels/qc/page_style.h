/* SPDX-License-Identifier: MIT
 *
 * page_style.h: the fixed text of the QC page: style and the script that sorts its table. */
#pragma once

static const char page_style[] =
    "<style>"
    ":root{--ink:#1f2328;--dim:#59636e;--line:#d1d9e0;--paper:#fff;--soft:#f6f8fa;--green:#1a7f37;-"
    "-yellow:#9a6700;--red:#cf222e}*{box-sizing:border-box}body{margin:0;font:14px/1.5 "
    "system-ui,-apple-system,'Segoe "
    "UI',Roboto,sans-serif;color:var(--ink);background:var(--paper)}"
    "header{padding:28px 40px 18px;border-bottom:1px solid var(--line);background:var(--soft)}"
    "h1{font-size:24px;margin:0 0 4px;font-weight:600}h2{font-size:18px;margin:36px 0 "
    "10px;font-weight:600;border-bottom:1px solid var(--line);padding-bottom:4px}"
    "h3{font-size:14px;margin:18px 0 6px;font-weight:600}main{padding:0 40px 60px;max-width:1500px}"
    "p,figcaption{color:var(--dim);margin:4px 0}nav "
    "a{margin-right:16px;color:#0969da;text-decoration:none}nav{margin-top:10px}"
    ".tiles{display:flex;gap:12px;flex-wrap:wrap;margin-top:14px}.tile{border:1px solid "
    "var(--line);border-radius:8px;padding:8px 16px;background:var(--paper);min-width:110px}"
    ".tile b{display:block;font-size:22px;font-weight:600}.tile.red "
    "b{color:var(--red)}.tile.yellow b{color:var(--yellow)}.tile.green b{color:var(--green)}"
    ".row{display:flex;flex-wrap:wrap;gap:22px;align-items:flex-start;margin-bottom:22px}figure{"
    "margin:0}figure img{display:block;max-width:100%;border-radius:4px;background:#000}"
    "img.zoom{image-rendering:pixelated}"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin-top:6px}th,td{padding:"
    "4px 12px;border-bottom:1px solid var(--line);text-align:left;white-space:nowrap}"
    "th{cursor:pointer;background:var(--soft);position:sticky;top:0;font-weight:600}td.n,th.n{text-"
    "align:right}td.wrap{white-space:normal;min-width:200px}th::after{content:' "
    "\\2195';color:#afb8c1}.badge{display:inline-block;padding:0 "
    "9px;border-radius:10px;font-size:12px;color:#fff;background:#59636e}.badge.green{background:"
    "var(--green)}.badge.yellow{background:#9a6700}.badge.red{background:var(--red)}"
    ".scroll{max-height:520px;overflow:auto;border:1px solid var(--line);border-radius:8px}.scroll "
    "table{margin:0;width:100%}svg text{font:11px system-ui,sans-serif;fill:var(--dim)}svg "
    "text.title{font-weight:600;fill:var(--ink);font-size:12px}svg text.cell{font-size:11px}"
    "svg .frame{fill:none;stroke:#afb8c1}svg "
    "rect.none{fill:none;stroke:var(--line);stroke-dasharray:3 3}"
    ".note{border-left:3px solid #bf8700;padding:2px 10px;margin:6px 0;color:var(--ink)}"
    "@media print{header{background:none}main{padding:0 "
    "12px}.scroll{max-height:none;overflow:visible}h2{break-after:avoid}figure,svg{break-inside:"
    "avoid}nav{display:none}th::after{content:''}}"
    "</style>";

static const char page_script[] =
    "<script>"
    "document.querySelectorAll('table.sort').forEach(function(t){t.querySelectorAll('th').forEach("
    "function(h,i){var up=true;h.addEventListener('click',function(){var "
    "b=t.tBodies[0],rows=Array.prototype.slice.call(b.rows);"
    "function key(r){var c=r.cells[i];return c.dataset.v!==undefined?+c.dataset.v:c.textContent}"
    "rows.sort(function(x,y){var a=key(x),c=key(y);return (a<c?-1:a>c?1:0)*(up?1:-1)});up=!up;"
    "rows.forEach(function(r){b.appendChild(r)})})})});"
    "</script>";
