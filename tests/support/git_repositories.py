"""Real git repositories for tests, made without the person's own git settings."""

from __future__ import annotations

import subprocess
from pathlib import Path

ENVIRONMENT = {
    "PATH": "/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin",
    "HOME": "/nonexistent",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@localhost",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@localhost",
}


def git(folder: Path, *arguments: str, stdin: str = "", committed_at: str = "") -> str:
    """Run git there and return what it said. `committed_at`: commits of one second have no order of their own."""
    argv = ["git", "-c", "protocol.file.allow=always", *arguments]
    moment = {"GIT_COMMITTER_DATE": committed_at} if committed_at else {}
    done = subprocess.run(
        argv, cwd=folder, env=ENVIRONMENT | moment, input=stdin, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def new_repository(folder: Path, files: dict[str, str] | None = None) -> Path:
    """A repository on branch `main` with these files in its first commit."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q", "-b", "main")
    write_files(folder, files or {})
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", "first")
    return folder


def write_files(folder: Path, files: dict[str, str]) -> None:
    """Write texts by their paths, folders included."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
