"""`codewitness search`: what the model's own search returns, without a model."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from tui.exits import ExitCode, UsageInvalid
from tui.flags import OF_THE_MODEL, Flags, with_flags_but

if TYPE_CHECKING:
    from rich.text import Text

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
            metavar="KIND", help="Only `function`, `method`, `class`, `test`, `documentation`…; repeatable."
        ),
    ] = None,
    path: Annotated[
        list[str] | None, typer.Option(metavar="GLOB", help="Only files like `src/**/*.py`; repeatable.")
    ] = None,
    area: Annotated[
        list[str] | None,
        typer.Option(metavar="AREA", help="Only `source`, `tests`, `docs`, `examples`…; repeatable."),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=100, help="At most this many results.")] = 10,
    explain: Annotated[bool, typer.Option("--explain", help="Say what put each result where it is.")] = False,
) -> ExitCode:
    """Search the index without a model.

    Names, words and meaning together, best first. Exit code 1 when nothing is found.

    Examples:

      codewitness search "how are cookies signed"

      codewitness search get_cookie_domain --area source --explain

      codewitness search "retry" --language python --path "src/**" --json
    """
    from tui.interrupts import Interrupts
    from tui.opening import output_of

    output = output_of(flags)
    asked = _query(" ".join(query), language, kind, path, area, limit=limit, explain=explain)
    with Interrupts(quiet=output.quiet) as interrupts:
        kept = "what is indexed is kept, and the next run goes on from there"
        outcome, hint = interrupts.run(_outcome(asked, flags, output), kept=kept)
    if output.json:
        from tui.json_output import search_document

        output.document(search_document(asked.text, outcome, explain=explain))
    else:
        _print(outcome, output, explain=explain)
    if hint:
        output.say(hint, "dim")
    return ExitCode.ANSWERED if outcome.results else ExitCode.NO_EVIDENCE


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


async def _outcome(query: Query, flags: Flags, output: Output) -> tuple[SearchOutcome, str]:
    """What was found, and what was missed for want of vectors.

    Raises: UsageInvalid, IndexUnusable.
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
            found = session.find(query)
            return replace(found, notes=(*session.notes, *found.notes)), vectors_hint(status)
    finally:
        progress.clear()


def _print(outcome: SearchOutcome, output: Output, *, explain: bool) -> None:
    from tools.show import show_name

    for number, found in enumerate(outcome.results):
        if number:
            output.answer()
        for line in _lines(found, explain=explain):
            output.answer(line)
    if not outcome.results:
        output.answer("Nothing found.")
    for note in outcome.notes:
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
