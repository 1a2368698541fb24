"""Asking in the app: what is shown while a run goes on, when it ends, and however it ends."""

import asyncio

from support.app_driving import NARROW, answered, ask, main, opened, reading, scripted, text_of, until
from support.scripted_desk import (
    ADVICE,
    QUESTION,
    REFUSED,
    SIGNED,
    answer,
    answering,
    finding_nothing,
    looking,
)

from agent.errors import ModelUnavailable
from agent.events import Answered, ClaimVerified, ModelWrote
from tui.widgets.claim_view import ClaimView
from tui.widgets.exchange import Exchange
from tui.widgets.fold import Fold
from tui.widgets.place_link import PlaceLink
from tui.widgets.tool_call import ToolCallLine


def claims(pilot):
    return [view.claim for view in main(pilot).query(ClaimView)]


async def test_claims_appear_one_by_one_as_they_are_verified_with_advice_apart(tmp_path):
    first, second = asyncio.Event(), asyncio.Event()
    script = [*looking(), ClaimVerified(SIGNED, False), first, ClaimVerified(REFUSED, False), second]
    desk = scripted(tmp_path, [*script, ClaimVerified(ADVICE, True), Answered(answer())])
    async with opened(desk) as pilot:
        await ask(pilot, QUESTION)
        await until(pilot, lambda: claims(pilot) == [SIGNED])
        first.set()
        await until(pilot, lambda: claims(pilot) == [SIGNED, REFUSED])
        second.set()
        await answered(pilot)
        assert claims(pilot) == [SIGNED, REFUSED, ADVICE]
        assert [view.has_class("-recommendation") for view in main(pilot).query(ClaimView)] == [
            False,
            False,
            True,
        ]
        assert "Recommendations" in text_of(pilot)


async def test_what_the_model_writes_before_it_is_verified_is_not_shown(tmp_path):
    gate = asyncio.Event()
    desk = scripted(tmp_path, [*looking(), ModelWrote("surely an unverified statement", False), gate])
    async with opened(desk) as pilot:
        await ask(pilot, QUESTION)
        await until(pilot, lambda: "nothing is shown before it is verified" in text_of(pilot))
        assert "surely an unverified" not in text_of(pilot)


async def test_a_look_up_is_one_line_that_updates_in_place_and_unfolds_to_the_lines_it_showed(tmp_path):
    gate = asyncio.Event()
    script = looking()
    desk = scripted(tmp_path, [*script[:2], gate, *script[2:], *answering()[len(script) :]])
    async with opened(desk) as pilot:
        await ask(pilot, QUESTION)
        await until(pilot, lambda: main(pilot).query(ToolCallLine))
        assert "·" in main(pilot).query_one(ToolCallLine).heading.plain
        gate.set()
        await answered(pilot)
        line = main(pilot).query(ToolCallLine).first()
        assert "✓ semantic_search" in line.heading.plain
        assert "8 results, more exist · 0.4 s" in line.heading.plain
        main(pilot).query(Fold).first().open = True
        line.open = True
        await pilot.pause()
        assert [link.place.label for link in line.query(PlaceLink)] == ["src/shop/sessions.py:16-21"]


async def test_an_answer_without_evidence_looks_different_and_lists_what_was_searched(tmp_path):
    async with opened(scripted(tmp_path, finding_nothing())) as pilot:
        await ask(pilot, QUESTION)
        await answered(pilot)
        shown = text_of(pilot)
        assert "no evidence" in shown
        assert 'semantic_search {"queries": ["moon landing"]}: 0 results' in shown
        assert "83 files" in shown
        assert not claims(pilot)


async def test_withheld_statements_are_behind_a_key_and_labelled_unverified(tmp_path):
    async with opened(scripted(tmp_path, answering())) as pilot:
        await ask(pilot, QUESTION)
        await answered(pilot)
        assert "constant in time" not in text_of(pilot)
        await pilot.press("f4")
        await pilot.pause()
        assert "UNVERIFIED" in text_of(pilot)
        assert "the cited lines do not hold" in text_of(pilot)


async def test_thinking_is_folded_and_labelled_unverified(tmp_path):
    async with opened(scripted(tmp_path, answering())) as pilot:
        await ask(pilot, QUESTION)
        await answered(pilot)
        assert "what the model thought: unverified" in text_of(pilot)
        assert "They ask about signing" not in text_of(pilot)


async def test_esc_stops_a_run_and_keeps_what_was_verified(tmp_path):
    desk = scripted(tmp_path, [*looking(), ClaimVerified(SIGNED, False), asyncio.Event()], answering())
    async with opened(desk) as pilot:
        await ask(pilot, QUESTION)
        await until(pilot, lambda: claims(pilot) == [SIGNED])
        await pilot.press("escape")
        await answered(pilot)
        assert desk.stopped == 1
        assert "stopped; the statements above stand" in text_of(pilot)
        await ask(pilot, "and again")
        await answered(pilot)
        assert desk.asked == [QUESTION, "and again"]


async def test_ctrl_c_stops_a_run_too_then_empties_the_prompt_then_quits_when_pressed_twice(tmp_path):
    desk = scripted(tmp_path, [*looking(), asyncio.Event()])
    async with opened(desk) as pilot:
        await ask(pilot, QUESTION)
        await until(pilot, lambda: main(pilot).running)
        await pilot.press("ctrl+c")
        await answered(pilot)
        main(pilot).prompt.write("half a question")
        await pilot.press("ctrl+c")
        assert main(pilot).prompt.text == ""
        await pilot.press("ctrl+c")
        await pilot.press("ctrl+c")
        await until(pilot, lambda: pilot.app._exit)


async def test_a_server_that_goes_away_is_told_in_place_with_its_hint_and_the_next_question_works(tmp_path):
    gone = ModelUnavailable(
        "the server stopped", cause="connection reset", hint="start it with `ollama serve`"
    )
    async with opened(scripted(tmp_path, [*looking(), gone], answering())) as pilot:
        await ask(pilot, QUESTION)
        await answered(pilot)
        assert "hint:  start it with `ollama serve`" in text_of(pilot)
        await ask(pilot, "/retry")
        await answered(pilot)
        assert claims(pilot) == [SIGNED, REFUSED, ADVICE]


async def test_a_bug_of_ours_is_told_without_a_traceback(tmp_path):
    async with opened(scripted(tmp_path, [*looking(), ZeroDivisionError("division by zero")])) as pilot:
        await ask(pilot, QUESTION)
        await answered(pilot)
        shown = text_of(pilot)
        assert "it is our bug" in shown
        assert "Traceback" not in shown


async def test_only_one_question_is_answered_at_a_time_and_the_second_stays_in_the_prompt(tmp_path):
    desk = scripted(tmp_path, [*looking(), asyncio.Event()])
    async with opened(desk) as pilot:
        await ask(pilot, QUESTION)
        main(pilot).prompt.write("another one")
        await pilot.press("enter")
        await pilot.pause()
        assert desk.asked == [QUESTION]
        assert main(pilot).prompt.text == "another one"


async def test_markup_and_escape_sequences_in_claims_paths_and_errors_do_nothing(tmp_path):
    evil = "[red]x[/nope] [@click=app.exit]y[/] \x1b]52;c;AAAA\x07 \u202e"
    error = ModelUnavailable(evil, cause=evil, hint=evil)
    async with opened(scripted(tmp_path, [ModelWrote(evil, True), error])) as pilot:
        await ask(pilot, evil)
        await answered(pilot)
        main(pilot).query_one(".thinking", Fold).open = True
        await pilot.pause()
        shown = text_of(pilot)
        assert "\x1b" not in shown
        assert "\u202e" not in shown
        assert "[@click=app.exit]y[/]" in shown


async def test_a_long_session_keeps_the_screen_small(tmp_path):
    async with opened(scripted(tmp_path)) as pilot:
        conversation = main(pilot).conversation
        for number in range(34):
            await conversation.add(Exchange(f"question {number}", lambda: 0.0))
        assert [one.question for one in conversation.exchanges] == [f"question {n}" for n in range(4, 34)]
        conversation.scroll_home(animate=False)
        await until(pilot, lambda: "4 older questions: kept in /sessions" in text_of(pilot))


async def test_in_a_narrow_terminal_the_source_is_not_opened_by_itself(tmp_path):
    async with opened(scripted(tmp_path, answering()), NARROW) as pilot:
        await ask(pilot, QUESTION)
        await answered(pilot)
        assert not reading(pilot)
