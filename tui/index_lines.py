"""The index in words: what a run did, how it stands, which there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agent.watching import described
from tools.index.file_state import FileState
from tools.index.location import IndexFolder, Pruned
from tools.index.progress import IndexReport, IndexStatus
from tools.show import show_name
from tui.amounts import PIECES_PER_SECOND, about, many

MOST_BY_LINES = 10
ENOUGH_VECTORS = 0.95
"""Above this share search by meaning misses too little to speak of."""


def report_lines(report: IndexReport, status: IndexStatus) -> list[str]:
    """What an index run did, and what there is now."""
    early = f"; stopped early ({report.stopped}), what is done is kept" if report.stopped else ""
    done = described(report) or "nothing to do"
    return [
        f"{done} in {report.seconds:.1f} s{early}",
        f"{_extent(status)}, {status.vectors_share:.0%} of them with vectors",
        *(f"note: {show_name(note)}" for note in report.notes),
    ]


def vectors_hint(status: IndexStatus) -> str:
    """What search by meaning misses for want of vectors, and how long they would take; "" where it misses little."""
    missing = status.chunks - status.vectors
    if status.embedder.startswith("none") or not missing or status.vectors_share >= ENOUGH_VECTORS:
        return ""
    share = f"{max(0.01, missing / status.chunks):.0%} of the code" if status.vectors else "the code"
    took = about(missing / PIECES_PER_SECOND)
    if status.writer:
        return f"search by meaning is off for {share}; it is being indexed now ({show_name(status.writer)})"
    verb = "the rest" if status.vectors else "the vectors for it"
    return f"search by meaning is off for {share}: `codewitness index` computes {verb} ({took}, once)"


def file_line(state: FileState) -> str:
    """What `index --explain` tells of one file."""
    if state.left_out:
        return f"`{state.path}` is not indexed: {state.left_out}"
    line = (
        f"`{state.path}` is indexed"
        if state.in_index
        else f"`{state.path}` is not indexed yet: `codewitness index`, or the next question, does it"
    )
    if state.by_lines:
        line += f", cut by lines instead of by syntax: {state.by_lines}"
    if state.fault_line:
        line += f"; its syntax is broken from line {state.fault_line} on, so names near there may be missing"
    return line


def status_lines(status: IndexStatus) -> list[str]:
    """Everything that `index --status` tells."""
    lines = [
        f"workspace    {show_name(status.workspace)}",
        f"index        {show_name(status.folder)} ({megabytes(status.bytes_on_disk)})",
        f"files        {status.files} in {many(status.chunks, 'piece')}, {many(status.definitions, 'definition')}",
        f"vectors      {status.vectors} of {many(status.chunks, 'piece')} ({status.vectors_share:.0%}), {show_name(status.embedder)}",
        f"updated      {status.updated_at or 'never'}",
    ]
    if status.listed_by:
        lines.append(f"listed by    {show_name(status.listed_by)}")
    if status.writer:
        lines.append(f"written now  {show_name(status.writer)}")
    lines += _counted("languages", status.languages)
    lines += _counted("skipped", status.skipped)
    lines += _counted("masked", status.redactions)
    lines += _by_lines(status.by_lines)
    return [*lines, *(f"note: {show_name(note)}" for note in status.notes)]


def index_lines(indexes: Sequence[IndexFolder]) -> list[str]:
    """The indexes on this machine, one a line."""
    return [
        f"{show_name(index.workspace)}  {megabytes(index.bytes_on_disk)}, updated {index.updated_at or 'never'}"
        f"{'' if index.present else '  (the workspace is gone)'}"
        for index in indexes
    ] or ["there is no index on this machine"]


def pruned_lines(pruned: Pruned) -> list[str]:
    """What pruning did."""
    return [
        *(f"deleted the index of {show_name(index.workspace)}" for index in pruned.removed),
        *(f"left alone, being written: {show_name(index.workspace)}" for index in pruned.busy),
        f"deleted {many(len(pruned.removed), 'index', 'indexes')} of workspaces that are gone,"
        f" and {many(pruned.vectors, 'vector')} of texts that are gone",
    ]


def megabytes(count: int) -> str:
    """Bytes as people read them."""
    return f"{count / 1e6:.1f} MB"


def _counted(title: str, counts: Mapping[str, int]) -> list[str]:
    if not counts:
        return []
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [f"{title:<12} " + ", ".join(f"{show_name(name)} {count}" for name, count in ordered)]


def _by_lines(files: Mapping[str, str]) -> list[str]:
    if not files:
        return []
    shown = [f"  {show_name(path)}: {show_name(why)}" for path, why in list(files.items())[:MOST_BY_LINES]]
    more = [f"  … {len(files) - MOST_BY_LINES} more"] if len(files) > MOST_BY_LINES else []
    head = f"{many(len(files), 'file is', 'files are')} cut by lines instead of by syntax:"
    return [head, *shown, *more]


def _extent(status: IndexStatus) -> str:
    return f"{many(status.files, 'file')} in {many(status.chunks, 'piece')}"
