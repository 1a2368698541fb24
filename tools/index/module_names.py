"""What a module is called by those who import it, compared across languages by its last parts.

`from ..sessions import x`, `import flask.sessions`, `./sessions.js` and `use crate::sessions` all name something
whose last part is `sessions`; which one is meant is decided by as many parts as both sides give.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

_SEPARATOR = re.compile(r"[/\\]|::|\.")
_SUFFIX = re.compile(
    r"\.(?:py|pyi|[cm]?[jt]sx?|vue|svelte|json|css|scss|h|hh|hpp|c|cc|cpp|rb|php|lua|sh|proto|dart|ex|exs|zig|hs|ml)$"
)
_FOLDER_MODULES = {"__init__", "index", "mod", "lib", "main", "init"}
"""Files that stand for the folder they are in."""
_NOT_NAMES = {"", "crate", "self", "super", "*"}


def module_parts(module: str) -> list[str]:
    """`..sessions` → [sessions], `./lib/util.js` → [lib, util], `std::fs` → [std, fs]."""
    trimmed = _SUFFIX.sub("", module.strip().strip("\"'<>;"))
    return [part for part in _SEPARATOR.split(trimmed) if part not in _NOT_NAMES]


def module_of_path(path: str) -> list[str]:
    """The parts by which the file at `path` can be imported."""
    pure = PurePosixPath(path)
    folders = list(pure.parent.parts)
    stem = pure.name.split(".", 1)[0] or pure.name
    return folders if stem in _FOLDER_MODULES and folders else [*folders, stem]


def tail(parts: list[str]) -> str:
    """The last part, lower case, or ""."""
    return parts[-1].lower() if parts else ""


def same_module(one: list[str], other: list[str]) -> bool:
    """Whether the shorter of the two is the end of the longer."""
    shared = min(len(one), len(other))
    return shared > 0 and one[-shared:] == other[-shared:]
