import pytest

from agent.errors import ConsentMissing, ModelUnavailable, SettingsInvalid
from tools.errors import IndexUnusable, UserError, WorkspaceInvalid
from tui.cli import exit_code_of, run, told
from tui.exits import ExitCode, Interrupted, UsageInvalid


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (UsageInvalid, 2),
        (SettingsInvalid, 2),
        (WorkspaceInvalid, 2),
        (ModelUnavailable, 3),
        (IndexUnusable, 4),
        (UserError, 4),
        (ConsentMissing, 6),
    ],
)
def test_each_error_has_its_exit_code(kind, code):
    assert exit_code_of(kind("what", cause="why", hint="do")) == code


def test_an_interruption_is_130_and_a_bug_is_70():
    assert exit_code_of(Interrupted("the index is kept")) == 130
    assert exit_code_of(KeyboardInterrupt()) == 130
    assert exit_code_of(KeyError("x")) == 70


def test_an_interruption_says_what_is_kept():
    assert told(Interrupted("the index is kept")).hint == "the index is kept"


@pytest.mark.parametrize(
    "arguments", [["serch"], ["search"], ["--backend", "oracle", "search", "x"], ["search", "--nope", "x"]]
)
def test_a_wrong_command_line_is_told_in_three_parts(arguments, capsys):
    assert run(arguments) == ExitCode.USAGE
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "error: the command line was not understood" in captured.err
    assert "cause: " in captured.err
    assert "hint: " in captured.err


def test_help_ends_well(capsys):
    assert run(["--help"]) == ExitCode.ANSWERED
    assert "Exit codes: 0 answered" in capsys.readouterr().out


def test_every_command_has_a_help_page_with_an_example(capsys):
    for command in ("ask", "search", "verify", "index", "doctor"):
        assert run([command, "--help"]) == ExitCode.ANSWERED
        page = capsys.readouterr().out
        assert "Example" in page
        assert f"codewitness {command}" in page
        assert "-C DIR" in page


def test_without_a_command_and_without_a_terminal_it_says_what_to_type_instead(capsys):
    assert run([]) == ExitCode.USAGE
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "the full-screen app needs a terminal" in captured.err
    assert "codewitness ask" in captured.err


def test_hostile_arguments_are_made_visible_in_the_error(capsys):
    run(["\x1b]0;owned\x07"])
    assert "\x1b" not in capsys.readouterr().err
