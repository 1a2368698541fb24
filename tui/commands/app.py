"""`codewitness` without a command: the full-screen app on the workspace."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tui.exits import ExitCode, UsageInvalid
from tui.given import Flags

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
    # What is made until the first paint stays: looking for garbage in it would take a tenth of the start.
    gc.disable()
    from tui.app import CodewitnessApp
    from tui.place import current_folder, workspace_root
    from tui.taste import chosen_theme, theme_file

    root = workspace_root(flags.directory, force=flags.force, here=current_folder(), home=Path.home())

    def make_desk(tell: Callable[[News], None], ask_consent: AskConsent) -> Desk:
        # All that is heavy is imported here, in a thread, once the screen stands.
        gc.freeze()
        gc.enable()
        from agent.live import LiveSession
        from tui.opening import settings_of

        return LiveSession(settings_of(flags).settings, root, tell, ask_consent)

    themes = theme_file()
    app = CodewitnessApp(make_desk, theme=chosen_theme(themes), keep_theme_in=themes)
    problem = app.run() or app.failure
    if problem is not None:
        raise problem
    return ExitCode.ANSWERED
