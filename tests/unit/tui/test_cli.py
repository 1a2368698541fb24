import errno

import pytest

from agent.errors import ConsentMissing, ModelUnavailable, SettingsInvalid
from tools.errors import IndexUnusable, UserError, WorkspaceInvalid
from tui.cli import exit_code_of, run, told
from tui.exits import AnswerUnwritable, ExitCode, Interrupted, UsageInvalid


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


def test_completion_is_shown_for_the_shell_that_is_named(capsys):
    assert run(["--show-completion", "fish"]) == ExitCode.ANSWERED
    assert "complete --command codewitness" in capsys.readouterr().out
    assert run(["--show-completion", "tcsh"]) == ExitCode.USAGE
    assert "bash" in capsys.readouterr().err


def test_a_completion_that_is_asked_for_is_no_bug(monkeypatch, capsys):
    monkeypatch.setenv("_CODEWITNESS_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "codewitness ind")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert run([]) == ExitCode.ANSWERED
    captured = capsys.readouterr()
    assert captured.out.split() == ["index"]
    assert captured.err == ""


def test_a_full_disk_is_no_bug_and_says_what_to_do():
    for error in (OSError(errno.ENOSPC, "No space left on device"), AnswerUnwritable(OSError("full"))):
        assert exit_code_of(error) == ExitCode.COULD_NOT_SEARCH
        assert "could not write the answer" in told(error).what


def test_a_group_without_its_command_shows_its_help(capsys):
    assert run(["config"]) == ExitCode.USAGE
    told_on_stderr = capsys.readouterr().err
    assert "Commands:" in told_on_stderr
    assert "error: no command was given" in told_on_stderr


def test_flags_that_mean_nothing_to_a_command_are_taken_and_not_shown(capsys):
    for command in (["search"], ["verify"], ["index"], ["index", "list"], ["config", "path"]):
        assert run([*command, "--help"]) == ExitCode.ANSWERED
        assert "--backend" not in capsys.readouterr().out
    assert run(["config", "path", "--backend", "auto"]) == ExitCode.ANSWERED


def test_no_line_of_the_help_is_cut(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for command in ([], ["index"], ["config"]):
        run([*command, "--help"])
        page = capsys.readouterr().out
        assert "..." not in page[page.index("Commands:") :]
