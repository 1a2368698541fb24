"""`codewitness index`: build the index, follow the workspace, look at what is there, delete it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tui.exits import ExitCode, UsageInvalid
from tui.flags import OF_THE_MODEL, OF_THE_WORKSPACE, Flags, keep, with_flags_but

if TYPE_CHECKING:
    from agent.session import Session
    from tools.index.progress import IndexReport
    from tui.console import Output

app = typer.Typer(rich_markup_mode=None)


@dataclass(frozen=True, slots=True)
class Work:
    """What one `index` run is to do."""

    vectors: bool = True
    seconds: float | None = None
    rebuild: bool = False


@app.callback(invoke_without_command=True)
@with_flags_but(*OF_THE_MODEL)
def index(
    flags: Flags,
    context: typer.Context,
    watch: Annotated[
        bool, typer.Option("--watch", help="Stay, and follow every change until Ctrl-C.")
    ] = False,
    status: Annotated[
        bool, typer.Option("--status", help="Only say what is indexed, what is skipped and why.")
    ] = False,
    explain: Annotated[
        str | None,
        typer.Option(metavar="PATH", help="Only say why this file is or is not indexed.", show_default=False),
    ] = None,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Read every file again; vectors of unchanged text are kept.")
    ] = False,
    delete: Annotated[
        bool, typer.Option("--delete", help="Only delete this workspace's index and its saved conversations.")
    ] = False,
    no_vectors: Annotated[
        bool, typer.Option("--no-vectors", help="Names and words only; search by meaning has to wait.")
    ] = False,
    seconds: Annotated[
        float | None,
        typer.Option(
            min=0, metavar="N", help="Spend at most N seconds on vectors; the rest is kept for next time."
        ),
    ] = None,
) -> ExitCode:
    """Build this workspace's index, or bring it up to date.

    Not needed before a question: `ask` and `search` update names and words themselves, which takes seconds, and
    go by them at once. What this adds are the vectors, for search by meaning: 5 to 9 short pieces of code a second
    of one core, so 10,000 pieces take some 25 minutes. That happens once: a vector is kept until its text changes,
    and equal text in another workspace shares it. Stopping is safe at any moment, and the next run goes on where
    it ended. The index lies in your own data folder, never in the workspace.

    Examples:

      codewitness index

      codewitness index --seconds 60

      codewitness index --watch

      codewitness index --explain src/generated/api.py
    """
    if context.invoked_subcommand is not None:
        keep(context, flags)
        return ExitCode.ANSWERED
    _one_at_most(watch=watch, status=status, explain=explain is not None, delete=delete, rebuild=rebuild)
    work = Work(vectors=not no_vectors, seconds=seconds, rebuild=rebuild)
    if status:
        return _with_session(flags, _print_status, looking_only=True)
    if explain is not None:
        task = partial(_explain, path=explain, given_workspace=flags.directory is not None)
        return _with_session(flags, task, looking_only=True)
    if delete:
        return _with_session(flags, _delete, looking_only=True)
    if watch:
        return _with_session(flags, lambda session, output: _watch(session, output, work))
    return _with_session(flags, lambda session, output: _build(session, output, work))


@app.command("list")
@with_flags_but(*OF_THE_MODEL, *OF_THE_WORKSPACE)
def list_all(flags: Flags) -> ExitCode:
    """List the indexes of all workspaces on this machine."""
    from tools.index.location import list_indexes
    from tui.index_lines import index_lines
    from tui.json_output import indexes_document
    from tui.opening import output_of, settings_of

    output = output_of(flags)
    indexes = list_indexes(settings_of(flags).settings.data_folder)
    _tell(output, indexes_document(indexes), index_lines(indexes))
    return ExitCode.ANSWERED


@app.command("prune")
@with_flags_but(*OF_THE_MODEL, *OF_THE_WORKSPACE)
def prune_all(flags: Flags) -> ExitCode:
    """Delete what is left of workspaces and texts that are gone.

    That is the whole index of a workspace that is no longer there, and in the others the vectors of text that no
    file holds any more.
    """
    from tools.index.location import list_indexes, prune
    from tui.index_lines import pruned_lines
    from tui.json_output import indexes_document
    from tui.opening import output_of, settings_of

    output = output_of(flags)
    data_folder = settings_of(flags).settings.data_folder
    pruned = prune(data_folder)
    _tell(output, indexes_document(list_indexes(data_folder), pruned), pruned_lines(pruned))
    return ExitCode.ANSWERED


def _one_at_most(**asked: bool) -> None:
    named = [f"`--{name}`" for name, wanted in asked.items() if wanted]
    if len(named) > 1:
        raise UsageInvalid(
            f"{' and '.join(named)} cannot go together",
            cause="each of them is a task of its own",
            hint="run them one after the other",
        )


def _with_session(
    flags: Flags, task: Callable[[Session, Output], ExitCode], *, looking_only: bool = False
) -> ExitCode:
    from tui.opening import opened_session, output_of

    output = output_of(flags)

    async def run() -> ExitCode:
        async with opened_session(flags, output, looking_only=looking_only) as session:
            return task(session, output)

    return asyncio.run(run())


def _build(session: Session, output: Output, work: Work) -> ExitCode:
    from tui.index_lines import report_lines
    from tui.interrupts import Interrupts
    from tui.json_output import index_document
    from tui.progress import ProgressLine

    progress = ProgressLine(output)
    try:
        with Interrupts(quiet=output.quiet) as interrupts:
            report = session.refresh(progress.index, interrupts.requested, rebuild=work.rebuild)
            if work.vectors and not report.stopped:
                report = _with_vectors(session, report, progress.index, interrupts.requested, work.seconds)
            interrupted = interrupts.requested()
    finally:
        progress.clear()
    status = session.index_status()
    _tell(output, index_document(report=report, status=status), report_lines(report, status))
    return ExitCode.INTERRUPTED if interrupted else ExitCode.ANSWERED


def _with_vectors(
    session: Session,
    report: IndexReport,
    progress: Callable[[Any], None],
    stop: Callable[[], bool],
    seconds: float | None,
) -> IndexReport:
    """The report with what the vectors added to it; an embedder that cannot work is a note, not a failure."""
    from tools.index.embedder import EmbedderUnavailable

    try:
        filled = session.fill_vectors(progress, stop, seconds=seconds)
    except EmbedderUnavailable as why:
        note = f"no vectors, so search goes by names and words: {why.cause}; {why.hint}"
        return replace(report, notes=(*report.notes, note))
    return replace(
        report,
        embedded=filled.embedded,
        reused=filled.reused,
        seconds=report.seconds + filled.seconds,
        stopped=filled.stopped,
        notes=(*report.notes, *filled.notes),
    )


def _watch(session: Session, output: Output, work: Work) -> ExitCode:
    from agent.watching import Watching
    from tui.interrupts import Interrupts
    from tui.json_output import index_document
    from tui.progress import ProgressLine

    progress = ProgressLine(output)
    try:
        with Interrupts(quiet=output.quiet) as interrupts:
            output.say("following every change; Ctrl-C ends it")
            Watching(
                session,
                progress=progress.index,
                stop=interrupts.requested,
                say=progress.line,
                vectors=work.vectors,
            ).run()
    finally:
        progress.clear()
    if output.json:
        output.document(index_document(status=session.index_status()))
    else:
        output.say("stopped; what is indexed is kept")
    return ExitCode.INTERRUPTED


def _print_status(session: Session, output: Output) -> ExitCode:
    from tui.index_lines import status_lines
    from tui.json_output import index_document

    status = session.index_status()
    _tell(output, index_document(status=status), status_lines(status))
    return ExitCode.ANSWERED


def _explain(session: Session, output: Output, *, path: str, given_workspace: bool) -> ExitCode:
    from tools.show import show_name
    from tui.index_lines import file_line
    from tui.json_output import explanation_document
    from tui.place import current_folder

    root = session.workspace.root
    meant = path if given_workspace else as_typed_here(path, root, current_folder())
    state = session.file_state(meant)
    why = file_line(state)
    _tell(output, explanation_document(root, session.folder, meant, why), [show_name(why)])
    return ExitCode.ANSWERED if state.exists else ExitCode.NO_EVIDENCE


def as_typed_here(path: str, root: Path, here: Path) -> str:
    """The path as the shell means it, relative to the folder one stands in; else as the workspace's own."""
    typed = Path(os.path.normpath(here.resolve() / path))
    if typed.is_relative_to(root) and (os.path.lexists(typed) or not os.path.lexists(root / path)):
        return typed.relative_to(root).as_posix()
    return path


def _delete(session: Session, output: Output) -> ExitCode:
    from tools.index.location import delete_index
    from tui.json_output import deletion_document

    if not session.folder.is_dir():
        _tell(
            output,
            deletion_document(session.workspace.root, session.folder, deleted=False),
            ["there was no index of this workspace"],
        )
        return ExitCode.ANSWERED
    delete_index(session.folder)
    _tell(
        output,
        deletion_document(session.workspace.root, session.folder),
        ["deleted the index of this workspace and its saved conversations"],
    )
    return ExitCode.ANSWERED


def _tell(output: Output, document: dict[str, Any], lines: list[str]) -> None:
    if output.json:
        output.document(document)
        return
    for line in lines:
        output.answer(line)
