"""`codewitness` without a command: the full-screen app on the workspace."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tui.exits import ExitCode, UsageInvalid
from tui.flags import Flags

if TYPE_CHECKING:
    from agent.news import News
    from tools.consent import AskConsent
    from tui.desk import Desk


def open_app(flags: Flags) -> ExitCode:
    """Run the app to its end.

    Raises: UsageInvalid without a terminal; WorkspaceInvalid; whatever kept the app from going on.
    """
    if flags.json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageInvalid(
            "no command was given",
            cause="the full-screen app answers no pipe"
            if flags.json
            else "the full-screen app needs a terminal",
            hint='ask a question: `codewitness ask "where is …?"`',
        )
    from tui.app import CodewitnessApp
    from tui.place import current_folder, workspace_root

    root = workspace_root(flags.directory, force=flags.force, here=current_folder(), home=Path.home())

    def make_desk(tell: Callable[[News], None], ask_consent: AskConsent) -> Desk:
        # All that is heavy is imported here, in a thread, once the screen stands.
        from agent.live import LiveSession
        from tui.opening import settings_of

        return LiveSession(settings_of(flags).settings, root, tell, ask_consent)

    app = CodewitnessApp(make_desk)
    problem = app.run() or app.failure
    if problem is not None:
        raise problem
    return ExitCode.ANSWERED
