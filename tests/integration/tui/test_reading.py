"""Reading the source beside the conversation: citations, definitions, changes, the editor."""

from support.app_driving import NARROW, answered, ask, main, opened, reading, scripted, text_of, until
from support.scripted_desk import QUESTION, SESSIONS, answering

from tui.app import editor_command
from tui.screens.picking import PickingScreen
from tui.widgets.claim_view import ClaimView
from tui.widgets.place_link import PlaceLink


def cited(pilot):
    return [link for claim in main(pilot).query(ClaimView) for link in claim.query(PlaceLink)]


def place(pilot):
    return main(pilot).pane.place.label


async def test_the_first_cited_lines_stand_beside_the_claims_as_soon_as_there_is_room(tmp_path):
    async with opened(scripted(tmp_path, answering())) as pilot:
        await ask(pilot, QUESTION)
        await answered(pilot)
        await until(pilot, lambda: "in method SessionInterface.sign" in text_of(pilot))
        shown = text_of(pilot)
        assert "src/shop/sessions.py:16-21  ✓ lines verified  1 of 4" in shown
        assert "16▌     def sign(self, app, value):" in shown
        assert "22 \n" in shown or "22\n" in shown
        assert main(pilot).prompt.has_focus


async def test_enter_on_a_citation_opens_its_source_and_esc_comes_back(tmp_path):
    async with opened(scripted(tmp_path, answering()), NARROW) as pilot:
        await ask(pilot, QUESTION)
        await answered(pilot)
        cited(pilot)[2].focus()
        await pilot.press("enter")
        await until(pilot, lambda: reading(pilot) and main(pilot).pane.source.has_focus)
        assert place(pilot) == "src/shop/cookies.py:4-6"
        await pilot.press("escape")
        assert not reading(pilot)
        assert main(pilot).prompt.has_focus


async def test_a_click_on_a_citation_opens_it_too(tmp_path):
    async with opened(scripted(tmp_path, answering())) as pilot:
        await ask(pilot, QUESTION)
        await answered(pilot)
        await pilot.click(cited(pilot)[1])
        await until(pilot, lambda: place(pilot) == "src/shop/sessions.py:19-20")


async def test_next_and_previous_go_through_the_citations_of_the_answer(tmp_path):
    async with opened(scripted(tmp_path, answering())) as pilot:
        await ask(pilot, QUESTION)
        await answered(pilot)
        for expected in ("sessions.py:19-20", "cookies.py:4-6", "sessions.py:18", "sessions.py:16-21"):
            await pilot.press("ctrl+n")
            await until(pilot, lambda expected=expected: place(pilot) == f"src/shop/{expected}")
        await pilot.press("ctrl+o")
        await until(pilot, lambda: main(pilot).pane.source.has_focus)
        await pilot.press("p")
        await until(pilot, lambda: place(pilot) == "src/shop/sessions.py:18")


async def test_lines_that_changed_since_they_were_read_are_marked_stale(tmp_path):
    desk = scripted(tmp_path, answering())
    async with opened(desk) as pilot:
        await ask(pilot, QUESTION)
        await answered(pilot)
        edited = SESSIONS.replace("def sign(self, app, value)", "def sign(self, app, value, salt)")
        (desk.root / "src/shop/sessions.py").write_text(edited, encoding="utf-8")
        await until(pilot, lambda: main(pilot).pane.stale)
        assert "! changed since it was read" in text_of(pilot)


async def test_a_change_elsewhere_in_the_file_does_not_make_the_lines_stale(tmp_path):
    desk = scripted(tmp_path, answering())
    async with opened(desk) as pilot:
        await ask(pilot, QUESTION)
        await answered(pilot)
        (desk.root / "src/shop/sessions.py").write_text(SESSIONS + "\n\nEND = True\n", encoding="utf-8")
        await until(pilot, lambda: "END = True" in text_of(pilot))
        assert not main(pilot).pane.stale


async def test_a_file_that_is_gone_says_so(tmp_path):
    desk = scripted(tmp_path, answering())
    async with opened(desk, NARROW) as pilot:
        await ask(pilot, QUESTION)
        await answered(pilot)
        (desk.root / "src/shop/sessions.py").unlink()
        await pilot.press("ctrl+o")
        await until(pilot, lambda: "this file cannot be read: not found" in text_of(pilot))


async def test_from_a_name_to_its_only_definition_and_back(tmp_path):
    async with opened(scripted(tmp_path, answering())) as pilot:
        await ask(pilot, QUESTION)
        await answered(pilot)
        await pilot.press("ctrl+o")
        source = main(pilot).pane.source
        await until(pilot, lambda: source.has_focus)
        source.action_go_to(14)
        await pilot.press("right")
        assert source.name_under_cursor == "cookie_domain"
        await pilot.press("d")
        await until(pilot, lambda: place(pilot) == "src/shop/cookies.py:4")
        await pilot.press("backspace")
        await until(pilot, lambda: place(pilot) == "src/shop/sessions.py:16-21")


async def test_of_many_uses_one_is_picked_from_a_list(tmp_path):
    async with opened(scripted(tmp_path, answering())) as pilot:
        await ask(pilot, QUESTION)
        await answered(pilot)
        await pilot.press("ctrl+o")
        source = main(pilot).pane.source
        await until(pilot, lambda: source.has_focus)
        source.action_go_to(14)
        await pilot.press("right", "r")
        await until(pilot, lambda: isinstance(pilot.app.screen, PickingScreen))
        await pilot.press("down", "enter")
        await until(pilot, lambda: place(pilot) == "src/shop/sessions.py:14")


async def test_a_very_long_file_and_very_long_lines_are_read_at_once(tmp_path):
    desk = scripted(tmp_path, answering())
    (desk.root / "src/shop/cookies.py").write_text("x = 1\n" * 50_000 + "y" * 100_000, encoding="utf-8")
    async with opened(desk, NARROW) as pilot:
        await ask(pilot, QUESTION)
        await answered(pilot)
        cited(pilot)[2].focus()
        await pilot.press("enter")
        await until(pilot, lambda: reading(pilot) and main(pilot).pane.source.has_focus)
        await pilot.press("end")
        await until(pilot, lambda: "50001" in text_of(pilot))


def test_editors_are_started_without_a_shell_at_the_line_where_they_can(tmp_path):
    path = tmp_path / "a b.py"
    assert editor_command({"EDITOR": "vim"}, path, 7) == ["vim", "+7", str(path)]
    assert editor_command({"VISUAL": "code --wait", "EDITOR": "vi"}, path, 7) == [
        "code",
        "--wait",
        "--goto",
        f"{path}:7",
    ]
    assert editor_command({"EDITOR": "hx"}, path, 7) == ["hx", f"{path}:7"]
    assert editor_command({"EDITOR": "/opt/my;editor"}, path, 7) == ["/opt/my;editor", str(path)]
