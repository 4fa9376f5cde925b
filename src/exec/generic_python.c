// SPDX-License-Identifier: MIT
#include "exec/generic_python.h"

#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/path.h"

/* An installed Snakemake comes first: its modules are looked for before the one here. */
static const char init_text[] =
    "__version__ = '9.27.1'\n"
    "\n"
    "import os as _os\n"
    "import sys as _sys\n"
    "from importlib.machinery import PathFinder as _PathFinder\n"
    "\n"
    "_here = _os.path.dirname(_os.path.dirname(_os.path.abspath(__file__)))\n"
    "_others = [_p for _p in _sys.path if _os.path.abspath(_p or '.') != _here]\n"
    "_found = _PathFinder.find_spec('snakemake', _others)\n"
    "if _found and _found.submodule_search_locations:\n"
    "    __path__ = list(_found.submodule_search_locations) + list(__path__)\n";

static const char utils_text[] =
    "import json as _json\n"
    "\n"
    "\n"
    "def read_job_properties(jobscript, prefix='# properties', pattern=None):\n"
    "    \"\"\"The properties of the job that a job script runs.\"\"\"\n"
    "    with open(jobscript) as lines:\n"
    "        for line in lines:\n"
    "            match = pattern.match(line) if pattern else None\n"
    "            if match:\n"
    "                return _json.loads(match.group(1))\n"
    "            if line.startswith(prefix):\n"
    "                return _json.loads(line.partition('=')[2])\n"
    "    raise ValueError(f'{jobscript} has no line with job properties')\n";

bool generic_python_write(struct arena *in, const char *dir)
{
    const char *package = path_join(in, dir, "snakemake");
    return fs_mkdirs(package) &&
           fs_write(path_join(in, package, "__init__.py"), init_text, strlen(init_text)) &&
           fs_write(path_join(in, package, "utils.py"), utils_text, strlen(utils_text));
}

const char *generic_python_path(struct arena *in, const char *dir)
{
    const char *before = getenv("PYTHONPATH");
    return arena_printf(in, "PYTHONPATH=%s%s%s", before ? before : "", before && *before ? ":" : "",
                        dir);
}
