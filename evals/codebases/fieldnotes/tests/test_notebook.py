from datetime import date
from pathlib import Path

import pytest
from fieldnotes.notebook import Notebook


@pytest.fixture
def notebook(tmp_path: Path) -> Notebook:
    return Notebook(tmp_path / "notes.txt")


def test_read_of_a_new_notebook_is_empty(notebook: Notebook) -> None:
    assert notebook.read() == []


def test_add_writes_what_read_finds(notebook: Notebook) -> None:
    notebook.add("heron", 2, "River", date(2024, 5, 1))
    [found] = notebook.read()
    assert (found.species, found.count, found.place) == ("Heron", 2, "River")
