"""A watch on a real repository that is switched, rebased, flooded and deleted; and several processes on one index."""

from __future__ import annotations

import json
import queue
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.git_repositories import git, new_repository, write_files
from support.program import PROGRAM, called, environment

from agent.session import open_session
from agent.settings import load_settings
from agent.watching import Watching
from tools.errors import UserError, WorkspaceInvalid
from tools.index.catalog import Catalog

PATIENCE_SECONDS = 60
MANY = 2_000


class Watched:
    """A watch in a thread of its own, and what its index holds."""

    def __init__(self, root: Path, data: Path) -> None:
        settings = load_settings({"index.embedder": "none", "index.data_folder": str(data)}, {}).settings
        self.root = root
        self.error: UserError | None = None
        self._said: queue.Queue[str] = queue.Queue()
        self._stop = threading.Event()
        self._session = open_session(settings, root)
        self.folder = self._session.folder
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        try:
            Watching(
                self._session,
                progress=lambda _: None,
                stop=self._stop.is_set,
                say=self._said.put,
                vectors=False,
            ).run()
        except UserError as error:
            self.error = error

    def until(self, files: set[str] | None = None, names: dict[str, str] | None = None) -> None:
        """Wait until exactly these files are indexed, and these names are defined in these files."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not self._holds(files, names):
            assert time.monotonic() < end, (self._files(), self.error)
            assert self.error is None
            self._wait_for_word()

    def ended(self) -> UserError | None:
        self._thread.join(PATIENCE_SECONDS)
        assert not self._thread.is_alive()
        return self.error

    async def close(self) -> None:
        self._stop.set()
        self._thread.join(PATIENCE_SECONDS)
        await self._session.aclose()

    def _wait_for_word(self) -> None:
        """Until it says that something changed; it may have said so before we looked."""
        try:
            self._said.get(timeout=0.5)
        except queue.Empty:
            return

    def _holds(self, files: set[str] | None, names: dict[str, str] | None) -> bool:
        try:
            with Catalog.open(self.folder, read_only=True) as catalog:
                there = set(catalog.files())
                found = {name: [one.path for one in catalog.definitions(name)] for name in names or {}}
        except UserError:
            return False  # not made yet
        return (files is None or there == files) and all(
            found[name] == [path] for name, path in (names or {}).items()
        )

    def _files(self) -> object:
        try:
            with Catalog.open(self.folder, read_only=True) as catalog:
                return sorted(catalog.files())[:20]
        except UserError as error:
            return error


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = new_repository(
        tmp_path / "work", {"a.py": "def on_main(): ...\n", "lib/b.py": "def helper(): ...\n"}
    )
    git(root, "switch", "-q", "-c", "side")
    git(root, "rm", "-q", "-r", "lib")
    write_files(root, {"a.py": "def on_side(): ...\n", "deep/er/c.py": "def deeper(): ...\n"})
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "side")
    git(root, "switch", "-q", "main")
    return root


@pytest.fixture
async def watched(root: Path, tmp_path: Path):
    watched = Watched(root, tmp_path / "data")
    watched.until({"a.py", "lib/b.py"})
    yield watched
    await watched.close()


async def test_it_follows_switches_between_branches_and_a_rebase(watched, root) -> None:
    for _ in range(2):
        git(root, "switch", "-q", "side")
        watched.until({"a.py", "deep/er/c.py"}, {"on_side": "a.py", "deeper": "deep/er/c.py"})
        git(root, "switch", "-q", "main")
        watched.until({"a.py", "lib/b.py"}, {"on_main": "a.py", "helper": "lib/b.py"})
    write_files(root, {"main.py": "def new_on_main(): ...\n"})
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "main goes on")
    git(root, "switch", "-q", "side")
    git(root, "rebase", "-q", "main")
    watched.until({"a.py", "deep/er/c.py", "main.py"}, {"on_side": "a.py", "new_on_main": "main.py"})


@pytest.mark.slow
async def test_it_follows_thousands_of_changes_at_once(watched, root) -> None:
    write_files(root, {f"many/part{at % 40}/m{at}.py": f"many_{at} = {at}\n" for at in range(MANY)})
    names = {f"many_{at}": f"many/part{at % 40}/m{at}.py" for at in (0, MANY // 2, MANY - 1)}
    watched.until(names=names)
    shutil.rmtree(root / "many")
    watched.until({"a.py", "lib/b.py"})


async def test_it_ends_with_a_clear_word_when_its_root_is_deleted(watched, root) -> None:
    shutil.rmtree(root)
    assert isinstance(watched.ended(), WorkspaceInvalid)


# -- several processes -----------------------------------------------------------------------------------------


@pytest.fixture
def watcher(root: Path, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    command = [str(PROGRAM), "index", "--watch", "--no-vectors"]
    variables = environment(tmp_path / "home")
    with subprocess.Popen(command, cwd=root, env=variables, stderr=subprocess.PIPE, text=True) as process:
        yield process
        process.terminate()


@pytest.mark.slow
def test_a_watch_and_three_questions_at_once_never_fail_and_see_a_change_soon(
    watcher, root, tmp_path
) -> None:
    home = tmp_path / "home"
    variables = environment(home)
    for turn in range(2):
        write_files(root, {f"turn{turn}.py": f"def made_in_turn_{turn}(): ...\n"})
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", f"turn {turn}")
        asked = [str(PROGRAM), "ask", "--json", "where is on_main defined?"]
        questions = [
            subprocess.Popen(
                asked, cwd=root, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
            for _ in range(3)
        ]
        for question in questions:
            out, err = question.communicate(timeout=PATIENCE_SECONDS)
            assert question.returncode == 0, err
            answer = json.loads(out)
            assert answer["status"] == "answered"
            assert answer["observed"][0]["citations"][0]["path"] == "a.py"
        end = time.monotonic() + PATIENCE_SECONDS
        found: list[str] = []
        while found[:1] != [f"turn{turn}.py"]:
            assert time.monotonic() < end, found
            done = called("search", f"made_in_turn_{turn}", "--json", home=home, here=root)
            assert done.returncode in (0, 1), done.stderr
            found = [one["path"] for one in json.loads(done.stdout)["results"]]
    assert watcher.poll() is None
