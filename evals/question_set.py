"""Question sets, and what was predicted for their rows, kept between runs.

Rows name `repo`, `commit` (and `index_root` where only a part is indexed); a corpus folder holds each snapshot as
`<owner+name>@<first 12 of commit>`. An output holds one JSON row for each row of the set. Each carries what it was made
with, so that a run that was stopped goes on, and one with other code begins anew.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import Any

from evals.metrics import Row
from tools.errors import UserError

MADE_WITH = "made_with"


class QuestionSetInvalid(UserError):
    """A question set, or the code it asks about, cannot be read."""


def read_rows(path: Path) -> list[Row]:
    """The rows of a set. Raises: QuestionSetInvalid."""
    try:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        missing = {key for row in rows for key in ("id", "repo", "commit", "kind", "query") if key not in row}
    except (OSError, ValueError, TypeError) as error:
        raise _invalid(path, str(error)) from error
    if missing or not rows:
        raise _invalid(path, f"rows without `{min(missing)}`" if missing else "it holds no rows")
    return rows


def snapshot_of(row: Row) -> tuple[str, str]:
    """The folder of a row's snapshot, and the part of it that is indexed ("" for all)."""
    return f"{row['repo'].replace('/', '+')}@{row['commit'][:12]}", row.get("index_root") or ""


def by_snapshot(rows: Sequence[Row]) -> Iterator[tuple[str, str, list[Row]]]:
    """Folder, indexed part and rows of each snapshot, in order."""
    for (name, root), asked in groupby(sorted(rows, key=snapshot_of), key=snapshot_of):
        yield name, root, list(asked)


def missing_snapshots(rows: Sequence[Row], corpus: Path) -> list[str]:
    """The snapshots that the corpus does not hold."""
    return [name for name, root, _ in by_snapshot(rows) if not (corpus / name / root).is_dir()]


def require_snapshots(rows: Sequence[Row], corpus: Path) -> None:
    """Raises: QuestionSetInvalid when some row's snapshot is not there."""
    if missing := missing_snapshots(rows, corpus):
        raise QuestionSetInvalid(
            f"`{corpus}` does not hold every snapshot that the questions are about",
            cause=f"there is no `{missing[0]}` ({len(missing)} missing in all)",
            hint="lay the snapshots out as `<owner+name>@<first 12 of commit>`, and name their folder with `--corpus`",
        )


def code_digest(*packages: str) -> str:
    """What the program's own packages hold, in twelve letters: other code gives other predictions."""
    digest = hashlib.sha256()
    for package in packages:
        for path in sorted(_sources(files(package))):
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


def _sources(folder: Any) -> Iterator[Path]:
    for each in Path(str(folder)).rglob("*"):
        if each.is_file() and each.suffix not in (".pyc", ".pyo"):
            yield each


def kept_rows(out: Path, made_with: str, asked: Iterable[Row]) -> dict[str, Row]:
    """What an earlier run with the same code has written, by id; none where there is no such run."""
    wanted = {row["id"] for row in asked}
    kept: dict[str, Row] = {}
    for line in out.read_bytes().splitlines() if out.exists() else ():
        try:
            row = json.loads(line)
        except ValueError:  # the line that a crash cut off
            continue
        if isinstance(row, dict) and row.get(MADE_WITH) == made_with and row.get("id") in wanted:
            kept[row["id"]] = row
    return kept


def write_rows(
    out: Path, rows: Sequence[Row], made_with: str, ask: Callable[[Sequence[Row]], Iterable[Row]]
) -> dict[str, Row]:
    """A prediction for each row, by id: kept ones first, then what `ask` gives for the rest, each written at once."""
    kept = kept_rows(out, made_with, rows)
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("w", encoding="utf-8") as file:
        for row in kept.values():
            file.write(json.dumps(row) + "\n")
        for row in ask([row for row in rows if row["id"] not in kept]):
            kept[row["id"]] = row | {MADE_WITH: made_with}
            file.write(json.dumps(kept[row["id"]]) + "\n")
            file.flush()
    return kept


def _invalid(path: Path, cause: str) -> QuestionSetInvalid:
    return QuestionSetInvalid(
        f"the questions of `{path}` cannot be read",
        cause=cause,
        hint="a set has one JSON object a line, with `id`, `repo`, `commit`, `kind`, `query` and `gold`",
    )
