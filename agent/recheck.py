"""Checks an old answer against today's tree: each citation holds, has moved, is stale or is gone.

The quoted text is what counts: where it stands at its lines it holds, where it stands elsewhere in the file once
it moved, else it is stale. A file that cannot be read is gone. A commit holds while the repository has it, else it is
gone. A test run is the record of a moment: it is reported as `unchecked`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

from agent.citations import commit_problem, locate
from tools.errors import UserError
from tools.workspace import Unreadable, Workspace

Verdict: TypeAlias = Literal["holds", "moved", "stale", "gone", "unchecked"]
SCHEMA = "codewitness.answer/1"


class AnswerInvalid(UserError):
    """The document is no answer that can be checked."""


@dataclass(frozen=True, slots=True)
class Rechecked:
    """One citation of an old answer, looked at again."""

    claim: str
    label: str
    """What was cited: `path:41-52`, or the commit or test run."""
    verdict: Verdict
    now: str = ""
    """Where the text stands today (`path:45-56`), when it moved."""
    reason: str = ""


def recheck(document: Mapping[str, Any], workspace: Workspace) -> list[Rechecked]:
    """Every citation of the answer, in order.

    Raises: AnswerInvalid when the document is not a `codewitness.answer/1`.
    """
    if document.get("schema") != SCHEMA:
        raise _invalid(f"its `schema` is {document.get('schema')!r}, not `{SCHEMA}`")
    return [_check(claim, citation, workspace) for claim, citation in _citations(document)]


def _citations(document: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for part in ("observed", "recommendations"):
        for claim in _objects(document.get(part, []), part):
            text = claim.get("text")
            if not isinstance(text, str):
                raise _invalid(f"a claim in `{part}` has no text")
            citations = _objects(claim.get("citations", []), f"{part}.citations")
            if not citations:
                raise _invalid(f"a claim in `{part}` has no citation")
            yield from ((text, citation) for citation in citations)


def _objects(value: object, name: str) -> Sequence[Mapping[str, Any]]:
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in cast(list[object], value)):
        raise _invalid(f"`{name}` is not a list of objects")
    return cast(list[Mapping[str, Any]], value)


def _check(claim: str, citation: Mapping[str, Any], workspace: Workspace) -> Rechecked:
    if citation.get("kind") == "test_run":
        name = str(citation.get("command") or "")
        return Rechecked(claim, name, "unchecked", reason="a run of tests is not repeated")
    if citation.get("kind") == "commit":
        return _check_commit(claim, citation, workspace)
    path, first, last, text = (citation.get(key) for key in ("path", "first_line", "last_line", "text"))
    if citation.get("kind") != "lines":
        raise _invalid(f"a citation is of the kind {citation.get('kind')!r}, which there is not")
    if not (isinstance(path, str) and type(first) is int and type(last) is int and isinstance(text, str)):
        raise _invalid("a citation of lines lacks `path`, `first_line`, `last_line` or `text`")
    wanted = text.split("\n")
    label = _label(path, first, last)
    if first < 1 or last - first + 1 != len(wanted):
        raise _invalid(f"the citation `{label}` does not quote {last - first + 1} lines")
    try:
        source = workspace.read(path)
    except Unreadable as problem:
        return Rechecked(claim, label, "gone", reason=problem.reason)
    found = locate(source, wanted, first, unchanged=False)
    if found is None:
        return Rechecked(claim, label, "stale", reason=_why_stale(source.lines, wanted))
    if found == first:
        return Rechecked(claim, label, "holds")
    return Rechecked(claim, label, "moved", now=_label(source.path, found, found + len(wanted) - 1))


def _check_commit(claim: str, citation: Mapping[str, Any], workspace: Workspace) -> Rechecked:
    sha, subject, date = (str(citation.get(key) or "") for key in ("sha", "subject", "date"))
    problem = commit_problem(workspace, sha, subject, date)
    return Rechecked(claim, f"commit {sha[:10]}", "gone" if problem else "holds", reason=problem)


def _why_stale(lines: Sequence[str], wanted: Sequence[str]) -> str:
    starts = (index for index, line in enumerate(lines) if line == wanted[0])
    times = sum(list(lines[index : index + len(wanted)]) == list(wanted) for index in starts)
    if times:
        return f"the quoted lines are not where they were, and {times} times elsewhere in the file"
    return "the quoted lines are not in the file any more"


def _label(path: str, first: int, last: int) -> str:
    return f"{path}:{first}" if first == last else f"{path}:{first}-{last}"


def _invalid(cause: str) -> AnswerInvalid:
    return AnswerInvalid(
        "this is not an answer that can be checked",
        cause=cause,
        hint="give a file that `codewitness ask --json` wrote",
    )
