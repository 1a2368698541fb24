"""The pages of `docs/`: what is made from the program is up to date, what they link and name is there."""

import re

import pytest
import typer
from support.pages import DOCS, ROOT, SCREENS, keys_page, screen, settings_page

from agent.settings import known_settings
from tui.command_line import app
from tui.slash import COMMANDS

PAGES = [*sorted(DOCS.glob("*.md")), ROOT / "README.md"]
COMMAND = re.compile(r"codewitness((?: +(?:\"[^\"]*\"|[^\s`|>\"]+))*)")
GROUPS = tuple(f"{name}." for name in ("model", "budget", "index", "tests"))


@pytest.fixture(scope="module")
def program():
    return typer.main.get_command(app)


def test_the_keys_are_those_of_the_bindings():
    assert (DOCS / "keys.md").read_text("utf-8") == keys_page(), "`make docs` writes it"


def test_the_settings_are_those_of_the_program():
    page = (DOCS / "settings.md").read_text("utf-8")
    assert page == settings_page(), "`make docs` writes it"
    assert all(f"`{key}`" in page for key in known_settings())


@pytest.mark.parametrize("name", SCREENS)
def test_a_picture_is_the_accepted_snapshot_and_fetches_nothing(name):
    picture = (DOCS / "screens" / f"{name}.svg").read_text("utf-8")
    assert picture == screen(name), "`make docs` writes it"
    assert "url(" not in picture.replace("url(#", "")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page):
    links = re.findall(r"\]\(([^)#]+)", page.read_text("utf-8"))
    assert [link for link in links if "://" not in link and not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_and_flag_exists(page, program):
    shown = COMMAND.findall(_code(page))
    assert [line for line in shown if not _exists(line.split(), program)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_setting_exists(page):
    named = {
        word
        for word in re.findall(r"`([a-z_]+\.[a-z_]+)`", page.read_text("utf-8"))
        if word.startswith(GROUPS)
    }
    assert named <= known_settings().keys()


def test_every_slash_command_exists():
    named = {word for page in PAGES for word in re.findall(r"`/([a-z-]+)", page.read_text("utf-8"))}
    assert named <= COMMANDS.keys()


def _code(page):
    """What stands in code: blocks, and words between backticks."""
    text = page.read_text("utf-8")
    blocks = re.findall(r"```.*?\n(.*?)```", text, re.DOTALL)
    words = re.findall(r"`([^`]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    return "\n".join([*blocks, *(" ".join(word.split()) for word in words)])


def _exists(words, program):
    command, rest = program, list(words)
    while rest and rest[0] in getattr(command, "commands", {}):
        command = command.commands[rest.pop(0)]
    flags = {
        flag
        for one in (program, command)
        for option in one.params
        for flag in option.opts + option.secondary_opts
    }
    is_command = command is not program or not rest or rest[0].startswith("-") or rest[0].isupper()
    return is_command and all(
        word in flags or word in ("-h", "--help") for word in rest if re.match(r"--?[a-z]", word)
    )
