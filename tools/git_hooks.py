"""Git hooks of ours: after a merge, a checkout or a rewrite the index is brought up to date, behind git's back.

A hook is a few lines of sh that start the program in the background, cut off from git's streams and environment, and
end at once with success: git is never blocked and never fails. Only files that hold our mark are written or removed;
a person's own hook is left alone, and told the line to add. Hooks lie in the common git folder, so that every worktree
runs them, each for itself. A hooks folder that the configuration names counts only inside the repository and on request.
"""

from __future__ import annotations

import os
import shlex
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from tools.errors import UserError
from tools.git import Repository

HOOKS = ("post-merge", "post-checkout", "post-rewrite")
MARK = "# Made by `codewitness install-hooks`; `codewitness install-hooks --remove` takes it away."
_MOST_BYTES = 64 * 1024

HookState: TypeAlias = Literal["ours", "another's", "missing"]


class HooksElsewhere(UserError):
    """Git looks for hooks in a folder that is not this repository's own."""


@dataclass(frozen=True, slots=True)
class Hook:
    """One hook of the repository."""

    name: str
    path: Path
    state: HookState


@dataclass(frozen=True, slots=True)
class Hooks:
    """The hooks folder of one repository, and the program that the hooks start."""

    folder: Path
    program: tuple[str, ...]

    def look(self) -> list[Hook]:
        """The three hooks as they are."""
        return [Hook(name, self.folder / name, _state(self.folder / name)) for name in HOOKS]

    def install(self) -> list[Hook]:
        """Write those that are missing or ours; the others are left as they are. Returns what is there now."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for hook in self.look():
            if hook.state != "another's":
                _write(hook.path, self.script())
        return self.look()

    def remove(self) -> list[Hook]:
        """Delete those that are ours. Returns what was deleted."""
        ours = [hook for hook in self.look() if hook.state == "ours"]
        for hook in ours:
            hook.path.unlink()
        return ours

    @property
    def line(self) -> str:
        """The line of sh that starts an index run in the background, to be added to a hook of one's own."""
        cleared = "env -u GIT_DIR -u GIT_WORK_TREE -u GIT_INDEX_FILE"
        command = shlex.join((*self.program, "-q", "index", "--no-vectors"))
        return f'({cleared} {command} -C "$(pwd -P)" </dev/null >/dev/null 2>&1 &)'

    def script(self) -> str:
        """A whole hook. A checkout of single files has a third argument of 0 and moves no branch."""
        return f'#!/bin/sh\n{MARK}\n[ "$(basename "$0")" = post-checkout ] && [ "$3" = 0 ] && exit 0\n{self.line}\nexit 0\n'


def hooks_of(repository: Repository, program: tuple[str, ...], named: str, *, accept_named: bool) -> Hooks:
    """The folder in which git looks for this repository's hooks. `named`: what `core.hooksPath` says, or "".

    Raises: HooksElsewhere, where that is outside the repository, or inside it and nobody said to use it.
    """
    own = repository.common_folder / "hooks"
    if not named:
        return Hooks(own, program)
    folder = Path(os.path.realpath(repository.root / Path(named).expanduser()))
    if folder == Path(os.path.realpath(own)):
        return Hooks(own, program)
    inside = any(
        folder.is_relative_to(os.path.realpath(one)) for one in (repository.root, repository.common_folder)
    )
    line = Hooks(folder, program).line
    if not inside:
        raise HooksElsewhere(
            "no hook was installed",
            cause=f"`core.hooksPath` leads git to `{folder}`, outside this repository",
            hint=f"add this line to the hooks there yourself: {line}",
        )
    if not accept_named:
        raise HooksElsewhere(
            "no hook was installed",
            cause=f"`core.hooksPath` leads git to `{folder}`, which may be shared with others",
            hint=f"give `--hooks-path` to write there, or add this line to the hooks yourself: {line}",
        )
    return Hooks(folder, program)


def _state(path: Path) -> HookState:
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return "another's"
        with path.open("rb") as file:
            return "ours" if MARK.encode() in file.read(_MOST_BYTES) else "another's"
    except FileNotFoundError:
        return "missing"
    except OSError:
        return "another's"


def _write(path: Path, script: str) -> None:
    """Whole or not at all, beside the file first: git may run it meanwhile."""
    beside = path.with_name(f".{path.name}.codewitness")
    beside.write_text(script, encoding="utf-8", newline="\n")
    beside.chmod(0o755)
    beside.replace(path)


def told(hooks: Hooks, found: list[Hook]) -> Iterator[str]:
    """How the hooks stand, a line each; with the line to add where another's hook is in the way."""
    words = {
        "ours": "indexes in the background",
        "another's": "is somebody's own and was left alone",
        "missing": "is not installed",
    }
    yield from (f"{hook.name}: {words[hook.state]}" for hook in found)
    if any(hook.state == "another's" for hook in found):
        yield f"to have your own hook do the same, add this line to it: {hooks.line}"
