"""`codewitness search`: what the model's own search returns, without a model."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from tui.exits import ExitCode, UsageInvalid
from tui.flags import OF_THE_MODEL, Flags, with_flags_but

if TYPE_CHECKING:
    from rich.text import Text

    from tools.git_log import Commit
    from tools.index.commits import FoundCommit
    from tools.index.search import Found, Query, SearchOutcome
    from tui.console import Output

MOST_LINES = 5


@with_flags_but(*OF_THE_MODEL)
def search(
    flags: Flags,
    query: Annotated[
        list[str],
        typer.Argument(metavar="QUERY", help="Words, a symbol's name, or a question.", show_default=False),
    ],
    language: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only this language (`python`, `tsx`); repeatable."),
    ] = None,
    kind: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KIND",
            help="Only `function`, `method`, `class`, `test`, `documentation`, `commit`…; repeatable.",
        ),
    ] = None,
    path: Annotated[
        list[str] | None, typer.Option(metavar="GLOB", help="Only files like `src/**/*.py`; repeatable.")
    ] = None,
    area: Annotated[
        list[str] | None,
        typer.Option(metavar="AREA", help="Only `source`, `tests`, `docs`, `examples`…; repeatable."),
    ] = None,
    changed_since: Annotated[
        str,
        typer.Option(
            metavar="REV",
            help="Only files that differ from this commit, tag or branch.",
            show_default=False,
        ),
    ] = "",
    last_commit: Annotated[
        bool, typer.Option("--last-commit", help="Say which commit changed each result last.")
    ] = False,
    limit: Annotated[int, typer.Option(min=1, max=100, help="At most this many results.")] = 10,
    explain: Annotated[bool, typer.Option("--explain", help="Say what put each result where it is.")] = False,
) -> ExitCode:
    """Search the index without a model.

    Names, words and meaning together, best first. Exit code 1 when nothing is found.

    Examples:

      codewitness search "how are cookies signed"

      codewitness search get_cookie_domain --area source --explain

      codewitness search "session" --changed-since main --last-commit

      codewitness search "token refresh" --kind commit

      codewitness search "retry" --language python --path "src/**" --json
    """
    from tui.interrupts import Interrupts
    from tui.opening import output_of

    output = output_of(flags)
    asked = _query(" ".join(query), language, kind, path, area, limit=limit, explain=explain)
    with Interrupts(quiet=output.quiet) as interrupts:
        kept = "what is indexed is kept, and the next run goes on from there"
        looked = interrupts.run(
            _looked_up(asked, changed_since, flags, output, last_commit=last_commit), kept=kept
        )
    if output.json:
        from tui.commit_lines import with_commits
        from tui.json_output import search_document

        document = search_document(asked.text, looked.outcome, explain=explain)
        output.document(with_commits(document, looked.commits, looked.last_commits))
    else:
        _print(looked, output, explain=explain)
    if looked.hint:
        output.say(looked.hint, "dim")
    return ExitCode.ANSWERED if looked.outcome.results or looked.commits else ExitCode.NO_EVIDENCE


@dataclass(frozen=True)
class _Looked:
    """What was found."""

    outcome: SearchOutcome
    commits: Sequence[FoundCommit]
    last_commits: Sequence[Commit | None]
    """One for each result, where that was asked for."""
    hint: str
    """What was missed for want of vectors."""


def _query(
    text: str,
    language: list[str] | None,
    kind: list[str] | None,
    path: list[str] | None,
    area: list[str] | None,
    *,
    limit: int,
    explain: bool,
) -> Query:
    from tools.index.areas import AREAS
    from tools.index.chunk import KINDS
    from tools.index.records import Filters
    from tools.index.search import Query

    if not text.strip():
        raise UsageInvalid(
            "there is nothing to search for",
            cause="the query is empty",
            hint='write it behind the command: `codewitness search "session cookie"`',
        )
    _legal("kind", kind or (), KINDS)
    _legal("area", area or (), AREAS)
    filters = Filters(
        language=tuple(language or ()), kind=tuple(kind or ()), path=tuple(path or ()), area=tuple(area or ())
    )
    return Query(text, filters=filters, limit=limit, explain=explain)


def _legal(name: str, asked: Sequence[str], known: Collection[str], where: str = "") -> None:
    """Raises: UsageInvalid for a filter that nothing could pass, which names those that something can."""
    wrong = next((value for value in asked if value not in known), None)
    if wrong is not None:
        raise UsageInvalid(
            f"there is no {name} `{wrong}`{where}",
            cause=f"those there are: {', '.join(sorted(known)) or 'none'}",
            hint=f"give one of them to `--{name}`, or leave it out to search everything",
        )


async def _looked_up(
    query: Query, changed_since: str, flags: Flags, output: Output, *, last_commit: bool
) -> _Looked:
    """What was found: chunks, and commits where the kind `commit` was asked for.

    Raises: UsageInvalid, IndexUnusable, RevisionUnknown.
    """
    from tui.index_lines import vectors_hint
    from tui.opening import opened_session
    from tui.progress import ProgressLine

    progress = ProgressLine(output)
    try:
        async with opened_session(flags, output) as session:
            async for indexing in session.refreshed():
                progress.index(indexing.progress)
            status = session.index_status()
            _legal("language", query.filters.language, status.languages, " in this workspace")
            if changed_since:
                changed = session.changed_since(changed_since)
                query = replace(query, filters=replace(query.filters, changed=changed))
            found = session.find(query)
            commits = session.find_commits(query.text, query.limit) if "commit" in query.filters.kind else ()
            places = [(one.chunk.path, one.chunk.first_line, one.chunk.last_line) for one in found.results]
            newest = list(session.last_commits(places)) if last_commit else ()
            outcome = replace(found, notes=(*session.notes, *found.notes))
            return _Looked(outcome, commits, newest, vectors_hint(status))
    finally:
        progress.clear()


def _print(looked: _Looked, output: Output, *, explain: bool) -> None:
    from itertools import zip_longest

    from tools.show import show_name
    from tui.commit_lines import changed_line, commit_lines

    results = looked.outcome.results
    for number, (found, newest) in enumerate(zip_longest(results, looked.last_commits)):
        if number:
            output.answer()
        for line in _lines(found, explain=explain):
            output.answer(line)
        if looked.last_commits:
            output.answer(changed_line(newest))
    for line in commit_lines(looked.commits):
        output.answer(line)
    if not results and not looked.commits:
        output.answer("Nothing found.")
    for note in looked.outcome.notes:
        output.say(f"note: {show_name(note)}", "dim")


def _lines(found: Found, *, explain: bool) -> list[Text]:
    from rich.text import Text

    from tools.show import show_name
    from tui.plain import quoted_lines

    chunk = found.chunk
    label = show_name(f"{chunk.path}:{chunk.first_line}-{chunk.last_line}")
    name = show_name(chunk.qualified_name or chunk.symbol)
    head = Text.assemble(
        (label, "cyan"), f"  {chunk.kind} {name}".rstrip(), (f"  by {', '.join(found.found_by)}", "dim")
    )
    lines = [head, *quoted_lines(chunk.text, chunk.first_line, most=MOST_LINES)]
    if explain:
        signals = ", ".join(f"{key} {value:.3g}" for key, value in found.signals.items())
        lines.append(Text(f"    score {found.score:.4g}: {show_name(signals)}", "dim"))
    return lines
