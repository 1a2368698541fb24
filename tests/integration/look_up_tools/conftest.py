"""The shop, indexed once: read by most tests, copied for those that change it."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.indexed import IndexedWorkspace, build_index, indexed, write_files
from support.shop import FILES


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[IndexedWorkspace]:
    """Read only."""
    folder = tmp_path_factory.mktemp("shop")
    write_files(folder / "work", FILES)
    build_index(folder / "work", folder / "data")
    with indexed(folder / "work", folder / "data") as opened:
        yield opened


@pytest.fixture(scope="session")
def small_shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small_shop")
    few = ("src/shop/cookies.py", "src/shop/sessions.py", "src/shop/app.py")
    write_files(folder / "work", {path: FILES[path] for path in few})
    build_index(folder / "work", folder / "data")
    return folder


@pytest.fixture
def own_shop(small_shop: Path, tmp_path: Path) -> Iterator[IndexedWorkspace]:
    """Three files of the shop that a test may change behind the index's back."""
    shutil.copytree(small_shop, tmp_path / "own")
    with indexed(tmp_path / "own" / "work", tmp_path / "own" / "data") as opened:
        yield opened
