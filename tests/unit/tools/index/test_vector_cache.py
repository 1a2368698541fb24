"""The cache of vectors that all workspaces share."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from tools.index.vector_cache import NAME, VectorCache


def test_vectors_come_back_by_fingerprint_and_text(tmp_path: Path) -> None:
    with closing(VectorCache(tmp_path)) as cache:
        cache.put("e5", {"a": b"1", "b": b"2"})
        assert cache.get("e5", ["a", "b", "c"]) == {"a": b"1", "b": b"2"}
        assert cache.get("other", ["a"]) == {}
        assert len(cache.get("e5", [str(number) for number in range(2_000)])) == 0


def test_the_oldest_are_dropped_first(tmp_path: Path) -> None:
    with closing(VectorCache(tmp_path)) as cache:
        cache.put("e5", {"old": b"1"})
        cache.put("e5", {"new": b"2"})
        assert cache.trim(most=1) == 1
        assert cache.get("e5", ["old", "new"]) == {"new": b"2"}
        assert cache.trim(most=1) == 0


def test_a_damaged_file_is_thrown_away(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"this is no database" * 1_000)
    with closing(VectorCache(tmp_path)) as cache:
        cache.put("e5", {"a": b"1"})
        assert cache.get("e5", ["a"]) == {"a": b"1"}


def test_damage_met_in_the_middle_makes_the_cache_new(tmp_path: Path) -> None:
    with closing(VectorCache(tmp_path)) as cache:
        cache.put("e5", {f"text {number}": bytes(400) for number in range(200)})
    pages = bytearray((tmp_path / NAME).read_bytes())
    pages[8192:] = b"\x99" * len(pages[8192:])
    (tmp_path / NAME).write_bytes(pages)
    with closing(VectorCache(tmp_path)) as cache:
        assert cache.get("e5", [f"text {number}" for number in range(200)]) == {}
        cache.put("e5", {"a": b"1"})
        cache.trim(most=0)
        cache.put("e5", {"b": b"2"})
        assert cache.get("e5", ["b"]) == {"b": b"2"}


def test_where_it_cannot_be_kept_it_holds_nothing_and_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / NAME).mkdir()
    with closing(VectorCache(tmp_path)) as cache:
        cache.put("e5", {"a": b"1"})
        assert cache.get("e5", ["a"]) == {}
        assert cache.trim() == 0


def test_only_the_person_can_read_it(tmp_path: Path) -> None:
    with closing(VectorCache(tmp_path / "data")):
        assert (tmp_path / "data" / NAME).stat().st_mode & 0o077 == 0
