"""Notebooks are taken apart by cell, at the lines of the file."""

from __future__ import annotations

import json
from typing import Any

from tools.index.chunk import ParsedFile
from tools.index.chunker import chunk_source


def _notebook(*cells: dict[str, Any], language: str = "python") -> str:
    whole = {"cells": cells, "metadata": {"kernelspec": {"language": language}}, "nbformat": 4}
    return json.dumps(whole, indent=1)


def _code(*lines: str, outputs: object = ()) -> dict[str, Any]:
    source = [line + "\n" for line in lines]
    return {"cell_type": "code", "metadata": {}, "outputs": outputs, "source": source}


def _text(*lines: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": [line + "\n" for line in lines]}


def _cut(text: str) -> ParsedFile:
    return chunk_source("a.ipynb", text)


def test_code_of_all_cells_is_one_source_and_magics_are_left_out() -> None:
    text = _notebook(_code("%matplotlib inline", "import os"), _code("def f():", "    return os.sep", "!ls"))
    parsed = _cut(text)
    [function] = parsed.definitions
    assert "def f()" in text.split("\n")[function.first_line - 1]
    assert (function.kind, function.last_line - function.first_line) == ("function", 1)
    assert [one.module for one in parsed.imports] == ["os"]
    assert [(one.name, one.enclosing) for one in parsed.references if one.kind == "other"] == [
        ("os", "f"),
        ("sep", "f"),
    ]


def test_text_cells_are_named_by_their_first_heading() -> None:
    parsed = _cut(_notebook(_text("# Sales", "## By month"), _code("x = 1")))
    assert [(one.kind, one.symbol) for one in parsed.chunks[:2]] == [
        ("documentation", "Sales"),
        ("module", ""),
    ]
    assert [one.qualified_name for one in parsed.definitions if one.kind == "heading"] == [
        "Sales",
        "Sales.By month",
    ]


def test_long_outputs_are_kept_apart_from_code() -> None:
    outputs = [{"text": [f"row {n}" for n in range(40)]}]
    parsed = _cut(_notebook(_code("x = 1"), _code("y = 2", outputs=outputs)))
    assert [chunk.kind for chunk in parsed.chunks if '"y = 2' in chunk.text] == ["module"]
    assert [chunk.kind for chunk in parsed.chunks if '"row 7"' in chunk.text] == ["config"]


def test_another_kernel_language_is_parsed_as_that() -> None:
    assert [one.name for one in _cut(_notebook(_code("f <- function(a) a"), language="R")).definitions] == [
        "f"
    ]


def test_a_source_that_is_one_string_is_covered_without_definitions() -> None:
    cell = {"cell_type": "code", "source": "def f():\n    pass"}
    assert _cut(_notebook(cell)).definitions == ()


def test_odd_cells_do_no_harm() -> None:
    for text in (
        _notebook(),
        '{"cells": 3}',
        '{"cells": [1, {"source": 2}, {"source": [3, "x"]}]}',
        "[]",
        "",
    ):
        parsed = _cut(text)
        assert "\n".join(chunk.text for chunk in parsed.chunks) == text


def test_a_picture_in_an_output_is_no_hindrance() -> None:
    parsed = _cut(_notebook(_code("def f():", "    pass", outputs=[{"data": {"image/png": "x" * 200_000}}])))
    assert parsed.note == ""
    assert [one.name for one in parsed.definitions] == ["f"]
