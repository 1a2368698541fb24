"""Where in the workspace the frames of a report are: paths of another machine, a container or a build folder included.

A path is the file of the index that shares the longest end with it; of several, the one that defines the function and
holds the quoted line. A line is where the quoted text stands now. What belongs to a library, an installed package or
a runtime is told apart, unless it is an installed copy of a file of this workspace.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from agent.traces.report import Failure, Frame, Report
from tools.index.catalog import Catalog
from tools.index.records import StoredDefinition
from tools.workspace import Unreadable, Workspace

MAX_FRAMES = 60
"""Different frames of one failure that are looked for; a deep recursion repeats few."""

_SCHEME = re.compile(
    r"^(?:file|webpack|webpack-internal|vite|ng|app):/{1,3}(?:\(?[\w@-]+\)?/(?=\.{1,2}/|src/))?"
)
_INSTALLED = re.compile(
    r"(?:^|/)(?:site-packages|dist-packages|node_modules|\.cargo/registry/src/[^/]+|cargo/registry/src/[^/]+|pkg/mod)/(?P<rest>.+)$"
)
_RUNTIME = re.compile(
    r"^(?:node:|internal/|<frozen|<|native |java/|javax/|jdk/|sun/|kotlin/|scala/)"
    r"|(?:^|/)(?:lib(?:64)?/python\d[\d.]*|usr/local/go/src|go/src/runtime|rustc/[0-9a-f]{8,}|lib/rustlib/src)/"
)
_SCRIPTS = ("ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "vue", "svelte")
_SIBLINGS: Mapping[str, tuple[str, ...]] = dict.fromkeys(("js", "mjs", "cjs", "jsx", "ts", "tsx"), _SCRIPTS)
"""What a compiled file may have been before."""


@dataclass(frozen=True, slots=True)
class Located:
    """One frame, with where it is in the workspace."""

    frame: Frame
    path: str = ""
    """"" where it is outside."""
    line: int = 0
    """Where the frame's statement stands now."""
    function: str = ""
    """Qualified name of the innermost definition around it, or ""."""
    first_line: int = 0
    last_line: int = 0
    """Of that definition; of a few lines around where there is none."""
    is_test: bool = False
    moved: bool = False
    """The quoted line was found elsewhere than at the number written."""
    certain: bool = True
    """False when the file no longer holds the line that is quoted."""

    @property
    def inside(self) -> bool:
        return bool(self.path)


@dataclass(frozen=True, slots=True)
class Case:
    """A report with the frames of its decisive failure located, the outermost first."""

    report: Report
    frames: tuple[Located, ...]

    @property
    def inside(self) -> tuple[Located, ...]:
        """The frames in the workspace."""
        return tuple(frame for frame in self.frames if frame.inside)


_LINES_AROUND = 12


@dataclass(frozen=True, slots=True)
class _Candidate:
    path: str
    shared: int
    """How many parts, from the end, it has in common with the path as written."""
    is_whole: bool
    """The written path ends with all of it, or it with all that was written."""


class FrameFinder:
    """Finds frames in one workspace, by its index."""

    def __init__(self, workspace: Workspace, catalog: Catalog) -> None:
        self._workspace = workspace
        self._catalog = catalog
        self._read: dict[str, Sequence[str]] = {}

    def case(self, report: Report) -> Case:
        """The report with its decisive failure's frames located, each once."""
        failure = report.decisive
        frames = list(dict.fromkeys(_with_outer(report, failure)))[-MAX_FRAMES:] if failure else []
        located = tuple(map(self.locate, frames))
        if not any(one.inside for one in located):
            others = dict.fromkeys(frame for one in report.failures for frame in one.frames)
            located += tuple(self.locate(frame) for frame in [*others][:MAX_FRAMES] if frame not in frames)
        return Case(report, located)

    def locate(self, frame: Frame) -> Located:
        """Where the frame is; outside when no file of the workspace is meant."""
        best = max(
            (self._located(frame, candidate) for candidate in self._candidates(frame)),
            key=lambda entry: entry[0],
            default=None,
        )
        return best[1] if best else Located(frame)

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        """Indexed paths by their last part, in lower case (some machines do not tell case apart)."""
        names: dict[str, list[str]] = defaultdict(list)
        for path in self._catalog.files():
            names[path.rpartition("/")[2].lower()].append(path)
        return names

    def _candidates(self, frame: Frame) -> list[_Candidate]:
        """Files that may be meant, those that share most of the path."""
        written = _plain(frame.path, str(self._workspace.root))
        installed = _INSTALLED.search(written)
        if not installed and _RUNTIME.search(written):
            return []
        wanted = (installed["rest"] if installed else written).split("/")
        found = [_candidate(path, wanted) for path in self._by_name.get(wanted[-1].lower(), ())]
        if not found:
            found = [
                _candidate(path, [*wanted[:-1], path.rpartition("/")[2]])
                for path in self._siblings(wanted[-1])
            ]
        if installed:
            found = [one for one in found if one.shared == len(wanted) > 1]
        most = max((one.shared for one in found), default=0)
        return [one for one in found if one.shared == most]

    def _siblings(self, name: str) -> Iterable[str]:
        stem, _, ending = name.lower().rpartition(".")
        for other in _SIBLINGS.get(ending, ()):
            yield from self._by_name.get(f"{stem}.{other}", ())

    def _located(self, frame: Frame, candidate: _Candidate) -> tuple[tuple[bool, bool, bool, int], Located]:
        """How well the file fits (quoted line, function, whole path, nearness), and the frame in it."""
        lines = self._lines(candidate.path)
        definitions = self._catalog.definitions_in(candidate.path)
        named = _named(definitions, frame.function)
        line, holds = _line_now(frame, lines, named)
        moved = holds and line != frame.line
        if not holds and not frame.quoted and named and not any(_around(one, line) for one in named):
            line, moved = (
                named[0].first_line,
                True,
            )  # a number of other bytes: the function's name says where it is
        if not 1 <= line <= len(lines):
            return (False, False, False, 0), Located(frame)
        plausible = candidate.is_whole or holds or bool(named)
        if not plausible or (frame.quoted and not holds and not named and candidate.shared < 2):
            return (False, False, False, 0), Located(frame)
        record = self._catalog.file(candidate.path)
        around = _innermost(definitions, line)
        located = Located(
            frame=frame,
            path=candidate.path,
            line=line,
            function=around.qualified_name if around else "",
            first_line=around.first_line if around else max(1, line - _LINES_AROUND),
            last_line=min(around.last_line if around else line + _LINES_AROUND, len(lines)),
            is_test=record is not None and record.area == "tests",
            moved=moved,
            certain=holds or not frame.quoted,
        )
        return (holds, bool(named), candidate.is_whole, -abs(line - frame.line)), located

    def _lines(self, path: str) -> Sequence[str]:
        """The file's lines as they are now, read once."""
        if path not in self._read:
            try:
                self._read[path] = self._workspace.read(path).lines
            except Unreadable:
                self._read[path] = ()
        return self._read[path]


def _with_outer(report: Report, failure: Failure) -> tuple[Frame, ...]:
    """Its frames, and before them those that only what came of it shows: a caught exception knows none above the catch."""
    frames = failure.frames
    for later in report.failures[report.failures.index(failure) + 1 :]:
        if not frames or not failure.relation:
            break
        catching = [
            n
            for n, one in enumerate(later.frames)
            if (one.path, one.function) == (frames[0].path, frames[0].function)
        ]
        if catching and catching[0]:
            return (*later.frames[: catching[0]], *frames)
        failure = later
    return frames


def _plain(path: str, root: str) -> str:
    """POSIX, without scheme and query, relative where it lies in this very workspace."""
    plain = _SCHEME.sub("", path).split("?")[0].replace("\\", "/")
    plain = plain.removeprefix(root.replace("\\", "/").rstrip("/") + "/")
    parts = [part for part in plain.split("/") if part not in ("", ".", "..")]
    lead = "/" if plain.startswith("/") and not plain.startswith("//") else ""
    return lead + "/".join(parts)


def _candidate(path: str, wanted: Sequence[str]) -> _Candidate:
    parts = path.split("/")
    shared = 0
    for own, other in zip(reversed(parts), reversed(wanted), strict=False):
        if own.lower() != other.lower():
            break
        shared += 1
    written = len([part for part in wanted if part])
    return _Candidate(path, shared, shared == len(parts) or shared == written)


def _named(definitions: Sequence[StoredDefinition], function: str) -> list[StoredDefinition]:
    """The definitions that a frame's function may be: by its last part, its class agreeing where both name one."""
    parts = [part for part in re.split(r"[.:#]+", function) if part and not part.startswith("<")]
    if not parts:
        return []
    named = [one for one in definitions if one.name == parts[-1]]
    exact = [one for one in named if one.qualified_name.endswith(".".join(parts[-2:]))]
    return exact or named


def _line_now(frame: Frame, lines: Sequence[str], named: Sequence[StoredDefinition]) -> tuple[int, bool]:
    """The line where the quoted text stands, nearest to the number and in the function; and whether it stands there."""
    if not frame.quoted:
        return frame.line, False
    quoted = frame.quoted.rstrip("…").strip()
    if 1 <= frame.line <= len(lines) and _same(lines[frame.line - 1], quoted, frame.quoted):
        return frame.line, True
    places = [number for number, line in enumerate(lines, 1) if _same(line, quoted, frame.quoted)]
    within = [number for number in places if any(_around(one, number) for one in named)]
    best = min(within or places, key=lambda number: abs(number - frame.line), default=0)
    return (best, True) if best else (frame.line, False)


def _same(line: str, quoted: str, written: str) -> bool:
    bare = line.strip()
    return bare == quoted or (written.endswith("…") and len(quoted) > 8 and bare.startswith(quoted))


def _around(definition: StoredDefinition, line: int) -> bool:
    return definition.first_line <= line <= definition.last_line


_SCOPES = frozenset({"function", "method", "class", "module", "test", "interface", "struct"})


def _innermost(definitions: Sequence[StoredDefinition], line: int) -> StoredDefinition | None:
    around = [one for one in definitions if _around(one, line) and one.kind in _SCOPES]
    functions = [one for one in around if one.kind in ("function", "method", "test")]
    return (functions or around or [None])[-1]
