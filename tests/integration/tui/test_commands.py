"""The commands that begin a run of another kind, or change how questions are answered."""

from support.app_driving import answered, ask, main, opened, scripted, text_of, until
from support.scripted_desk import BACKEND, QUESTION, SIGNED, answering
from textual.events import Paste

from agent.drafting.report import DraftedFile, Drafting, DraftReport, DroppedTest, TargetReport, TestsDrafted
from tools.drafting.target import Target
from tui.taste import chosen_theme, keep_theme

TRACEBACK = """Traceback (most recent call last):
  File "src/shop/sessions.py", line 20, in sign
    raise RuntimeError("no secret key was set")
RuntimeError: no secret key was set
"""
TARGET = Target("src/shop/sessions.py", "sign", "SessionInterface.sign", "python", 16, 21, "def sign(self)")
TEXT = "def test_sign():\n    assert sign\n"
PATCH = "--- /dev/null\n+++ b/tests/test_sessions.py\n@@ -0,0 +1,2 @@\n+def test_sign():\n+    assert sign\n"
DRAFTED = DraftReport(
    (
        TargetReport(
            TARGET, "kept", pins=(SIGNED,), dropped=(DroppedTest("test_x", ("it asserts nothing",)),)
        ),
    ),
    (DraftedFile("tests/test_sessions.py", TEXT, tests=("test_sign",)),),
    PATCH,
    (),
    BACKEND,
    2.0,
)


async def test_a_pasted_traceback_is_offered_to_be_explained_and_enter_does_it(tmp_path):
    desk = scripted(tmp_path, answering())
    async with opened(desk) as pilot:
        main(pilot).prompt.post_message(Paste(TRACEBACK))
        await until(pilot, lambda: "Explain this failure" in text_of(pilot))
        await pilot.press("enter")
        await answered(pilot)
        assert desk.asked == [f"explain {TRACEBACK.rstrip()}"]
        assert "Explain: RuntimeError: no secret key was set  (4 lines)" in text_of(pilot)


async def test_drafted_tests_are_shown_with_reasons_and_written_only_on_a_key(tmp_path):
    desk = scripted(tmp_path, [Drafting("mutants", "src/shop/sessions.py:sign", 3, 8), TestsDrafted(DRAFTED)])
    async with opened(desk) as pilot:
        await ask(pilot, "/draft-tests sign")
        await answered(pilot)
        assert desk.asked == ["draft sign"]
        assert "it asserts nothing" in text_of(pilot)
        assert "+def test_sign():" in text_of(pilot)
        assert not desk.written
        await pilot.press("f8")
        await until(pilot, lambda: "wrote tests/test_sessions.py" in text_of(pilot))
        assert desk.written == ["tests/test_sessions.py"]


async def test_filters_thinking_and_edit(tmp_path):
    desk = scripted(tmp_path, answering())
    async with opened(desk) as pilot:
        await ask(pilot, "/filter area:tests path:src/**")
        await until(pilot, lambda: "only area:tests path:src/**" in text_of(pilot))
        await ask(pilot, QUESTION)
        await answered(pilot)
        assert (desk.filters.area, desk.filters.path) == (("tests",), ("src/**",))
        await ask(pilot, "/filter")
        await until(pilot, lambda: not main(pilot).filter)
        await ask(pilot, "/filter colour:red")
        await until(pilot, lambda: "is no filter for questions" in text_of(pilot))
        main(pilot).prompt.write("/think high")
        await until(pilot, lambda: "/think high" in text_of(pilot))
        await pilot.press("enter")
        await until(pilot, lambda: desk.thinking == "high")
        main(pilot).edit(main(pilot).conversation.newest)
        assert main(pilot).prompt.text == QUESTION


def test_the_theme_is_remembered_and_an_unknown_one_is_not_taken(tmp_path):
    file = tmp_path / "config" / "theme.txt"
    assert chosen_theme(file) == "codewitness-dark"
    keep_theme(file, "codewitness-light")
    assert chosen_theme(file) == "codewitness-light"
    keep_theme(file, "no such theme")
    assert chosen_theme(file) == "codewitness-dark"
