"""What is too long is split where a statement begins, never inside of a string or a call."""

from __future__ import annotations

from tools.index.chunker import chunk_source


def _starts(path: str, text: str) -> list[str]:
    return [chunk.text.split("\n")[0].strip() for chunk in chunk_source(path, text).chunks[1:]]


def test_a_long_function_is_split_between_its_statements() -> None:
    call = "    call(\n        one,\n        two,\n    )\n"
    assert set(_starts("a.py", "def f():\n" + call * 100)) == {"call("}


def test_a_long_string_goes_whole_to_one_part_where_it_fits() -> None:
    words = "\n".join("words\nif x:\n\nwords" for _ in range(15))
    text = "def f():\n" + "    a = 1\n" * 70 + f'    b = """{words}"""\n' + "    c = 3\n" * 100
    assert _starts("a.py", text)[0].startswith(('b = """', "c = 3"))


def test_a_long_data_structure_is_split_between_its_entries() -> None:
    entry = "  {\n    a: 1,\n    b: [2,\n      3],\n  },\n"
    assert set(_starts("a.ts", "export const table = [\n" + entry * 60 + "]\n")) == {"{"}


def test_comments_stay_with_the_statement_below() -> None:
    step = "\n    # Why.\n    step()\n"
    assert set(_starts("a.py", "def f():\n" + step * 100)) == {"# Why."}
