from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from support.small_codebase import FILES, write_codebase

from tools.errors import IndexUnusable
from tools.index.build import MADE_WITH, refresh
from tools.index.catalog import Catalog
from tools.index.catalog_schema import FILE_NAME
from tools.index.chunk_workers import ChunkWorkers
from tools.index.location import index_folder
from tools.index.lock import WriterLock
from tools.index.progress import IndexProgress, IndexReport
from tools.index.records import Filters
from tools.workspace import Workspace

PRINT = "embedder"


@pytest.fixture(scope="module")
def workers() -> Iterator[ChunkWorkers]:
    with closing(ChunkWorkers(processes=1)) as pool:
        yield pool


class Shop:
    """The small codebase as a workspace, with its index."""

    def __init__(self, tmp_path: Path, workers: ChunkWorkers) -> None:
        self.root = tmp_path / "shop"
        self.root.mkdir()
        write_codebase(self.root)
        self.workspace = Workspace(self.root)
        self.folder = index_folder(self.root, tmp_path / "data")
        self.workers = workers
        self.progress: list[IndexProgress] = []

    def refresh(self, *, stop: Callable[[], bool] = lambda: False, **more: object) -> IndexReport:
        return refresh(
            self.workspace,
            self.folder,
            progress=self.progress.append,
            stop=stop,
            workers=self.workers,
            **more,
        )

    def write(self, path: str, text: str | bytes) -> None:
        (self.root / path).write_bytes(text if isinstance(text, bytes) else text.encode())

    def catalog(self) -> Catalog:
        return Catalog.open(self.folder, read_only=True)

    def embed_all(self) -> int:
        """Give every text a vector; how many had none."""
        with Catalog.open(self.folder) as catalog:
            wanted = catalog.texts_without_vector(PRINT, 10_000)
            catalog.put_vectors(PRINT, [(sha, np.ones(4, np.float32).tobytes()) for sha, _ in wanted])
            return len(wanted)

    def require_whole(self) -> None:
        """The index says what the files say, each line once, and its parts fit each other."""
        with self.catalog() as catalog:
            indexed = catalog.files()
            on_disk = {
                str(p.relative_to(self.root))
                for p in self.root.rglob("*")
                if p.is_file() and ".git/" not in str(p)
            }
            assert set(indexed) == on_disk - set(catalog.content_skips())
            for path in indexed:
                text = (self.root / path).read_text(encoding="utf-8")
                lines = "\n".join(chunk.text for chunk in catalog.chunks_of(path))
                assert lines == text.removesuffix("\n"), path
        require_consistent(self.folder)


def require_consistent(folder: Path) -> None:
    with Catalog.open(folder) as catalog:
        assert catalog.notes == ()
        catalog.check()
    with closing(sqlite3.connect(folder / FILE_NAME)) as connection:
        chunks, keywords = (
            connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0]
            for name in ("chunks", "keywords")
        )
        assert chunks == keywords
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


@pytest.fixture
def shop(tmp_path: Path, workers: ChunkWorkers) -> Iterator[Shop]:
    made = Shop(tmp_path, workers)
    yield made
    made.workspace.close()


def test_a_first_run_indexes_every_file(shop: Shop) -> None:
    report = shop.refresh()
    assert (report.added, report.unchanged, report.stopped, report.notes) == (len(FILES), 0, "", ())
    shop.require_whole()
    with shop.catalog() as catalog:
        (definition,) = catalog.definitions("Cart.add_item")
        assert definition.path == "src/shop/cart.py"
        assert [one.path for one in catalog.references("add_item", kinds=("call",))] == ["tests/test_cart.py"]
        assert [one.path for one in catalog.importers_of("shop.prices")] == ["src/shop/cart.py"]
        assert catalog.files()["web/src/format.ts"].language == "typescript"
        assert catalog.files()["docs/guide.md"].area == "docs"
        assert catalog.definitions("ListenAddress")
        best = catalog.keyword_search({"tax": 1.0}, Filters(area=("source",)), limit=1)[0][0]
        assert catalog.chunks_by_id([best])[best].symbol == "with_tax"
        assert catalog.listed_by() == "git"


def test_a_run_with_nothing_to_do_changes_nothing_and_starts_no_worker(tmp_path: Path) -> None:
    with closing(ChunkWorkers(module="no.such.worker")) as none:
        shop = Shop(tmp_path, none)
        with closing(ChunkWorkers(processes=1)) as real:
            refresh(
                shop.workspace, shop.folder, progress=shop.progress.append, stop=lambda: False, workers=real
            )
        shop.refresh()  # what was written just now is looked at once more
        with shop.catalog() as catalog:
            before = catalog.change_count(), catalog.updated_at(), catalog.chunk_ids(Filters()).tolist()
        report = shop.refresh()
        assert (report.unchanged, report.added, report.changed, report.removed) == (len(FILES), 0, 0, 0)
        with shop.catalog() as catalog:
            assert (
                catalog.change_count(),
                catalog.updated_at(),
                catalog.chunk_ids(Filters()).tolist(),
            ) == before
        shop.workspace.close()


def test_each_kind_of_change_is_found_and_counted(shop: Shop) -> None:
    shop.refresh()
    shop.write("src/shop/stock.py", "def in_stock(sku):\n    return True\n")
    shop.write("src/shop/prices.py", FILES["src/shop/prices.py"].replace("with_tax", "taxed"))
    (shop.root / "settings.toml").unlink()
    (shop.root / "web/src/format.ts").rename(shop.root / "web/src/money.ts")
    report = shop.refresh()
    assert (report.added, report.changed, report.removed, report.renamed) == (1, 1, 1, 1)
    assert report.unchanged == len(FILES) - 3
    shop.require_whole()
    with shop.catalog() as catalog:
        assert catalog.definitions("with_tax") == []
        assert catalog.definitions("taxed")
        assert catalog.definitions("formatPrice")[0].path == "web/src/money.ts"


def test_a_renamed_moved_or_reverted_text_is_not_embedded_again(shop: Shop) -> None:
    shop.refresh()
    assert shop.embed_all() > len(FILES)
    (shop.root / "src/shop/cart.py").rename(shop.root / "src/shop/basket.py")
    shop.refresh()
    assert shop.embed_all() == 0
    (shop.root / "tests/basket.py").write_text((shop.root / "src/shop/basket.py").read_text())
    (shop.root / "src/shop/basket.py").unlink()
    shop.refresh()
    assert shop.embed_all() == 0
    shop.write("src/shop/prices.py", FILES["src/shop/prices.py"].replace("0.19", "0.07"))
    shop.refresh()
    assert shop.embed_all() == 1
    shop.write("src/shop/prices.py", FILES["src/shop/prices.py"])
    shop.refresh()
    assert shop.embed_all() == 0


def test_a_run_that_is_stopped_keeps_what_it_did_and_the_next_one_goes_on(shop: Shop) -> None:
    asked = iter(range(10_000))
    first = shop.refresh(stop=lambda: next(asked) > 5)
    assert first.stopped == "interrupted"
    assert 0 < first.added < len(FILES)
    with shop.catalog() as catalog:
        assert len(catalog.files()) == first.added
    second = shop.refresh()
    assert (second.added, second.unchanged, second.stopped) == (len(FILES) - first.added, first.added, "")
    shop.require_whole()


def test_a_run_that_is_stopped_at_once_removes_nothing(shop: Shop) -> None:
    shop.refresh()
    report = shop.refresh(stop=lambda: True)
    assert (report.stopped, report.removed) == ("interrupted", 0)
    shop.require_whole()


def test_files_that_cannot_be_indexed_are_named_with_the_reason_and_stop_nothing(shop: Shop) -> None:
    shop.write("logo.dat", b"\x00\x01\x02" * 100)
    shop.write("src/bundle.js", "var a=1;" * 20_000)
    os.mkfifo(shop.root / "pipe")
    assert shop.refresh().added == len(FILES)
    with shop.catalog() as catalog:
        assert set(catalog.content_skips()) == {"logo.dat", "src/bundle.js"}
        changes = catalog.change_count()
    shop.refresh()
    with shop.catalog() as catalog:
        assert catalog.change_count() == changes
    shop.write("logo.dat", "now it is text\n")
    assert shop.refresh().changed == 1
    with shop.catalog() as catalog:
        assert set(catalog.content_skips()) == {"src/bundle.js"}
        assert "logo.dat" in catalog.files()


def test_a_file_name_that_is_no_unicode_is_a_skip(shop: Shop) -> None:
    (shop.root / os.fsdecode(b"caf\xe9.py")).write_text("x = 1\n")
    assert shop.refresh().added == len(FILES)
    with shop.catalog() as catalog:
        assert catalog.skip_counts()["file name is not UTF-8"] == 1


def test_secrets_are_masked_before_anything_is_kept(shop: Shop) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    shop.write("src/shop/token.py", f'TOKEN = "{secret}"\n')
    shop.refresh()
    with shop.catalog() as catalog:
        assert sum(catalog.files()["src/shop/token.py"].redactions.values()) == 1
    everything = b"".join(path.read_bytes() for path in shop.folder.iterdir())
    assert secret.encode() not in everything


def test_progress_names_phases_and_ends_with_done(shop: Shop) -> None:
    shop.refresh()
    phases = [one.phase for one in shop.progress]
    assert phases[0] == "listing"
    assert phases[-1] == "done"
    assert all(one.done <= one.total for one in shop.progress)


def test_a_rebuild_reads_everything_again_and_keeps_the_vectors(shop: Shop) -> None:
    shop.refresh()
    shop.embed_all()
    report = shop.refresh(rebuild=True)
    assert (report.changed, report.added, report.unchanged) == (len(FILES), 0, 0)
    assert shop.embed_all() == 0
    shop.require_whole()


def test_an_index_of_other_rules_is_brought_up_to_date_file_by_file(shop: Shop) -> None:
    shop.refresh()
    with closing(sqlite3.connect(shop.folder / FILE_NAME)) as connection, connection:
        connection.execute("UPDATE files SET made_with = 'chunks 0' WHERE path LIKE '%.py'")
    assert shop.refresh().changed == sum(path.endswith(".py") for path in FILES)
    with shop.catalog() as catalog:
        assert {record.made_with for record in catalog.files().values()} == {MADE_WITH}


@pytest.mark.parametrize("how", ["not a database", "cut in half", "bad pages"])
def test_a_damaged_index_is_set_aside_and_built_anew(shop: Shop, how: str) -> None:
    shop.refresh()
    database = shop.folder / FILE_NAME
    data = database.read_bytes()
    half = len(data) // 8192 * 4096
    database.write_bytes(
        {
            "not a database": b"no database" * 1000,
            "cut in half": data[:half],
            "bad pages": data[:4096] + b"\xa5" * (len(data) - 4096),
        }[how]
    )
    report = shop.refresh(rebuild=True)
    (kept,) = shop.folder.glob("catalog.corrupt-*")
    assert kept.name in report.notes[0]
    assert report.added == len(FILES)
    shop.require_whole()


def test_an_index_of_a_newer_version_is_refused_and_left_alone(shop: Shop) -> None:
    shop.refresh()
    with closing(sqlite3.connect(shop.folder / FILE_NAME)) as connection:
        connection.execute("PRAGMA user_version = 77")
    before = (shop.folder / FILE_NAME).read_bytes()
    with pytest.raises(IndexUnusable, match="newer"):
        shop.refresh(rebuild=True)
    assert (shop.folder / FILE_NAME).read_bytes() == before


def test_a_busy_lock_is_told_and_a_lock_that_is_held_is_used(shop: Shop) -> None:
    with WriterLock(shop.folder) as lock:
        with pytest.raises(IndexUnusable, match=f"pid {os.getpid()} since"):
            shop.refresh()
        assert shop.refresh(lock=lock).added == len(FILES)
        assert lock.held


_CHILD = """
import sys
from pathlib import Path
from tools.index.build import refresh
from tools.workspace import Workspace

def stop():
    print("between files", flush=True)
    return False

refresh(Workspace(Path(sys.argv[1])), Path(sys.argv[2]), progress=lambda progress: None, stop=stop)
"""


def test_a_run_that_is_killed_anywhere_leaves_a_consistent_index(shop: Shop) -> None:
    for number in range(30):
        shop.write(f"src/shop/part{number}.py", FILES["src/shop/cart.py"].replace("Cart", f"Part{number}"))
    so_far = 0
    for steps in (3, 12, 20, 11):
        child = subprocess.Popen(
            [sys.executable, "-c", _CHILD, str(shop.root), str(shop.folder)],
            stdout=subprocess.PIPE,
            text=True,
        )
        with child:
            assert child.stdout is not None
            for _ in range(steps):
                child.stdout.readline()
            child.kill()
        require_consistent(shop.folder)
        with shop.catalog() as catalog:
            assert len(catalog.files()) >= so_far
            so_far = len(catalog.files())
    assert shop.refresh().stopped == ""
    shop.require_whole()
