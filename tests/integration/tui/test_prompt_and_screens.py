"""The prompt with its completions and commands, the search, earlier conversations, help, what survives."""

import asyncio

from support.app_driving import NARROW, answered, ask, main, opened, scripted, text_of, type_text, until
from support.scripted_desk import QUESTION, answering, kept, looking

from agent.errors import ModelUnavailable
from agent.news import IndexChanged, IndexFailed
from agent.transcript import Exchange
from tools.consent import ConsentRequest
from tools.errors import IndexUnusable, WorkspaceInvalid
from tools.index.progress import IndexProgress
from tools.sandbox.tiers import Tier
from tui.app import CodewitnessApp, NewsCame
from tui.screens.consent import ConsentScreen
from tui.screens.help import HelpScreen
from tui.screens.search import SearchScreen
from tui.screens.sessions import SessionsScreen


async def test_a_question_may_have_several_lines(tmp_path):
    desk = scripted(tmp_path, answering())
    async with opened(desk) as pilot:
        await type_text(pilot, "one")
        await pilot.press("ctrl+j")
        await type_text(pilot, "two")
        await pilot.press("enter")
        await until(pilot, lambda: desk.asked)
        assert desk.asked == ["one\ntwo"]


async def test_up_and_down_go_through_earlier_questions_also_of_earlier_days(tmp_path):
    desk = scripted(tmp_path, answering(), kept=[kept("a", "yesterday?")])
    async with opened(desk) as pilot:
        prompt = main(pilot).prompt
        await until(pilot, lambda: prompt.history_of_questions)
        await ask(pilot, QUESTION)
        await answered(pilot)
        await type_text(pilot, "half")
        await pilot.press("up")
        assert prompt.text == QUESTION
        await pilot.press("up")
        assert prompt.text == "yesterday?"
        await pilot.press("down", "down")
        assert prompt.text == "half"


async def test_an_at_sign_completes_files_and_symbols(tmp_path):
    async with opened(scripted(tmp_path)) as pilot:
        await type_text(pilot, "what is @Sess")
        await until(pilot, lambda: "class in src/shop/sessions.py" in text_of(pilot))
        await pilot.press("down", "tab")
        assert main(pilot).prompt.text == "what is SessionInterface "


async def test_a_slash_lists_the_commands_and_enter_takes_one(tmp_path):
    async with opened(scripted(tmp_path)) as pilot:
        await type_text(pilot, "/he")
        await until(pilot, lambda: "every key and command" in text_of(pilot))
        await pilot.press("enter", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))


async def test_what_looks_like_a_path_is_a_question_not_a_command(tmp_path):
    desk = scripted(tmp_path, answering())
    async with opened(desk) as pilot:
        await ask(pilot, "/src/shop/sessions.py what is this?")
        await answered(pilot)
        assert desk.asked == ["/src/shop/sessions.py what is this?"]


async def test_pasted_text_cannot_drive_the_terminal(tmp_path):
    from textual.events import Paste

    async with opened(scripted(tmp_path)) as pilot:
        main(pilot).prompt.post_message(Paste("one\r\n\x1b[31mtwo"))
        await until(pilot, lambda: main(pilot).prompt.text)
        assert main(pilot).prompt.text == "one\n\u241b[31mtwo"


async def test_the_draft_survives_and_is_gone_once_it_was_asked(tmp_path):
    desk = scripted(tmp_path, answering())
    async with opened(desk) as pilot:
        await type_text(pilot, "half a thought")
        await until(pilot, lambda: (desk.folder / "draft.txt").exists())
    again = scripted(tmp_path, answering())
    async with opened(again) as pilot:
        await until(pilot, lambda: main(pilot).prompt.text == "half a thought")
        await pilot.press("enter")
        await answered(pilot)
        await until(pilot, lambda: not (desk.folder / "draft.txt").exists())


async def test_a_search_shows_results_while_typing_and_opens_one_beside_the_conversation(tmp_path):
    async with opened(scripted(tmp_path)) as pilot:
        await pilot.press("ctrl+f")
        await until(pilot, lambda: isinstance(pilot.app.screen, SearchScreen))
        await type_text(pilot, "sign")
        await until(pilot, lambda: "2 places" in text_of(pilot) and "16▌" in text_of(pilot))
        await pilot.press("down", "enter")
        await until(pilot, lambda: main(pilot).pane.place is not None)
        assert main(pilot).pane.place.label == "src/shop/sessions.py:23-24"


async def test_a_search_takes_filters_and_says_when_nothing_is_found(tmp_path):
    async with opened(scripted(tmp_path), NARROW) as pilot:
        await ask(pilot, "/search shop area:docs")
        await until(pilot, lambda: "1 place," in text_of(pilot))
        assert "README.md:1" in text_of(pilot)
        await type_text(pilot, " kind:")
        pilot.app.screen.query_one("Input").value = "unicorn"
        await until(pilot, lambda: "nothing found; no source holds unicorn" in text_of(pilot))


async def test_an_earlier_conversation_is_gone_on_with(tmp_path):
    earlier = [Exchange("How is it signed?", "`sign` does it (src/shop/sessions.py:16-21)")]
    desk = scripted(tmp_path, answering(), kept=[kept("a", "How is it signed?")], remembered=earlier)
    async with opened(desk) as pilot:
        await pilot.press("ctrl+r")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionsScreen))
        await pilot.press("enter")
        await until(pilot, lambda: "the lines have not been checked again" in text_of(pilot))
        assert "❯ How is it signed?" in text_of(pilot)


async def test_a_conversation_is_deleted_only_when_delete_is_pressed_twice(tmp_path):
    desk = scripted(tmp_path, kept=[kept("a", "first?"), kept("b", "second?")])
    async with opened(desk) as pilot:
        await pilot.press("ctrl+r")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionsScreen))
        await pilot.press("delete")
        assert len(desk.kept) == 2
        await pilot.press("delete")
        await until(pilot, lambda: len(desk.kept) == 1)
        assert "second?" in text_of(pilot)


async def test_an_answer_is_exported_as_markdown_and_no_file_is_overwritten(tmp_path):
    target = tmp_path / "answer.md"
    async with opened(scripted(tmp_path, answering())) as pilot:
        await ask(pilot, QUESTION)
        await answered(pilot)
        await ask(pilot, f"/export {target}")
        await until(pilot, target.exists)
        written = target.read_text(encoding="utf-8")
        assert "`src/shop/sessions.py:16-21` (lines verified)" in written
        assert "def sign(self, app, value):" in written
        assert "constant in time" not in written
        await ask(pilot, f"/export {target}")
        await until(pilot, lambda: "was not written" in text_of(pilot))
        assert target.read_text(encoding="utf-8") == written


async def test_clear_begins_a_new_conversation(tmp_path):
    desk = scripted(tmp_path, answering())
    async with opened(desk) as pilot:
        await ask(pilot, QUESTION)
        await answered(pilot)
        await ask(pilot, "/clear")
        await until(pilot, lambda: desk.forgotten)
        await until(pilot, lambda: QUESTION not in text_of(pilot))


async def test_another_model_answers_after_slash_model_and_the_status_says_so(tmp_path):
    async with opened(scripted(tmp_path)) as pilot:
        await ask(pilot, "/model qwen3:4b")
        await until(pilot, lambda: "qwen3:4b at 127.0.0.1" in text_of(pilot).split("\n")[0])


async def test_the_status_tells_workspace_branch_index_and_who_answers_where(tmp_path):
    async with opened(scripted(tmp_path)) as pilot:
        status = text_of(pilot).split("\n")[0]
        assert "shop main" in status
        assert "83 files, 1,204 pieces, vectors 62%" in status
        assert "ollama, qwen3:8b at 127.0.0.1" in status


async def test_indexing_is_told_while_questions_can_be_typed(tmp_path):
    async with opened(scripted(tmp_path)) as pilot:
        pilot.app.post_message(NewsCame(IndexProgress("parsing", 12, 83)))
        await until(pilot, lambda: "reading files 12/83" in text_of(pilot))
        busy = IndexUnusable("the index is being written", cause="pid 7 holds it", hint="wait")
        pilot.app.post_message(NewsCame(IndexProgress("done", 1, 1)))
        pilot.app.post_message(NewsCame(IndexFailed(busy)))
        await until(pilot, lambda: "not followed" in text_of(pilot))
        pilot.app.post_message(NewsCame(IndexChanged("1 changed")))
        await until(pilot, lambda: "watching" in text_of(pilot))


async def test_a_model_that_is_not_there_is_told_in_the_status(tmp_path):
    missing = ModelUnavailable("no model can call tools", cause="none is installed", hint="pull one")
    async with opened(scripted(tmp_path, backend_info=missing)) as pilot:
        await until(pilot, lambda: "✗ no model can call tools" in text_of(pilot))


async def test_help_lists_the_keys_and_the_commands(tmp_path):
    async with opened(scripted(tmp_path)) as pilot:
        await pilot.press("f1")
        await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))
        assert "Next citation" in text_of(pilot)
        await pilot.press("end")
        await until(pilot, lambda: "lines verified" in text_of(pilot))
        await pilot.press("escape")
        assert not isinstance(pilot.app.screen, HelpScreen)


async def test_doctor_shows_what_is_missing_with_its_remedy(tmp_path):
    async with opened(scripted(tmp_path)) as pilot:
        await ask(pilot, "/doctor")
        await until(pilot, lambda: "install bubblewrap" in text_of(pilot))


async def test_a_workspace_that_cannot_be_opened_ends_the_app_with_the_reason():
    reason = WorkspaceInvalid("no such folder", cause="it is gone", hint="name another")

    def make_desk(tell, ask_consent):
        raise reason

    app = CodewitnessApp(make_desk)
    async with app.run_test() as pilot:
        async with asyncio.timeout(20):
            while app.return_value is None:
                await pilot.pause(0.01)
    assert app.return_value is reason


async def test_leaving_during_a_run_stops_it_and_closes_the_workspace(tmp_path):
    desk = scripted(tmp_path, [*looking(), asyncio.Event()])
    async with opened(desk) as pilot:
        await ask(pilot, QUESTION)
        await until(pilot, lambda: desk.asked)
        await pilot.press("ctrl+q")
    assert desk.closed
    assert desk.stopped == 1


ISOLATED = ConsentRequest(
    isolated=True,
    tier=next(iter(Tier)),
    question="Run the tests of this workspace?",
    facts=("command: pytest -q",),
)


async def consent(pilot, *keys):
    """What the person answered by these keys."""
    asking = asyncio.ensure_future(pilot.app.ask_consent(ISOLATED))
    await until(
        pilot, lambda: isinstance(pilot.app.screen, ConsentScreen) and "command: pytest -q" in text_of(pilot)
    )
    await pilot.press(*keys)
    await until(pilot, asking.done)
    return asking.result()


async def test_code_is_run_only_when_the_person_goes_to_the_other_button(tmp_path):
    async with opened(scripted(tmp_path)) as pilot:
        assert await consent(pilot, "enter") is False
        assert await consent(pilot, "escape") is False
        assert await consent(pilot, "y", "space", "enter") is False
        assert await consent(pilot, "tab", "enter") is True
