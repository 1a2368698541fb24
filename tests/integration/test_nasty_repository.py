"""The installed command over a repository of everything that is known to break tools that read code."""

import json
import os
import pty
import re
import sqlite3
import subprocess
from collections import Counter

import pytest
from support.nasty_repository import MANY_FILES, plant_nasty_repository
from support.program import PROGRAM, called, environment
from support.tree_fingerprint import tree_fingerprint

from tools.index.discovery import content_skip, discover
from tools.workspace import Unreadable, Workspace

PATIENCE_SECONDS = 120
HARMLESS = re.compile(rb"\x1b\[[0-9;]*m|\x1b\[\?25[lh]|\x1b\[[0-9]*[AK]|\x1b\[[0-9]*G|\r")
RAW = re.compile(
    rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8b\x8e\x8f\xaa-\xae]|\xf3\xa0[\x80\x81]"
)
"""What acts on a terminal or cannot be seen there: C0, C1, zero width, direction changes, tags."""


class Visit:
    """Everything that the command said about one planted repository, and the place where it wrote."""

    def __init__(self, folder, *, heavy=False):
        self.planted = plant_nasty_repository(folder, heavy=heavy)
        self.before = tree_fingerprint(self.planted.root)
        self.home = folder / "home"
        self.said = []
        self._variables = {
            "RIPGREP_CONFIG_PATH": str(self.planted.root / ".ripgreprc"),
            "PATH": os.pathsep.join(("", ".", str(self.planted.root / "bin"), os.environ["PATH"])),
        }

    def run(self, *arguments, codes=(0,)):
        """In a pipe, from inside the repository."""
        done = called(*arguments, home=self.home, here=self.planted.root, variables=self._variables)
        self.said += [done.stdout.encode(), done.stderr.encode()]
        assert done.returncode in codes, (arguments, done.stdout, done.stderr)
        return done.stdout

    def document(self, *arguments, codes=(0,)):
        """With `--json`: the one document, in plain ASCII."""
        written = self.run(*arguments, "--json", codes=codes)
        assert written.isascii()
        return json.loads(written)

    def on_a_terminal(self, *arguments, codes=(0,)):
        """What reaches a real terminal."""
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            [PROGRAM, *arguments],
            cwd=self.planted.root,
            env=environment(self.home, **self._variables) | {"TERM": "xterm-256color", "COLUMNS": "100"},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
        )
        os.close(theirs)
        seen = b"".join(_blocks(ours))
        os.close(ours)
        self.said.append(HARMLESS.sub(b"", seen))
        assert process.wait(PATIENCE_SECONDS) in codes, seen
        return seen

    def written(self):
        """Every file below the home folder, by its path."""
        return {path: path.read_bytes() for path in self.home.rglob("*") if path.is_file()}


def _blocks(descriptor):
    while True:
        try:
            block = os.read(descriptor, 65536)
        except OSError:  # Linux's way to say that the other side is closed
            return
        if not block:
            return
        yield block


@pytest.fixture(scope="module")
def visit(tmp_path_factory):
    """One visit, for all tests of this module."""
    visit = Visit(tmp_path_factory.mktemp("nasty"))
    visit.built = visit.document("index")
    visit.status = visit.document("index", "--status")
    visit.run("index", "--status")
    visit.on_a_terminal("search", "landing", "--limit", "100", "-v")
    visit.found = visit.document("search", "landing_site", "--limit", "100")
    visit.on_a_terminal("ask", "Where is `landing_site` defined?", "-v")
    visit.run("ask", "What is the value of SERVICE_TOKEN, db_password and KEY?", "-v", codes=(0, 1))
    visit.run("ask", "What do `<|im_start|>system` and [/b] [@click=x] do?", "-v", codes=(0, 1))
    visit.answer = visit.document("ask", "Where is `landing_site` defined?")
    saved = visit.home / "answer.json"
    saved.write_text(json.dumps(visit.answer))
    visit.verified = visit.document("verify", str(saved))
    visit.on_a_terminal("index", "--explain", "names/new\nline.py")
    visit.run("index", "--explain", "links/out.py")
    return visit


def test_it_is_as_nasty_as_this_file_system_allows(visit):
    names = Counter(visit.planted.cases)
    assert len(names) >= 300
    assert max(names.values()) == 1


def test_nothing_that_is_planted_fires(visit):
    assert list(visit.planted.marks.iterdir()) == []


def test_the_repository_is_the_same_afterwards(visit):
    after = tree_fingerprint(visit.planted.root)
    assert {path for path in after | visit.before if after.get(path) != visit.before.get(path)} == set()


def test_no_escape_and_nothing_invisible_is_printed(visit):
    assert [RAW.findall(text)[:5] for text in visit.said if RAW.search(text)] == []


def test_no_secret_is_printed_or_written_anywhere(visit):
    places = visit.written() | dict(enumerate(visit.said))
    assert any(str(path).endswith("catalog.db") for path in places)
    for secret in (*visit.planted.secrets, visit.planted.outside):
        spellings = {
            form.encode(coding) for form in (secret, secret.lower()) for coding in ("utf-8", "utf-16-le")
        }
        assert [str(place) for place, held in places.items() if any(one in held for one in spellings)] == []


def test_what_is_written_is_for_this_user_alone(visit):
    data = visit.home / "data" / "codewitness"
    for path in (data, *data.rglob("*")):
        assert path.stat().st_mode & 0o077 == 0 or data not in (path, path.parent), path


def test_the_file_that_was_asked_for_is_found_and_the_answer_verifies(visit):
    assert "hostile/escapes.py" in {result["path"] for result in visit.found["results"]}
    assert visit.answer["status"] in ("answered", "partial")
    assert visit.verified["holds"] is True


def test_every_file_is_indexed_or_counted_with_a_reason(visit):
    workspace = Workspace(visit.planted.root)
    listing = discover(workspace)
    everything = {
        str(path.relative_to(visit.planted.root))
        for path in visit.planted.root.rglob("*")
        if path.is_symlink() or path.is_file()
    }
    accounted = {*listing.paths, *(skip.path for skip in listing.skips)}
    missing = {
        path
        for path in everything - accounted
        if not path.startswith((".git/", "nested/inner/", "elsewhere/"))
    }
    assert missing == set()
    counts = Counter(skip.reason for skip in listing.skips)
    for path in listing.paths:
        try:
            reason = content_skip(workspace.read(path))
        except Unreadable as problem:
            reason = problem.reason
        if any("\udc80" <= character <= "\udcff" for character in path):
            reason = "file name is not UTF-8"
        counts.update([reason] if reason else [])
    workspace.close()
    status = visit.status["status"]
    assert status["files"] + sum(status["skipped"].values()) == len(accounted)
    assert {name: count for name, count in status["skipped"].items() if counts[name] != count} == {}


def test_the_catalog_is_sound(visit):
    (database,) = visit.home.rglob("catalog.db")
    connection = sqlite3.connect(database)
    assert connection.execute("PRAGMA quick_check").fetchone() == ("ok",)
    connection.close()


@pytest.mark.slow
def test_thousands_of_files_and_an_endless_line_are_taken_in_too(tmp_path):
    visit = Visit(tmp_path, heavy=True)
    built = visit.document("index")
    assert built["report"]["added"] >= MANY_FILES
    assert visit.document("index", "--status")["status"]["skipped"]["too large"] >= 2
    assert visit.document("index")["report"]["added"] == 0
