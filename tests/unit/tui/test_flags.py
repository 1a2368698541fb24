from typing import Annotated

import pytest
import typer

from tui.exits import ExitCode
from tui.flags import Flags, keep, with_flags


@pytest.fixture
def parse():
    seen: list[tuple[Flags, list[str]]] = []
    app = typer.Typer()

    @app.callback()
    @with_flags
    def program(flags: Flags, context: typer.Context) -> ExitCode:
        keep(context, flags)
        return ExitCode.ANSWERED

    @app.command()
    @with_flags
    def ask(flags: Flags, words: Annotated[list[str], typer.Argument()]) -> ExitCode:
        seen.append((flags, words))
        return ExitCode.ANSWERED

    def parse(*arguments: str) -> tuple[Flags, list[str]]:
        typer.main.get_command(app).main(list(arguments), standalone_mode=False)
        return seen[-1]

    return parse


@pytest.mark.parametrize(
    "given", [["--json", "-C", "x", "-q"], ["--backend", "extractive", "-v"], ["--debug", "--force"]]
)
def test_flags_mean_the_same_before_and_after_the_command(parse, given):
    before, _ = parse(*given, "ask", "why")
    after, _ = parse("ask", "why", *given)
    assert before == after != Flags()


def test_what_stands_after_the_command_wins(parse):
    flags, _ = parse("-C", "a", "--model", "m", "ask", "why", "-C", "b")
    assert (str(flags.directory), flags.model) == ("b", "m")


def test_words_after_two_dashes_are_no_flags(parse):
    flags, words = parse("ask", "--", "--json", "-C")
    assert not flags.json
    assert words == ["--json", "-C"]


@pytest.mark.parametrize(
    ("given", "thinking"),
    [
        ([], None),
        (["--think"], True),
        (["--no-think"], False),
        (["--think-level", "high"], "high"),
        (["--think", "--think-level", "low"], "low"),
        (["--no-think", "--think-level", "low"], False),
    ],
)
def test_thinking_has_levels_and_can_be_switched_off_on_either_side_of_the_command(parse, given, thinking):
    before, _ = parse(*given, "ask", "why")
    after, _ = parse("ask", "why", *given)
    assert before.thinking == after.thinking == thinking


def test_no_think_behind_the_command_beats_think_before_it(parse):
    flags, _ = parse("--think", "ask", "why", "--no-think")
    assert flags.thinking is False
