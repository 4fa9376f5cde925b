# SPDX-License-Identifier: MIT
# Jupyter notebooks of rules: the cell with the job's facts is put in front and taken out again. This file is run by
# the engine's own evaluator.
import json

_tag = "snakemake-job-properties"


def _is_facts(cell):
    return _tag in cell.get("metadata", {}).get("tags", [])


def _cell(source, tags):
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {"tags": tags} if tags else {},
        "outputs": [],
        "source": source,
    }


def _read(text):
    notebook = json.loads(text)
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise ValueError("this is no Jupyter notebook of format 4")
    facts = [cell for cell in notebook["cells"] if _is_facts(cell)]
    if len(facts) > 1:
        raise ValueError(
            "More than one snakemake preamble cell found in notebook. Please clean up the notebook first, by "
            "removing all or all but one of them."
        )
    notebook["cells"] = [cell for cell in notebook["cells"] if not _is_facts(cell)]
    return notebook


def _write(notebook):
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def language(text):
    metadata = json.loads(text).get("metadata", {})
    name = metadata.get("language_info", {}).get("name") or metadata.get("kernelspec", {}).get("language", "")
    return name.lower()


def with_facts(text, facts):
    notebook = _read(text)
    cell = _cell(facts, [_tag])
    if (notebook.get("nbformat", 4), notebook.get("nbformat_minor", 0)) >= (4, 5):
        cell["id"] = "snakemake-job"
    notebook["cells"].insert(0, cell)
    return _write(notebook)


def without_facts(text):
    """As it is to be kept: also without what the cells have given."""
    notebook = _read(text)
    for cell in notebook["cells"]:
        if "outputs" in cell:
            cell["outputs"] = []
        if "execution_count" in cell:
            cell["execution_count"] = None
    return _write(notebook)


def skeleton(facts, name):
    kernels = {"python": ("Python 3", "python3"), "r": ("R", "ir")}
    title, kernel = kernels[name]
    notebook = {
        "cells": [_cell(facts, [_tag]), _cell("# start coding here", [])],
        "metadata": {
            "kernelspec": {"display_name": title, "language": name, "name": kernel},
            "language_info": {"name": name},
        },
        "nbformat": 4,
        "nbformat_minor": 4,
    }
    return _write(notebook)


def code(text):
    """The sources of all code cells, for reports."""
    sources = [cell.get("source", "") for cell in _read(text)["cells"] if cell.get("cell_type") == "code"]
    return "\n\n".join(source if isinstance(source, str) else "".join(source) for source in sources)
