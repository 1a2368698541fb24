"""The installed command as a process: its streams, its start, its end."""

import subprocess
import sys

import pytest
from support.program import PROGRAM, codewitness, environment

HEAVY = (
    "chromadb",
    "textual",
    "tree_sitter",
    "tree_sitter_language_pack",
    "numpy",
    "httpx",
    "pydantic",
    "rich.console",
)
AFTER_THE_FIRST_PAINT = (
    "typer",
    "numpy",
    "httpx",
    "pydantic",
    "rich.progress",
    "agent.answer",
    "agent.events",
    "tools.workspace",
    "tui.plain",
    "tui.widgets.exchange",
)
"""Each takes a hundredth of a second or more to import."""


def test_stdout_holds_the_answer_and_nothing_else(workspace, home):
    done = codewitness("ask", "-", home=home, here=workspace, stdin="Where is gross_price defined?\n")
    assert done.returncode == 0, done.stderr
    assert "src/shop/prices.py:" in done.stdout
    assert "[lines verified]" in done.stdout
    assert "def gross_price(net_price: float) -> float:" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr
    assert "workspace: " not in done.stdout
    assert f"workspace: {workspace.resolve()}" in done.stderr
    assert not (workspace / ".codewitness").exists()


def test_quiet_leaves_stderr_empty_and_flags_may_stand_before_the_command(workspace, home, tmp_path):
    done = codewitness("-q", "-C", str(workspace), "search", "VAT_RATE", home=home, here=tmp_path)
    assert done.returncode == 0
    assert done.stderr == ""
    assert done.stdout.startswith("src/shop/prices.py:")


def test_a_pipe_that_closes_early_is_no_failure(workspace, home):
    with subprocess.Popen(
        [PROGRAM, "search", "gross_price", "-q"],
        cwd=workspace,
        env=environment(home),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(30) == 0


@pytest.mark.parametrize(
    ("code", "heavy"),
    [
        ("from tui.cli import run; run(['--help'])", HEAVY),
        ("import tui.cli, tui.commands.app, tui.place, tui.app", AFTER_THE_FIRST_PAINT),
    ],
    ids=["the help page", "the app until its first paint"],
)
def test_what_must_be_immediate_imports_nothing_heavy(code, heavy, home, tmp_path):
    script = (
        f"import sys; {code}\nsys.exit(', '.join(name for name in {heavy!r} if name in sys.modules) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", script],
        cwd=tmp_path,
        env=environment(home),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_the_shell_completes_commands(home, tmp_path):
    variables = {"_CODEWITNESS_COMPLETE": "complete_bash", "COMP_WORDS": "codewitness ve", "COMP_CWORD": "1"}
    done = codewitness(home=home, here=tmp_path, variables=variables)
    assert done.stdout.split() == ["verify"]
