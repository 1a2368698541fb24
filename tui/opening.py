"""From flags to the parts that a command works with: streams, settings, the workspace, a session."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tools.show import show_name
from tui.console import Output
from tui.given import Flags
from tui.place import current_folder, workspace_root

if TYPE_CHECKING:
    from agent.session import Session
    from agent.settings import LoadedSettings
    from tools.consent import AskConsent


def output_of(flags: Flags) -> Output:
    """The streams, as loud as the flags ask."""
    return Output(json=flags.json, quiet=flags.quiet, verbose=flags.verbose)


def settings_of(flags: Flags) -> LoadedSettings:
    """The settings in force, flags on top.

    Raises: SettingsInvalid.
    """
    from agent.settings import load_settings

    return load_settings(given_settings(flags))


def given_settings(flags: Flags) -> dict[str, object]:
    """The settings that stand on the command line."""
    given = {"model.backend": flags.backend, "model.name": flags.model, "model.think": flags.thinking}
    return {key: value for key, value in given.items() if value is not None}


def workspace_of(flags: Flags, output: Output) -> Path:
    """The workspace, named on stderr so that nobody searches another folder than they think.

    Raises: WorkspaceInvalid.
    """
    root = workspace_root(flags.directory, force=flags.force, here=current_folder(), home=Path.home())
    output.say(f"workspace: {show_name(str(root))}", "dim")
    return root


@asynccontextmanager
async def opened_session(
    flags: Flags, output: Output, *, looking_only: bool = False, ask_consent: AskConsent | None = None
) -> AsyncGenerator[Session, None]:
    """A session on the workspace, closed at the end whatever happens; `looking_only` leaves no trace of it.

    `ask_consent`: who agrees to running code of the workspace; None: nobody does.
    """
    from agent.session import open_session
    from tools.consent import nobody_to_ask

    settings = settings_of(flags)
    root, ask = workspace_of(flags, output), ask_consent or nobody_to_ask
    session = open_session(settings.settings, root, ask, looking_only=looking_only)
    try:
        yield session
    finally:
        await session.aclose()
