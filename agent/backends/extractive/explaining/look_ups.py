"""What to look up next for an explanation: what the trail wants, then where the same pattern occurs and who tests it."""

from __future__ import annotations

from collections.abc import Iterator

from agent.backends.extractive.explaining.footing import Wanted
from agent.backends.extractive.explaining.scene import Scene
from agent.backends.extractive.explaining.suspects import Suspect
from agent.backends.extractive.explaining.trail import Trail
from agent.backends.extractive.findings import Findings, Use
from agent.backends.extractive.plan import Lookup

MAX_LOOK_UPS = 60
"""In one run."""
_AT_ONCE = 16
_LINES_READ = 80
_SHOWN_BY_LOOK_UP = 20
"""Lines of a definition that `grep_symbol` shows: a longer one is read."""
_BODIES_PER_NAME = 2
_HISTORY_AROUND = 30
MAX_COMMITS = 3


def next_look_ups(scene: Scene, trail: Trail) -> list[Lookup]:
    """What to ask now; nothing when there is enough to explain."""
    left = MAX_LOOK_UPS - len(scene.findings.asked)
    following = _new(scene.findings, _trailing(scene, trail))
    wanted = following or _new(scene.findings, _around(trail))
    return wanted[: max(0, min(left, _AT_ONCE))]


def pattern_of(trail: Trail, suspect: Suspect) -> str:
    """The text by which places like the suspect's are found, or ""."""
    text = trail.fault.marked_text(suspect.scope.text(suspect.line))
    return text if len(text) > 4 and not text.startswith(("return", "for ", "with ", "def ")) else ""


def _new(findings: Findings, lookups: Iterator[Lookup]) -> list[Lookup]:
    wanted = {repr(one): one for one in lookups if not findings.was_asked(one.tool, one.arguments)}
    return list(wanted.values())


def _trailing(scene: Scene, trail: Trail) -> Iterator[Lookup]:
    for wanted in dict.fromkeys(trail.wanted):
        yield _looked_up(wanted)
        uses = scene.findings.definitions.get(wanted.name, ())
        functions = [use for use in uses if use.place.kind not in ("class", "interface")]
        for use in functions[:_BODIES_PER_NAME]:
            if len(use.place.lines) >= _SHOWN_BY_LOOK_UP and not _was_read(scene.findings, use):
                first = use.place.first_line
                yield Lookup(
                    "read_file_lines",
                    {"path": use.place.path, "first_line": first, "last_line": first + _LINES_READ},
                )


def _looked_up(wanted: Wanted) -> Lookup:
    arguments = {"name": wanted.name, "find": wanted.find}
    return Lookup("grep_symbol", {**arguments, "path": wanted.path} if wanted.path else arguments)


def _was_read(findings: Findings, use: Use) -> bool:
    return any(
        read.holds(use.place.path, use.place.first_line, use.place.last_line) for read in findings.read
    )


def _around(trail: Trail) -> Iterator[Lookup]:
    """About the first suspects: who uses their functions, tests among them, and where the pattern occurs."""
    for suspect in trail.ranked()[:1]:
        if suspect.scope.symbol:
            yield Lookup("grep_symbol", {"name": suspect.scope.symbol, "find": "any"})
        if pattern := pattern_of(trail, suspect):
            yield Lookup("grep_symbol", {"name": pattern, "literal": True})
        yield history_look_up(suspect)


def history_look_up(suspect: Suspect) -> Lookup:
    """The commits of the suspect's function; of a long one of the lines around it."""
    first = max(suspect.scope.first_line, suspect.line - _HISTORY_AROUND)
    last = min(suspect.scope.last_line, suspect.line + _HISTORY_AROUND)
    return Lookup(
        "git_history",
        {"path": suspect.scope.path, "first_line": first, "last_line": last, "limit": MAX_COMMITS},
    )
