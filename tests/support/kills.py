"""An index killed at random moments, and what must hold of it afterwards whatever the moment was."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from support.program import PROGRAM

from tools.index.catalog import Catalog
from tools.index.catalog_schema import FILE_NAME
from tools.index.lock import WriterLock


class ChangingWorkspace:
    """Some small sources of which a few are written, renamed or deleted at each turn."""

    def __init__(self, folder: Path, chance: random.Random, files: int = 24) -> None:
        self.folder = folder
        self._chance = chance
        self._turn = 0
        (folder / ".git").mkdir(parents=True)
        for number in range(files):
            self._write(folder / f"module_{number}.py")

    def change(self) -> None:
        """Three edits, a rename, a new file and a deletion."""
        self._turn += 1
        paths = self.paths()
        for path in self._chance.sample(paths, 3):
            self._write(path)
        moved, gone = self._chance.sample(paths, 2)
        moved.rename(self.folder / f"moved_{self._turn}.py")
        gone.unlink()
        self._write(self.folder / f"module_new_{self._turn}.py")

    def paths(self) -> list[Path]:
        """The sources that are there now."""
        return sorted(self.folder.glob("*.py"))

    def _write(self, path: Path) -> None:
        functions = [
            f"def {path.stem}_{each}(price):\n    return price * {self._chance.randrange(1000)}\n"
            for each in range(3)
        ]
        path.write_text("\n\n".join(functions), encoding="utf-8")


def killed(
    arguments: Sequence[str], here: Path, variables: Mapping[str, str], after_seconds: float, says: Path
) -> bool:
    """Run the program and kill its whole process group after so long; whether it was still running then."""
    with says.open("wb") as out:
        process = subprocess.Popen(
            [PROGRAM, *arguments],
            cwd=here,
            env=dict(variables),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            start_new_session=True,
        )
        try:
            code = process.wait(after_seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return True
    assert code == 0, says.read_text(encoding="utf-8", errors="replace")
    return False


def died_writing(folder: Path) -> bool:
    """Whether the last writer was at work when it died: it could not say that it ended well."""
    if not (folder / FILE_NAME).is_file():
        return False
    with closing(sqlite3.connect(folder / FILE_NAME)) as database:
        if database.execute("PRAGMA user_version").fetchone() == (0,):
            return False
        return database.execute("SELECT writing != '' FROM state").fetchone() == (1,)


def assert_sound(folder: Path) -> None:
    """The catalog opens at once with nothing to tell, and all its parts agree."""
    if not (folder / FILE_NAME).is_file():
        return  # killed before there was an index
    with WriterLock(folder), Catalog.open(folder) as catalog:
        assert catalog.notes == ()
        catalog.check()
    with closing(sqlite3.connect(folder / FILE_NAME)) as database:
        for what, count in _FAULTS.items():
            assert database.execute(count).fetchone() == (0,), what


_FAULTS = {
    "a chunk stands there twice": """
        SELECT count(*) FROM (SELECT 1 FROM chunks GROUP BY file_id, first_line, last_line, symbol, text_sha
                              HAVING count(*) > 1)""",
    "a chunk belongs to no file": "SELECT count(*) FROM chunks WHERE file_id NOT IN (SELECT id FROM files)",
    "a chunk has no keywords": "SELECT count(*) FROM chunks WHERE id NOT IN (SELECT rowid FROM keywords)",
    "keywords of no chunk": "SELECT count(*) FROM keywords WHERE rowid NOT IN (SELECT id FROM chunks)",
    "a definition of no chunk": """
        SELECT count(*) FROM definitions WHERE chunk_id != 0 AND chunk_id NOT IN (SELECT id FROM chunks)""",
    "a file with no chunk": "SELECT count(*) FROM files WHERE id NOT IN (SELECT file_id FROM chunks)",
    "a vector cut short": "SELECT count(*) FROM vectors WHERE length(vector) != 4 * 384",
}
