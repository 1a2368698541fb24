"""What commands print with `--json`: one document each, named and versioned by `schema`.

The shapes are promised by the JSON Schemas in `tui/schemas/`, which tests hold against real output. A key that is
optional there stands in a document only when it has something to say. A removed or changed key is a new version.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeAlias

from agent.answer import Answer, Citation, Claim, LinesCitation, Searched, TestRunCitation
from tools.errors import UserError
from tui.exits import ExitCode

if TYPE_CHECKING:
    from tools.index.search import Found, SearchOutcome

Document: TypeAlias = dict[str, Any]


def answer_document(answer: Answer) -> Document:
    """`codewitness.answer/1`."""
    index = answer.index
    return {
        "schema": "codewitness.answer/1",
        "question": answer.question,
        "status": answer.status,
        "backend": {"name": answer.backend.name, "model": answer.backend.model},
        "observed": [_claim(claim) for claim in answer.observed],
        "recommendations": [_claim(claim) for claim in answer.recommendations],
        "steps": list(answer.steps),
        "files_to_review": [asdict(file) for file in answer.files_to_review],
        "withheld": [asdict(withheld) for withheld in answer.withheld],
        "searched": [_searched(searched) for searched in answer.searched],
        "index": {
            "files": index.files,
            "chunks": index.chunks,
            "vectors_share": index.vectors_share,
            "skipped": index.skipped,
            **_said(notes=list(index.notes)),
        },
        "usage": asdict(answer.usage),
        **_said(notice=answer.notice, budget_spent=answer.budget_spent),
    }


def search_document(query: str, outcome: SearchOutcome, *, explain: bool = False) -> Document:
    """`codewitness.search/1`."""
    return {
        "schema": "codewitness.search/1",
        "query": query,
        "results": [_found(found, explain=explain) for found in outcome.results],
        **_said(notes=list(outcome.notes)),
    }


def error_document(error: UserError, code: ExitCode) -> Document:
    """`codewitness.error/1`."""
    return {
        "schema": "codewitness.error/1",
        "what": error.what,
        "cause": error.cause,
        "hint": error.hint,
        "exit": int(code),
    }


def version_document(version: str, python: str, platform: str) -> Document:
    """`codewitness.version/1`."""
    return {"schema": "codewitness.version/1", "version": version, "python": python, "platform": platform}


def _claim(claim: Claim) -> Document:
    return {"text": claim.text, "citations": [_citation(citation) for citation in claim.citations]}


def _citation(citation: Citation) -> Document:
    if isinstance(citation, LinesCitation):
        said = asdict(citation)
        return {"kind": "lines", **said} if said.pop("moved_from") == "" else {"kind": "lines", **asdict(citation)}
    return {"kind": "test_run" if isinstance(citation, TestRunCitation) else "commit", **asdict(citation)}


def _searched(searched: Searched) -> Document:
    return {
        "tool": searched.tool,
        "arguments": searched.arguments,
        "results": searched.results,
        "truncated": searched.truncated,
        **_said(error=searched.error),
    }


def _found(found: Found, *, explain: bool) -> Document:
    chunk = found.chunk
    return {
        "path": chunk.path,
        "first_line": chunk.first_line,
        "last_line": chunk.last_line,
        "symbol": chunk.qualified_name or chunk.symbol,
        "kind": chunk.kind,
        "language": chunk.language,
        "score": round(found.score, 6),
        "found_by": list(found.found_by),
        **({"signals": dict(found.signals)} if explain else {}),
    }


def _said(**optional: Any) -> Mapping[str, Any]:
    """Only those that are not empty."""
    return {key: value for key, value in optional.items() if value}
