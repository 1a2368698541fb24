"""Paths that someone may have meant: for a path or glob that holds no indexed file."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from tools.evidence_text import path_text


def did_you_mean(path: str, known: Iterable[str]) -> str:
    """A sentence that names up to three known paths close to `path`, or ""."""
    near = near_paths(path, known)
    return f" Did you mean {' or '.join(f'`{path_text(one)}`' for one in near)}?" if near else ""


def near_paths(path: str, known: Iterable[str], limit: int = 3) -> list[str]:
    """Known paths with the same file name first, then with a similar name, nearest path first."""
    by_name: dict[str, list[str]] = {}
    for one in known:
        by_name.setdefault(PurePosixPath(one).name.lower(), []).append(one)
    path = re.sub(r":\d+(?:-\d+)?$", "", path)  # a citation's `path:41-52`, given as a path
    name = PurePosixPath(path).name.lower()
    near: list[str] = []
    for close in [name, *difflib.get_close_matches(name, by_name, n=limit, cutoff=0.75)]:
        alike = sorted(by_name.pop(close, []), key=lambda one: (-_likeness(one, path), one))
        near.extend(alike)
    return near[:limit]


def _likeness(one: str, other: str) -> float:
    return difflib.SequenceMatcher(None, one, other).ratio()
