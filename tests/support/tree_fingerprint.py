"""Everything about a tree of files that must be the same after somebody has only looked at it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

_READ_BELOW_BYTES = 1_000_000


def tree_fingerprint(root: Path) -> dict[str, tuple[object, ...]]:
    """Path → mode, size, time and content, links not followed."""
    return dict(_looks(root))


def _looks(folder: Path) -> Iterator[tuple[str, tuple[object, ...]]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            path, seen = Path(entry.path), entry.stat(follow_symlinks=False)
            held: object = path.readlink() if entry.is_symlink() else ""
            if entry.is_file(follow_symlinks=False) and seen.st_size < _READ_BELOW_BYTES:
                held = hashlib.sha256(path.read_bytes()).hexdigest()
            yield entry.path, (seen.st_mode, seen.st_size, seen.st_mtime_ns, held)
            if entry.is_dir(follow_symlinks=False):
                yield from _looks(path)
