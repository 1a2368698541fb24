"""The flags as they were given, apart from what parses them, which takes a tenth of a second to import."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Flags:
    """What was typed; None, and False where there is no `--no-…`, mean "not given"."""

    directory: Path | None = None
    backend: str | None = None
    model: str | None = None
    think: bool | None = None
    think_level: str | None = None
    json: bool = False
    quiet: bool = False
    verbose: bool = False
    debug: bool = False
    force: bool = False

    def then(self, later: Flags) -> Flags:
        """These flags, with those given later on the command line on top."""
        given = {f.name: getattr(later, f.name) for f in fields(Flags) if getattr(later, f.name) != f.default}
        return replace(self, **given)

    @property
    def thinking(self) -> bool | str | None:
        """Whether the model may think before it acts, and how long; None: not said."""
        return False if self.think is False else self.think_level or self.think
