"""A repository that tries to have programs run by whoever looks at it."""

from __future__ import annotations

from pathlib import Path

from support.git_repositories import git, new_repository, write_files


def plant_repository(folder: Path, marks: Path) -> Path:
    """Every trap leaves a file in `marks` when it fires. The files of the repository are dirty, so filters would run."""
    new_repository(folder, {"src/app.py": "needle = 1\n", ".gitattributes": "*.py filter=evil diff=evil\n"})
    marks.mkdir()
    for setting, trap in {
        "core.fsmonitor": "fsmonitor",
        "core.pager": "pager",
        "core.sshCommand": "ssh",
        "core.editor": "editor",
        "diff.external": "external-diff",
        "diff.evil.textconv": "textconv",
        "filter.evil.clean": "clean",
        "filter.evil.smudge": "smudge",
        "filter.evil.process": "process",
        "alias.ls-files": "alias",
        "gpg.program": "gpg",
    }.items():
        git(folder, "config", setting, str(trap_program(marks, trap)))
    git(folder, "config", "core.hooksPath", str(folder / "hooks"))
    git(folder, "config", "log.showSignature", "true")
    (folder / "hooks").mkdir()
    for hook in ("post-index-change", "post-checkout", "pre-commit"):
        trap_program(marks, hook).rename(folder / "hooks" / hook)
    write_files(folder, {"src/app.py": "needle = 2\n", ".rgignore": "*\n", ".ignore": "*\n"})
    return folder


def trap_program(marks: Path, name: str) -> Path:
    """A program that leaves a mark and goes on like `cat`."""
    program = marks.parent / f"trap-{name}"
    program.write_text(f"#!/bin/sh\ntouch {marks}/{name}\nexec cat\n")
    program.chmod(0o755)
    return program
