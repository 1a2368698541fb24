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
    from collections.abc import Sequence
    from pathlib import Path

    from agent.recheck import Rechecked
    from tools.index.location import IndexFolder, Pruned
    from tools.index.progress import IndexReport, IndexStatus
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
        "observed": [claim_document(claim) for claim in answer.observed],
        "recommendations": [claim_document(claim) for claim in answer.recommendations],
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


def verify_document(checked: Sequence[Rechecked], *, holds: bool) -> Document:
    """`codewitness.verify/1`."""
    return {
        "schema": "codewitness.verify/1",
        "holds": holds,
        "citations": [
            {
                "claim": citation.claim,
                "label": citation.label,
                "verdict": citation.verdict,
                **_said(now=citation.now, reason=citation.reason),
            }
            for citation in checked
        ],
    }


def index_document(*, status: IndexStatus, report: IndexReport | None = None) -> Document:
    """`codewitness.index/1`: how the index stands, and what a run did to it."""
    said = asdict(status)
    head = {"workspace": said.pop("workspace"), "folder": said.pop("folder")}
    return {
        "schema": "codewitness.index/1",
        **head,
        "status": {**said, "vectors_share": round(status.vectors_share, 4)},
        **({"report": asdict(report)} if report is not None else {}),
    }


def explanation_document(root: Path, folder: Path, path: str, why: str) -> Document:
    """`codewitness.index/1`, for one path."""
    return {
        "schema": "codewitness.index/1",
        "workspace": str(root),
        "folder": str(folder),
        "explanation": {"path": path, "why": why},
    }


def deletion_document(root: Path, folder: Path, *, deleted: bool = True) -> Document:
    """`codewitness.index/1`, after its deletion, or where there was nothing to delete."""
    return {
        "schema": "codewitness.index/1",
        "workspace": str(root),
        "folder": str(folder),
        "deleted": deleted,
    }


def indexes_document(indexes: Sequence[IndexFolder], pruned: Pruned | None = None) -> Document:
    """`codewitness.indexes/1`: all there are, after what pruning removed."""
    told: Document = {"schema": "codewitness.indexes/1", "indexes": [_index(index) for index in indexes]}
    if pruned is not None:
        told["pruned"] = {
            "removed": [_index(index) for index in pruned.removed],
            "busy": [_index(index) for index in pruned.busy],
            "vectors": pruned.vectors,
        }
    return told


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


def claim_document(claim: Claim) -> Document:
    """A statement with its citations."""
    return {"text": claim.text, "citations": [_citation(citation) for citation in claim.citations]}


def _citation(citation: Citation) -> Document:
    if isinstance(citation, LinesCitation):
        said = asdict(citation)
        return (
            {"kind": "lines", **said}
            if said.pop("moved_from") == ""
            else {"kind": "lines", **asdict(citation)}
        )
    if isinstance(citation, TestRunCitation):
        return {"kind": "test_run", **asdict(citation)}
    said = asdict(citation)
    return {"kind": "commit", **said, **_said(text=said.pop("text"))}


def _searched(searched: Searched) -> Document:
    return {
        "tool": searched.tool,
        "arguments": searched.arguments,
        "results": searched.results,
        "truncated": searched.truncated,
        **_said(error=searched.error, reranked=searched.reranked),
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


def _index(index: IndexFolder) -> Document:
    return {**asdict(index), "folder": str(index.folder)}


def _said(**optional: Any) -> Mapping[str, Any]:
    """Only those that are not empty."""
    return {key: value for key, value in optional.items() if value}
