"""The catalog: the one truth about the workspace's files, chunks, symbols, keywords and vectors (sqlite3, WAL).

Writers hold the writer lock (`lock.py`) and change one file per transaction, so a run that is killed loses at most
the file it was at. Readers need no lock. One Catalog belongs to one thread at a time. Every database error leaves
here as `IndexUnusable`; `IndexDamaged` says that only building anew helps.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.index import (
    catalog_chunks,
    catalog_commits,
    catalog_keywords,
    catalog_symbols,
    catalog_vectors,
    catalog_write,
)
from tools.index.catalog_commits import IndexedCommit
from tools.index.catalog_filters import selection
from tools.index.catalog_schema import (
    cannot,
    check_pages,
    is_corruption,
    now,
    open_for_reading,
    open_for_writing,
    this_process,
    unreadable_row,
)
from tools.index.chunk import Discovery, ParsedFile
from tools.index.records import (
    ColumnWeights,
    FileRecord,
    Filters,
    SkipRecord,
    StoredChunk,
    StoredDefinition,
    StoredImport,
    StoredReference,
)

_EVERYTHING = Filters()
_USUAL_WEIGHTS = ColumnWeights()


class Catalog:
    """One open connection to the catalog of one workspace."""

    def __init__(self, connection: sqlite3.Connection, folder: Path, notes: tuple[str, ...]) -> None:
        self._connection = connection
        self._folder = folder
        self._unclean = False
        """The database says that we are writing."""
        self._damaged = False
        self.notes = notes
        """What happened while opening that a person should be told."""

    @classmethod
    def open(cls, folder: Path, *, read_only: bool = False) -> Catalog:
        """Open the catalog in `folder`; for writing it is created where it is missing, and repaired.

        Raises: IndexUnusable.
        """
        if read_only:
            return cls(open_for_reading(folder), folder, ())
        connection, note = open_for_writing(folder)
        return cls(connection, folder, (note,) if note else ())

    def close(self) -> None:
        """Close it, and if it wrote and met no damage, say that it ended well."""
        try:
            if self._unclean and not self._damaged:
                with suppress(sqlite3.Error):  # what cannot be said is asked at the next opening
                    self._connection.execute("UPDATE state SET writing = ''")
        finally:
            self._connection.close()

    def __enter__(self) -> Catalog:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Writing

    def check(self) -> None:
        """Look at the whole database. Raises: IndexDamaged."""
        with self._guarded("read") as connection:
            check_pages(connection)
            catalog_keywords.check(connection)

    def put_file(self, record: FileRecord, parsed: ParsedFile, area: str) -> None:
        """Put a file in place of what was at its path."""
        with self._transaction() as connection:
            catalog_write.put_file(connection, record, parsed, area)

    def rename_file(self, old: str, new: str, record: FileRecord, area: str) -> None:
        """Let the same bytes be at another path: nothing is parsed or embedded again."""
        assert record.path == new
        with self._transaction() as connection:
            catalog_write.rename_file(connection, old, record, area)

    def remove_file(self, path: str) -> None:
        """Forget a path, indexed or skipped."""
        with self._transaction() as connection:
            catalog_write.remove_file(connection, path)

    def touch_files(self, records: Sequence[FileRecord | SkipRecord]) -> None:
        """Note how files look on disk now whose bytes have not changed. No reader has to look again."""
        if records:
            with self._transaction(counts=False) as connection:
                catalog_write.touch_files(connection, records)

    def put_skip(self, skip: SkipRecord) -> None:
        """Remember a file whose content is not indexed, in place of what was at its path."""
        with self._transaction() as connection:
            catalog_write.put_skip(connection, skip)

    def set_skips(self, discovery: Discovery) -> None:
        """Replace what discovery left out; nothing is written when nothing differs."""
        skips = {catalog_write.storable(skip.path): skip.reason for skip in discovery.skips}
        known = dict(self._rows("SELECT path, reason FROM listed_skips"))
        if skips != known or discovery.listed_by != self.listed_by():
            with self._transaction() as connection:
                catalog_write.set_skips(connection, discovery)

    def put_vectors(self, fingerprint: str, items: Sequence[tuple[str, bytes]]) -> None:
        """Keep float32 vectors by the hash of the embedded text, in one transaction."""
        with self._transaction() as connection:
            catalog_vectors.put(connection, fingerprint, items)

    def prune_vectors(self) -> int:
        """Remove vectors whose text is gone and give the space back; how many there were."""
        with self._transaction(counts=False) as connection:
            removed = catalog_vectors.prune(connection)
        if removed:
            with self._guarded("write") as connection:
                connection.execute("VACUUM")
        return removed

    # Files and chunks

    def files(self) -> dict[str, FileRecord]:
        """Every indexed file by its path, in order."""
        with self._guarded("read") as connection:
            return catalog_chunks.files(connection)

    def file(self, path: str) -> FileRecord | None:
        """One indexed file."""
        with self._guarded("read") as connection:
            return catalog_chunks.file(connection, path)

    def content_skips(self) -> dict[str, SkipRecord]:
        """Files whose content is not indexed, by path."""
        with self._guarded("read") as connection:
            return catalog_chunks.content_skips(connection)

    def chunks_by_id(self, ids: Iterable[int]) -> dict[int, StoredChunk]:
        """The chunks that still exist, by id."""
        with self._guarded("read") as connection:
            return catalog_chunks.by_id(connection, ids)

    def chunk_at(self, path: str, line: int) -> StoredChunk | None:
        """The chunk that a line of a file is in."""
        with self._guarded("read") as connection:
            return catalog_chunks.at_line(connection, path, line)

    def chunks_of(self, path: str) -> list[StoredChunk]:
        """The chunks of a file, in order."""
        with self._guarded("read") as connection:
            return catalog_chunks.of_file(connection, path)

    def chunk_ids(self, filters: Filters) -> NDArray[np.int64]:
        """Ids of the chunks that pass the filters, ascending."""
        with self._guarded("read") as connection:
            among, parameters = selection(connection, filters)
            rows = connection.execute(
                f"{among or 'SELECT id FROM chunks'} ORDER BY id", parameters
            ).fetchall()
        return np.fromiter((row[0] for row in rows), np.int64, len(rows))

    def chunk_count(self, filters: Filters = _EVERYTHING) -> int:
        """How many chunks there are."""
        with self._guarded("read") as connection:
            among, parameters = selection(connection, filters)
            return connection.execute(
                f"SELECT count(*) FROM ({among or 'SELECT id FROM chunks'})", parameters
            ).fetchone()[0]

    # Keywords

    def keyword_search(
        self,
        terms: Mapping[str, float],
        filters: Filters = _EVERYTHING,
        limit: int = 50,
        columns: ColumnWeights = _USUAL_WEIGHTS,
    ) -> list[tuple[int, float]]:
        """The best chunks that hold any of the terms (term → weight, from `words.terms`): (id, score), best first."""
        with self._guarded("read") as connection:
            among, parameters = selection(connection, filters)
            return catalog_keywords.search(connection, terms, columns, limit, among, parameters)

    def document_frequency(self, terms: Iterable[str], filters: Filters = _EVERYTHING) -> dict[str, int]:
        """In how many chunks each term occurs, of those that pass the filters."""
        with self._guarded("read") as connection:
            among, parameters = selection(connection, filters)
            if not among:
                return catalog_keywords.document_frequency(connection, terms)
            return {
                term: catalog_keywords.count_matches(connection, term, among, parameters) for term in terms
            }

    def terms_held(self, ids: Iterable[int]) -> dict[int, frozenset[str]]:
        """The terms that can be found in each chunk that still exists, by id."""
        with self._guarded("read") as connection:
            return catalog_keywords.terms_held(connection, ids)

    def terms_of_area(self, terms: Iterable[str], area: str) -> frozenset[str]:
        """Those of the terms that occur in some file of an area."""
        with self._guarded("read") as connection:
            return catalog_keywords.terms_of_area(connection, terms, area)

    def areas(self) -> frozenset[str]:
        """The areas that indexed files belong to."""
        return frozenset(row[0] for row in self._rows("SELECT DISTINCT area FROM files"))

    # Symbols

    def definitions(self, name: str, *, exact_case: bool = True) -> list[StoredDefinition]:
        """Definitions of a name, or of the end of a qualified name (`Session.get`, `Session::get`)."""
        with self._guarded("read") as connection:
            return catalog_symbols.definitions(connection, name, exact_case=exact_case)

    def names_starting(self, start: str, limit: int = 20) -> list[StoredDefinition]:
        """One definition for each name that starts so, whatever the case, the shortest names first."""
        with self._guarded("read") as connection:
            return catalog_symbols.names_starting(connection, start, limit)

    def definitions_in(self, path: str) -> list[StoredDefinition]:
        """Definitions of a file in the order of their lines, the outer before the inner."""
        with self._guarded("read") as connection:
            return catalog_symbols.definitions_in(connection, path)

    def enclosing(self, path: str, line: int) -> StoredDefinition | None:
        """The innermost definition that a line is in."""
        with self._guarded("read") as connection:
            return catalog_symbols.enclosing(connection, path, line)

    def references(self, name: str, kinds: Sequence[str] | None = None) -> list[StoredReference]:
        """Uses of a name, by path and line."""
        with self._guarded("read") as connection:
            return catalog_symbols.references(connection, name, kinds)

    def references_in(self, path: str, first_line: int, last_line: int) -> list[StoredReference]:
        """What the lines of a file use, in order."""
        with self._guarded("read") as connection:
            return catalog_symbols.references_in(connection, path, first_line, last_line)

    def imports_of(self, path: str) -> list[StoredImport]:
        """The imports of a file, in order."""
        with self._guarded("read") as connection:
            return catalog_symbols.imports_of(connection, path)

    def importers_of(self, module: str) -> list[StoredImport]:
        """Imports of a module by its name or the end of it, as far as both sides spell it out."""
        with self._guarded("read") as connection:
            return catalog_symbols.importers_of(connection, module)

    # Vectors

    def vectors(self, fingerprint: str) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Ids (n,) and vectors (n, dimension) of all chunks that have one of this embedder."""
        with self._guarded("read") as connection:
            return catalog_vectors.load(connection, fingerprint)

    def vector_counts(self) -> dict[str, int]:
        """Embedder fingerprint → chunks that have its vector."""
        with self._guarded("read") as connection:
            return catalog_vectors.counts(connection)

    def texts_without_vector(self, fingerprint: str, limit: int) -> list[tuple[str, str]]:
        """(hash, embedded text) still to do: sources, tests, docs; the most imported first; each text once."""
        with self._guarded("read") as connection:
            return catalog_vectors.texts_without(connection, fingerprint, limit)

    # Commits

    def put_commits(self, commits: Sequence[IndexedCommit]) -> None:
        """Add commits, in one transaction. Nothing that is searched for code changes by it."""
        with self._transaction(counts=False) as connection:
            catalog_commits.put(connection, commits)

    def keep_commits(self, shas: Sequence[str], head: str, made_with: str) -> None:
        """Forget all commits but these, and note up to which one they are whole."""
        with self._transaction(counts=False) as connection:
            catalog_commits.keep(connection, shas, head, made_with)

    def forget_commits(self) -> None:
        """Forget every commit."""
        with self._transaction(counts=False) as connection:
            catalog_commits.forget(connection)

    def commit_state(self) -> tuple[str, str]:
        """Up to which commit they are whole, and what they were indexed with."""
        with self._guarded("read") as connection:
            return catalog_commits.state(connection)

    def commit_shas(self) -> frozenset[str]:
        """The ids of the indexed commits."""
        with self._guarded("read") as connection:
            return catalog_commits.shas(connection)

    def newest_commits(self, limit: int) -> list[IndexedCommit]:
        """The newest of them."""
        with self._guarded("read") as connection:
            return catalog_commits.newest(connection, limit)

    def commits_by_id(self, ids: Iterable[int]) -> dict[int, IndexedCommit]:
        """Commits by the ids of `commits_holding`."""
        with self._guarded("read") as connection:
            return catalog_commits.by_id(connection, ids)

    def commits_holding(self, alternatives: Sequence[Sequence[str]]) -> dict[str, frozenset[int]]:
        """Ids of the commits that hold all terms of any of the alternatives, by column: subject, paths, body."""
        with self._guarded("read") as connection:
            return catalog_commits.holding(connection, alternatives)

    # State

    def change_count(self) -> int:
        """A number that is different whenever something that is searched has changed."""
        return self._rows("SELECT changes FROM state")[0][0]

    def listed_by(self) -> str:
        """How discovery got its list the last time."""
        return self._rows("SELECT listed_by FROM state")[0][0]

    def updated_at(self) -> str:
        """When something that is searched last changed, ISO 8601, or ""."""
        return self._rows("SELECT updated_at FROM state")[0][0]

    def definition_count(self) -> int:
        """How many definitions there are."""
        return self._rows("SELECT count(*) FROM definitions")[0][0]

    def skip_counts(self) -> dict[str, int]:
        """Reason → files left out for it."""
        every = "SELECT reason FROM listed_skips UNION ALL SELECT reason FROM content_skips"
        return dict(
            self._rows(
                f"SELECT reason, count(*) FROM ({every}) GROUP BY reason ORDER BY count(*) DESC, reason"
            )
        )

    def _rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        with self._guarded("read") as connection:
            return connection.execute(sql, parameters).fetchall()

    @contextmanager
    def _guarded(self, do: str) -> Generator[sqlite3.Connection]:
        try:
            yield self._connection
        except sqlite3.Error as error:
            self._damaged = self._damaged or is_corruption(error)
            raise cannot(do, self._folder, error) from error
        except (ValueError, TypeError, AttributeError) as error:
            if do != "read":
                raise
            raise unreadable_row(self._folder, error) from error

    @contextmanager
    def _transaction(self, *, counts: bool = True) -> Generator[sqlite3.Connection]:
        """All or nothing. The first thing it writes is who writes, for the case that we die (`catalog_schema`)."""
        with self._guarded("write") as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                connection.execute("UPDATE state SET writing = ?", (this_process(),))
                if counts:
                    connection.execute("UPDATE state SET changes = changes + 1, updated_at = ?", (now(),))
                yield connection
                connection.execute("COMMIT")
                self._unclean = True
            except BaseException:
                if connection.in_transaction:  # a full disk has already rolled it back
                    connection.execute("ROLLBACK")
                raise
