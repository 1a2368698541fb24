"""Bring the index up to date: list, compare, read, parse, put; keywords and symbols, not vectors.

Each file is one transaction, so a run may be stopped or killed anywhere and the next one goes on from there. No
single file stops a run: one that cannot be read or stored is remembered as skipped, with the reason.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, nullcontext
from dataclasses import replace
from pathlib import Path

from tools.errors import WorkspaceInvalid
from tools.index import chunker, words
from tools.index.areas import area_of
from tools.index.catalog import Catalog
from tools.index.catalog_schema import IndexDamaged, set_aside
from tools.index.catalog_write import storable
from tools.index.chunk import Discovery, ParsedFile, Skip
from tools.index.chunk_workers import ChunkWorkers
from tools.index.commits import FOREGROUND_SECONDS, index_commits
from tools.index.discovery import MAX_FILE_BYTES, Stopped, content_skip, discover
from tools.index.freshness import Changes, compare
from tools.index.lock import WriterLock
from tools.index.progress import IndexProgress, IndexReport
from tools.index.records import FileRecord, SkipRecord
from tools.index.turns import note_built
from tools.secrets import RULES_VERSION
from tools.workspace import FileStat, SourceFile, Unreadable, Workspace

MADE_WITH = f"chunks {chunker.VERSION}, masking {RULES_VERSION}, words {words.VERSION}"
_SECONDS_BETWEEN_REPORTS = 0.05
_FIRST = {"source": 0, "scripts": 1, "config": 1, "tests": 2, "examples": 2, "docs": 3}
"""Areas in the order in which people miss them while the first run goes on."""
_NOT_SEEN = FileStat(-1, 0, 0)


def refresh(
    workspace: Workspace,
    folder: Path,
    *,
    progress: Callable[[IndexProgress], None],
    stop: Callable[[], bool],
    rebuild: bool = False,
    lock: WriterLock | None = None,
    max_file_bytes: int = MAX_FILE_BYTES,
    extra_ignores: Sequence[str] = (),
    workers: ChunkWorkers | None = None,
    commit_seconds: float = FOREGROUND_SECONDS,
) -> IndexReport:
    """Let the index in `folder` say what the files of the workspace say now.

    `lock` is the writer lock when the caller holds it already; `workers` are parsers that outlive this run. `rebuild` reads every file again; vectors are kept.
    `commit_seconds`: for the newest commits, behind the files; what is left is done by the next run.
    `stop` is asked between files: what is done stays, and the report says that the run was interrupted.
    Raises: IndexUnusable: the lock is busy, the database is of a newer version, or it cannot be written;
    WorkspaceInvalid when the workspace is no longer there.
    """
    started = time.monotonic()

    def run(*notes: str) -> IndexReport:
        with Catalog.open(folder) as catalog:
            one = _Run(workspace, catalog, workers, progress, stop, max_file_bytes)
            report = replace(one.go(extra_ignores, rebuild=rebuild), notes=(*notes, *catalog.notes))
            if not report.stopped:
                note_built(folder)  # whoever waits for a first index waits for files only
                index_commits(catalog, workspace.root, seconds=commit_seconds, stop=stop)
            return report

    with nullcontext() if lock and lock.held else WriterLock(folder):
        try:
            report = run()
        except IndexDamaged as damage:
            kept_as = set_aside(folder).name
            report = run(
                f"the index was damaged ({damage.cause}) and was built anew; the old one is kept as `{kept_as}`"
            )
    return replace(report, seconds=time.monotonic() - started)


class _Run:
    """One run over the workspace."""

    def __init__(
        self,
        workspace: Workspace,
        catalog: Catalog,
        workers: ChunkWorkers | None,
        progress: Callable[[IndexProgress], None],
        stop: Callable[[], bool],
        max_file_bytes: int,
    ) -> None:
        self._workspace = workspace
        self._catalog = catalog
        self._workers = workers
        self._progress = progress
        self._stop = stop
        self._max_file_bytes = max_file_bytes
        self._skips = catalog.content_skips()
        self._said_at = 0.0

    def go(self, extra_ignores: Sequence[str], *, rebuild: bool) -> IndexReport:
        """List, compare, and do what is to be done."""
        self._say(IndexProgress("listing", 0, 0))
        if rebuild:
            self._catalog.check()
        try:
            discovery = self._discover(extra_ignores)
        except Stopped:
            return IndexReport(stopped="interrupted")
        files = self._catalog.files()
        changes = compare(self._workspace, discovery.paths, files, self._skips, MADE_WITH, reread=rebuild)
        self._catalog.set_skips(discovery)
        self._catalog.touch_files(changes.touched)
        renamed = sum(1 for _ in self._rename(changes))
        removed = sum(path in files for path in self._remove(changes))
        indexed = set(self._index([*changes.added, *changes.changed]))
        self._progress(IndexProgress("done", 1, 1))
        return IndexReport(
            added=len(indexed.intersection(changes.added)),
            changed=len(indexed.intersection(changes.changed)),
            removed=removed,
            renamed=renamed,
            unchanged=changes.unchanged,
            stopped="interrupted" if self._stop() else "",
        )

    def _discover(self, extra_ignores: Sequence[str]) -> Discovery:
        try:
            found = discover(
                self._workspace,
                max_file_bytes=self._max_file_bytes,
                extra_ignores=extra_ignores,
                stop=self._stop,
            )
        except Unreadable as problem:
            raise WorkspaceInvalid(
                f"`{self._workspace.root}` can no longer be listed",
                cause=problem.reason,
                hint="open the workspace again where it is now",
            ) from problem
        unnamed = [Skip(path, "file name is not UTF-8") for path in found.paths if path != storable(path)]
        if not unnamed:
            return found
        paths = tuple(path for path in found.paths if path == storable(path))
        return replace(found, paths=paths, skips=(*found.skips, *unnamed))

    def _rename(self, changes: Changes) -> Iterator[str]:
        for old, record in changes.renamed:
            if self._stop():
                return
            self._catalog.rename_file(old, record.path, record, area_of(record.path))
            yield record.path

    def _remove(self, changes: Changes) -> Iterator[str]:
        for path in changes.removed:
            if self._stop():
                return
            self._catalog.remove_file(path)
            yield path

    def _index(self, paths: Sequence[str]) -> Iterator[str]:
        """Read, parse and put files; yields those that are in the catalog now. Starts no worker for none."""
        if not paths:
            return
        in_order = sorted(paths, key=lambda path: (_FIRST.get(area_of(path), len(_FIRST)), path))
        reading: dict[str, FileRecord] = {}
        with nullcontext(self._workers) if self._workers else closing(ChunkWorkers()) as workers:
            for path, parsed in workers.parse(self._texts(in_order, reading)):
                if self._put(reading.pop(path), parsed):
                    yield path

    def _texts(self, paths: Sequence[str], reading: dict[str, FileRecord]) -> Iterator[tuple[str, str]]:
        """Path and text of each file for the parsers, read when they ask for more."""
        for done, path in enumerate(paths):
            if self._stop():
                return
            self._say(IndexProgress("parsing", done, len(paths), path))
            # The look comes before the bytes, so that an edit in between is seen the next time.
            read_at_ns, there = time.time_ns(), self._workspace.stat(path) or _NOT_SEEN
            source = self._read(path)
            if isinstance(source, SourceFile):
                reading[path] = _record(source, there, read_at_ns)
                yield path, "\n".join(source.lines)
            else:
                self._skip(_skip_record(path, source, there, read_at_ns))

    def _read(self, path: str) -> SourceFile | str:
        """The file, or why it is not indexed."""
        try:
            source = self._workspace.read(path, max_bytes=self._max_file_bytes)
        except Unreadable as problem:
            return problem.reason
        return content_skip(source) or source

    def _put(self, record: FileRecord, parsed: ParsedFile) -> bool:
        try:
            self._catalog.put_file(record, parsed, area_of(record.path))
        except UnicodeEncodeError:  # half a character pair: no database takes it
            self._skip(_skip_record(record.path, "text is not Unicode", record, record.read_at_ns))
            return False
        return True

    def _skip(self, skip: SkipRecord) -> None:
        known = self._skips.get(skip.path)
        if known and (known.reason, known.made_with) == (skip.reason, skip.made_with):
            self._catalog.touch_files([skip])
        else:
            self._catalog.put_skip(skip)

    def _say(self, progress: IndexProgress) -> None:
        now = time.monotonic()
        if now - self._said_at >= _SECONDS_BETWEEN_REPORTS:
            self._said_at = now
            self._progress(progress)


def _record(source: SourceFile, there: FileStat, read_at_ns: int) -> FileRecord:
    return FileRecord(
        path=source.path,
        sha256=source.sha256,
        size=there.size,
        mtime_ns=there.mtime_ns,
        inode=there.inode,
        encoding=source.encoding,
        newline=source.newline,
        n_lines=len(source.lines),
        read_at_ns=read_at_ns,
        made_with=MADE_WITH,
        redactions=source.redactions,
        hidden_characters=source.hidden_characters,
    )


def _skip_record(path: str, reason: str, there: FileStat | FileRecord, read_at_ns: int) -> SkipRecord:
    return SkipRecord(path, reason, there.size, there.mtime_ns, there.inode, read_at_ns, MADE_WITH)
