import io
from dataclasses import replace

from support.answers import LINES, answered, without_evidence

from agent.answer import Claim, FileToReview, LinesCitation, Withheld
from agent.events import (
    Answered,
    ClaimVerified,
    ClaimWithheld,
    ModelWrote,
    RunStarted,
    ToolFinished,
    ToolRefused,
    Waiting,
)
from agent.messages import BackendInfo, ToolCall
from tui.console import Output
from tui.plain import PlainRun, call_line, citation_lines, closing_lines, quoted_lines, shown_claim

SEARCH = ToolCall("1", "semantic_search", {"queries": ["sessions signed", "cookie"], "limit": 8})


def printed(*events, verbose=False, quiet=False):
    stdout, stderr = io.StringIO(), io.StringIO()
    run = PlainRun(Output(stdout, stderr, verbose=verbose, quiet=quiet))
    for event in events:
        run.show(event)
    run.close()
    return stdout.getvalue(), stderr.getvalue()


def test_a_claim_is_printed_with_its_label_a_mark_and_the_cited_lines():
    stdout, _ = printed(ClaimVerified(Claim("`sign` calls `hmac`.", (LINES,)), recommendation=False))
    assert stdout == (
        "`sign` calls `hmac`.\n"
        "  src/sessions.py:41-43  [lines verified]\n"
        "    41 | def sign(value):\n"
        "    42 |     return hmac(key, value)\n"
        "    43 | \n"
    )


def test_two_claims_are_parted_by_an_empty_line():
    event = ClaimVerified(Claim("One.", (LINES,)), recommendation=False)
    stdout, _ = printed(event, event)
    assert "\n\nOne." in stdout


def test_a_long_quotation_shows_its_beginning_and_how_much_more_there_is():
    lines = [str(line) for line in quoted_lines("\n".join(f"line {n}" for n in range(95, 115)), 95)]
    assert lines[0] == "     95 | line 95"
    assert len(lines) == 8
    assert lines[-1] == "      … | 13 more lines"


def test_a_very_long_line_is_clipped():
    assert str(quoted_lines("x" * 5000, 1)[0]).endswith("…")
    assert len(str(quoted_lines("x" * 5000, 1)[0])) < 250


def test_moved_lines_say_where_they_were():
    moved = replace(LINES, moved_from="src/sessions.py:30-32")
    assert "[lines verified, moved from src/sessions.py:30-32]" in str(citation_lines(moved)[0])


def test_recommendations_stand_apart_after_the_observed_claims():
    answer = answered()
    stdout, _ = printed(ClaimVerified(answer.recommendations[0], recommendation=True), Answered(answer))
    heading = stdout.index("Recommendations")
    assert heading < stdout.index("Rotate `key`.") < stdout.index("Steps") < stdout.index("Files to review")
    assert stdout.rstrip().endswith("No model wrote this: it quotes what was found.")


def test_withheld_claims_are_counted_and_their_text_is_shown_only_on_request():
    answer = answered()
    withheld = ClaimWithheld(Withheld("`sign` is fast.", "the lines do not hold `fast`"))
    stdout, stderr = printed(withheld, Answered(answer))
    assert "1 statement was withheld" in stderr
    assert "fast" not in stdout + stderr
    stdout, stderr = printed(withheld, Answered(answer), verbose=True)
    assert "withheld, unverified: `sign` is fast." in stderr
    assert "because the lines do not hold `fast`" in stderr
    assert "fast" not in stdout


def test_an_answer_without_evidence_says_on_stdout_what_was_searched():
    stdout, _ = printed(Answered(without_evidence()))
    assert stdout.startswith("No evidence found")
    assert 'semantic_search {"queries": ["moon landing"]}: 0 results' in stdout
    assert "grep_symbol" in stdout
    assert "failed: ripgrep timed out" in stdout
    assert "83 files in 1204 pieces, 62% of them with vectors, 14 files skipped" in stdout
    assert "Tools: grep_symbol did not work" in stdout


def test_a_failed_search_is_never_called_no_evidence():
    stdout, _ = printed(Answered(replace(without_evidence(), status="could_not_search")))
    assert stdout.startswith("Could not search")
    assert "No evidence" not in stdout


def test_progress_goes_to_stderr_and_the_answer_to_stdout():
    stdout, stderr = printed(
        RunStarted("q", BackendInfo("ollama", "qwen3:8b", "127.0.0.1")),
        ToolFinished(SEARCH, results=1, truncated=True, seconds=0.21, evidence=()),
        ToolRefused(SEARCH, "`limit` must be at most 20", broken=False),
    )
    assert stdout == ""
    assert "answering with ollama, qwen3:8b at 127.0.0.1" in stderr
    assert "semantic_search sessions signed, cookie, 8: 1 result, more exist (0.2 s)" in stderr
    assert "sent back: `limit` must be at most 20" in stderr


def test_quiet_leaves_stderr_empty():
    _, stderr = printed(RunStarted("q", BackendInfo("extractive")), Answered(answered()), quiet=True)
    assert stderr == ""


def test_hostile_text_reaches_no_stream_as_it_is():
    hostile = "\x1b]52;c;AAAA\x07 [bold red]x[/] [/b] \u202e"
    lines = LinesCitation(f"src/{hostile}.py", 1, 1, hostile, "a" * 64)
    call = ToolCall("1", hostile, {"name": hostile})
    stdout, stderr = printed(
        ClaimVerified(Claim(hostile, (lines,)), recommendation=False),
        ToolFinished(call, results=0, truncated=False, seconds=0.0, evidence=()),
        ToolRefused(call, hostile, broken=True),
    )
    for text in (stdout, stderr):
        assert not set(text) & set("\x1b\x07\u202e")
        assert "[bold red]x[/] [/b]" in text


THOUGHTS = [ModelWrote(text, thinking=True) for text in ("Let me ", "see.\nIt is `x", "` then.")]


def test_thinking_is_shown_only_on_request_labelled_and_never_on_stdout():
    for verbose in (True, False):
        stdout, stderr = printed(*THOUGHTS, Waiting("the model"), verbose=verbose)
        assert stdout == ""
        shown = [line for line in stderr.splitlines() if "thinking" in line]
        labelled = ["thinking, unverified: Let me see.", "thinking, unverified: It is `x` then."]
        assert shown == (labelled if verbose else [])


def test_what_the_model_writes_is_never_printed():
    stdout, stderr = printed(ModelWrote('{"observed": []}', thinking=False), verbose=True)
    assert (stdout, stderr) == ("", "")


def test_what_is_done_differently_with_a_model_is_told_and_why_another_stands_in_only_on_request():
    details = {"num_ctx": "8192", "adapted": "one tool call at a time", "stands_in": "no server answers"}
    started = RunStarted("Why?", BackendInfo("ollama", "qwen", "here", details))
    _, plain = printed(started)
    assert "one tool call at a time" in plain
    assert "no server" not in plain
    _, verbose = printed(started, verbose=True)
    assert "no server answers" in verbose
    assert "8192" not in verbose


def test_files_to_review_name_their_cited_lines_once():
    lines = (replace(LINES, first_line=9, last_line=9), replace(LINES, first_line=1, last_line=3))
    lines += (replace(LINES, first_line=4, last_line=5), replace(LINES, first_line=2, last_line=2))
    answer = replace(
        answered(),
        observed=(Claim("One.", lines),),
        files_to_review=(FileToReview(LINES.path, "cited above: …"),),
    )
    assert f"  {LINES.path}  lines 1-5, 9, 41-43" in [str(line) for line in closing_lines(answer)]


def test_a_question_in_another_language_is_closed_in_it():
    stdout, _ = printed(Answered(replace(without_evidence(), question="¿Dónde se firman las cookies?")))
    assert stdout.startswith("No se encontraron pruebas")
    assert "Searched" not in stdout


def test_an_answer_without_claims_has_no_notice_about_how_they_were_chosen():
    stdout, _ = printed(Answered(replace(without_evidence(), notice="Read the cited lines.")))
    assert "cited" not in stdout


def test_a_line_break_in_a_name_is_shown_and_one_between_sentences_kept():
    assert shown_claim("`a\nb.py` is\nempty.") == "`a\u2424b.py` is\nempty."
    assert shown_claim("```\nx = 1\n```") == "```\nx = 1\n```"


def test_a_switch_of_a_tool_is_named_and_not_told_as_true():
    assert (
        call_line(ToolCall("1", "grep_symbol", {"name": "sign", "transitive": True}))
        == "grep_symbol sign, transitive"
    )


def test_what_an_interruption_keeps_depends_on_what_was_printed():
    run = PlainRun(Output(io.StringIO(), io.StringIO()))
    assert "nothing was answered yet" in run.kept()
    run.show(ClaimVerified(Claim("One.", (LINES,)), recommendation=False))
    assert "every statement above stands" in run.kept()
