"""What a question and an index run say when the data folder, the index or the current folder gives out."""

import os
import subprocess

from support.program import PROGRAM, called, environment

from tools.index.catalog import Catalog
from tools.index.catalog_schema import FILE_NAME
from tools.index.location import list_indexes
from tools.index.turns import BUILT_NAME, is_built, note_built

QUESTION = ("ask", "Where is `gross_price` defined?")


def _index(workspace, home):
    """The folder of an index that was built."""
    assert called("index", home=home, here=workspace).returncode == 0
    (index,) = list_indexes(home / "data" / "codewitness")
    return index.folder


def test_an_answer_is_printed_where_the_conversation_cannot_be_kept(workspace, home):
    (_index(workspace, home) / "conversations").write_text("a file, not a folder")
    done = called(*QUESTION, home=home, here=workspace)
    assert done.returncode == 0, done.stderr
    assert "prices.py" in done.stdout
    assert "not kept for a follow-up" in done.stderr


def test_a_beginning_of_an_index_never_stands_for_the_whole(workspace, home):
    folder = _index(workspace, home)
    (folder / "writer.lock").unlink()
    (folder / "writer.lock").mkdir()  # nobody can write any more
    whole = called(*QUESTION, home=home, here=workspace)
    assert whole.returncode == 0, whole.stderr
    assert "used as it stood" in whole.stderr
    (folder / BUILT_NAME).unlink()
    begun = called(*QUESTION, home=home, here=workspace)
    assert begun.returncode == 4, begun.stdout
    assert "cannot write the index" in begun.stderr


def test_an_index_that_begins_anew_is_no_longer_whole(tmp_path):
    Catalog.open(tmp_path).close()
    note_built(tmp_path)
    (tmp_path / FILE_NAME).write_bytes(b"no database any more" * 500)
    Catalog.open(tmp_path).close()
    assert not is_built(tmp_path)


def test_a_current_folder_that_is_gone_is_told(tmp_path, home):
    gone = tmp_path / "gone"
    gone.mkdir()
    script = ["/bin/sh", "-c", 'rmdir "$1" && exec "$0" search anything', PROGRAM, str(gone)]
    done = subprocess.run(script, cwd=gone, env=environment(home), capture_output=True, text=True)
    assert done.returncode == 2, done.stderr
    assert os.fspath(gone) not in done.stdout
    assert "Traceback" not in done.stderr
