"""`codewitness install-hooks`: git brings the index up to date by itself, after a merge, a checkout or a rewrite."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tui.exits import ExitCode, UsageInvalid
from tui.flags import OF_THE_MODEL, Flags, with_flags_but

if TYPE_CHECKING:
    from tools.git_hooks import Hooks


@with_flags_but(*OF_THE_MODEL)
def install_hooks(
    flags: Flags,
    remove: Annotated[bool, typer.Option("--remove", help="Take our hooks away again.")] = False,
    status: Annotated[bool, typer.Option("--status", help="Only say which hooks there are.")] = False,
    hooks_path: Annotated[
        bool,
        typer.Option(
            "--hooks-path", help="Write where `core.hooksPath` leads, if that is inside the repository."
        ),
    ] = False,
) -> ExitCode:
    """Let git keep the index up to date in the background.

    Three hooks are written into the repository: post-merge, post-checkout and post-rewrite. They start an index run
    behind git's back, so git never waits and never fails; vectors are left to `codewitness index`. A hook of your own
    is never changed: you are told the line to add to it. Every worktree of the repository indexes itself.

    Examples:

      codewitness install-hooks

      codewitness install-hooks --status

      codewitness install-hooks --remove
    """
    from tools.git_hooks import told
    from tui.opening import output_of, workspace_of

    if remove and status:
        raise UsageInvalid(
            "`--remove` and `--status` cannot go together",
            cause="each does one thing",
            hint="give one of them",
        )
    output = output_of(flags)
    hooks = _hooks(workspace_of(flags, output), accept_named=hooks_path)
    if remove:
        removed = hooks.remove()
        lines = [f"{hook.name}: removed" for hook in removed] or ["no hook here is ours"]
    else:
        lines = list(told(hooks, hooks.look() if status else hooks.install()))
    if output.json:
        states = {hook.name: hook.state for hook in hooks.look()}
        output.document({"schema": "codewitness.hooks/1", "folder": str(hooks.folder), "hooks": states})
    else:
        for line in lines:
            output.answer(line)
    return ExitCode.ANSWERED


def _hooks(root: Path, *, accept_named: bool) -> Hooks:
    """Raises: UsageInvalid without a repository, HooksElsewhere."""
    from tools.git import NotARepository, open_repository
    from tools.git_hooks import hooks_of

    try:
        repository = open_repository(root)
        named = repository.named_hooks_folder(Path.home())
    except NotARepository as reason:
        raise UsageInvalid(
            "there is no repository to install hooks in",
            cause=reason.reason or f"`{root}` holds no `.git`",
            hint="run it at the top of a git repository, or name one with `-C`",
        ) from None
    return hooks_of(repository, _program(), named, accept_named=accept_named)


def _program() -> tuple[str, ...]:
    """This very program, by its full path: a hook runs with whatever PATH git was started with."""
    beside = Path(sys.executable).with_name("codewitness.exe" if sys.platform == "win32" else "codewitness")
    return (str(beside),) if beside.is_file() else (sys.executable, "-P", "-m", "tui.cli")
