"""A person's consent to running code of a workspace: asked for in facts that the program put together, kept outside.

An isolated run is agreed to once per workspace and tier, for as long as what would run stays the same: the consent is
bound to a hash of the command and of the files that decide what it does. A run without isolation is agreed to every
time, and the answer is not kept. Consents lie in the person's data folder; nothing in a workspace, and nothing that a
model says, can give one.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

from tools.sandbox.tiers import Tier
from tools.show import show_name

_FILE_NAME = "consents.json"

IsolatedRuns: TypeAlias = Literal["ask", "always", "never"]


@dataclass(frozen=True, slots=True)
class ConsentRequest:
    """What a person is asked. Every text is safe for a screen; the default answer is no."""

    isolated: bool
    tier: Tier
    question: str
    """One sentence."""
    facts: tuple[str, ...]
    """What would run, as what, and within which bounds; one line each."""

    @property
    def text(self) -> str:
        """Everything, one fact a line."""
        return "\n".join((self.question, *(f"  {fact}" for fact in self.facts)))


AskConsent: TypeAlias = Callable[[ConsentRequest], Awaitable[bool]]


class ConsentRefused(Exception):
    """The person did not agree, or could not be asked; the message says to what, and how to agree."""

    def __init__(self, reason: str, hint: str) -> None:
        super().__init__(f"{reason}; {hint}")
        self.reason = reason
        self.hint = hint


@dataclass(frozen=True, slots=True)
class ToRun:
    """What would run."""

    tier: Tier
    promise: str
    lacks: str
    """Why the tier is no stronger."""
    command: tuple[str, ...]
    program: str
    code: tuple[str, ...]
    """What of the workspace runs besides the tests."""
    fingerprint: str
    """Of the command without its selection, and of the files that decide what it does."""


class Consents:
    """The consents for one workspace."""

    def __init__(self, folder: Path, ask: AskConsent, isolated_runs: IsolatedRuns = "ask") -> None:
        """`folder`: where what is kept about this workspace lies, in the person's data folder."""
        self._file = folder / _FILE_NAME
        self._ask = ask
        self._isolated_runs = isolated_runs

    async def obtain(self, run: ToRun) -> None:
        """Return if the person agrees, or has agreed to just this. Raises: ConsentRefused."""
        if self._isolated_runs == "never":
            raise ConsentRefused(
                "running tests is switched off", "`tests.isolated_runs` in your settings is `never`"
            )
        if run.tier.isolated and (
            self._isolated_runs == "always" or self._kept().get(_key(run)) == run.fingerprint
        ):
            return
        if not await self._ask(request(run)):
            raise _refused(run)
        if run.tier.isolated:
            self._keep(run)

    def forget(self) -> None:
        """Take all consents back."""
        self._file.unlink(missing_ok=True)

    def _kept(self) -> Mapping[str, Any]:
        try:
            kept = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return cast(dict[str, Any], kept) if isinstance(kept, dict) else {}

    def _keep(self, run: ToRun) -> None:
        text = json.dumps({**self._kept(), _key(run): run.fingerprint}, indent=1)
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=self._file.parent, prefix=".tmp-", delete=False
        ) as file:
            file.write(text)
        os.replace(file.name, self._file)  # noqa: PTH105


def fingerprint(command: Iterable[str], contents: Mapping[str, str]) -> str:
    """A hash of a command and of the files (path → hash of their content) that decide what it does."""
    whole = json.dumps([list(command), sorted(contents.items())])
    return hashlib.sha256(whole.encode("utf-8", "surrogateescape")).hexdigest()


def request(run: ToRun) -> ConsentRequest:
    """What a person is asked before this runs."""
    code = ", ".join(run.code) or "nothing besides the tests"
    isolated = run.tier.isolated
    facts = [
        f"command: {' '.join(run.command)}",
        f"with: {run.program}",
        f"code of the workspace that runs besides the tests: {code}",
        f"isolation: {run.promise}" if isolated else f"NO ISOLATION: {run.promise}",
    ]
    if run.lacks:
        facts.append(f"no stronger isolation: {run.lacks}" if isolated else f"reason: {run.lacks}")
    if isolated:
        facts.append("you are asked again when the command, these files or the isolation change")
    question = (
        "Run the tests of this workspace, isolated?"
        if isolated
        else "Run code of this workspace as you, WITHOUT isolation, this once?"
    )
    return ConsentRequest(isolated, run.tier, question, tuple(show_name(fact) for fact in facts))


async def nobody_to_ask(_request: ConsentRequest) -> bool:
    """Where there is no person to ask, the answer is no."""
    return False


def granted_by_flags(
    *, yes: bool, allow_unsandboxed: bool, otherwise: AskConsent = nobody_to_ask
) -> AskConsent:
    """What flags have agreed to beforehand: `--yes` to isolated runs alone, `--allow-unsandboxed-tests` to the others."""

    async def ask(asked: ConsentRequest) -> bool:
        granted = yes if asked.isolated else allow_unsandboxed
        return granted or await otherwise(asked)

    return ask


def _key(run: ToRun) -> str:
    return f"tier {run.tier.value}"


def _refused(run: ToRun) -> ConsentRefused:
    if run.tier.isolated:
        return ConsentRefused(
            "nobody agreed to running this workspace's tests, which would be isolated",
            '`--yes` agrees for one command, `tests.isolated_runs = "always"` in your settings for all',
        )
    return ConsentRefused(
        f"nobody agreed to running this workspace's tests, which could not be isolated ({run.lacks})",
        "`--allow-unsandboxed-tests` agrees for one command; `--yes` does not",
    )
