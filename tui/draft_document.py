"""`codewitness.draft/1`: what `draft-tests --json` prints, by `tui/schemas/draft.schema.json`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from agent.drafting.report import DraftedFile, DraftReport, TargetReport
from tui.json_output import Document, claim_document


def draft_document(report: DraftReport, written: Sequence[str]) -> Document:
    """The whole report; `written`: the files that were put into the workspace."""
    return {
        "schema": "codewitness.draft/1",
        "backend": {"name": report.backend.name, "model": report.backend.model},
        "kept": report.kept,
        "mutants": {"killed": report.killed, "total": report.total},
        "targets": [_target(target) for target in report.targets],
        "files": [_file(file) for file in report.files],
        "patch": report.patch,
        "written": list(written),
        "style": [claim_document(claim) for claim in report.style],
        "command": report.command,
        "isolation": report.isolation,
        "seconds": report.seconds,
        "warnings": list(report.warnings),
    }


def _target(one: TargetReport) -> Document:
    target = one.target
    return {
        "path": target.path,
        "symbol": target.qualified_name,
        "language": target.language,
        "first_line": target.first_line,
        "last_line": target.last_line,
        "outcome": one.outcome,
        "characterisation": one.characterisation,
        "contract": [claim_document(claim) for claim in one.contract],
        "pins": [claim_document(claim) for claim in one.pins],
        "dropped": [{"test": dropped.name, "why": list(dropped.why)} for dropped in one.dropped],
        "mutants": {"killed": one.killed, "total": one.total},
        "survivors": [asdict(survivor) for survivor in one.survivors],
        "untested": list(one.untested),
    }


def _file(file: DraftedFile) -> Document:
    return {
        "path": file.path,
        "text": file.text,
        "replaces": file.before is not None,
        "unfinished": file.unfinished,
        "tests": list(file.tests),
    }
