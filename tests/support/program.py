"""The command, run as people run it: a process of its own, or a call where a start of its own shows nothing more.

A process costs one to two seconds of processor time, most of it imports: use `called` unless the start, the streams
or the end are what a test is about.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path

from tui.cli import run

PROGRAM = Path(sys.executable).with_name("codewitness.exe" if sys.platform == "win32" else "codewitness")
PATIENCE_SECONDS = 60


def environment(home: Path, **more: str) -> dict[str, str]:
    """Everything the program inherits; vectors are off unless asked for, since they cost seconds."""
    home.mkdir(exist_ok=True)
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "USERPROFILE": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "CODEWITNESS_INDEX__EMBEDDER": "none",
        "CODEWITNESS_MODEL__BACKEND": "extractive",
        **more,
    }


def codewitness(
    *arguments: str,
    home: Path,
    here: Path,
    stdin: str = "",
    program: Path = PROGRAM,
    variables: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run the command to its end; stdout and stderr apart."""
    return subprocess.run(
        [program, *arguments],
        cwd=here,
        env=environment(home, **(variables or {})),
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE_SECONDS,
        check=False,
    )


def called(
    *arguments: str, home: Path, here: Path, stdin: str = "", variables: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """The same command line, in this process, with the same streams, folder and environment."""
    out, err = (TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    given = TextIOWrapper(BytesIO(stdin.encode()), encoding="utf-8")
    settings = environment(home, **(variables or {}))
    with _replaced(settings, given), chdir(here), redirect_stdout(out), redirect_stderr(err):
        code = run(arguments)
    return subprocess.CompletedProcess(arguments, int(code), _text(out), _text(err))


@contextmanager
def _replaced(variables: Mapping[str, str], stdin: TextIOWrapper) -> Generator[None]:
    kept, kept_stdin = dict(os.environ), sys.stdin
    try:
        os.environ.clear()
        os.environ.update(variables)
        sys.stdin = stdin
        yield
    finally:
        sys.stdin = kept_stdin
        os.environ.clear()
        os.environ.update(kept)


def _text(stream: TextIOWrapper) -> str:
    written = stream.detach()
    written.seek(0)
    return written.read().decode("utf-8")
