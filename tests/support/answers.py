"""Whole answers, as a run would give them, for whatever shows or writes them."""

from __future__ import annotations

from agent.answer import (
    Answer,
    Claim,
    CommitCitation,
    FileToReview,
    IndexState,
    LinesCitation,
    Searched,
    TestRunCitation,
    Usage,
    Withheld,
)
from agent.messages import BackendInfo

INDEX = IndexState(files=83, chunks=1204, vectors_share=0.62, skipped=14)
USAGE = Usage(seconds=1.25, model_turns=3, tool_calls=5, prompt_tokens=0, output_tokens=0)
LINES = LinesCitation("src/sessions.py", 41, 43, "def sign(value):\n\treturn hmac(key, value)\n", "a" * 64)
TEST_RUN = TestRunCitation("pytest -q tests/test_sessions.py", "passed", 2.5, "b" * 64)
COMMIT = CommitCitation("c" * 40, "Sign sessions", "2026-11-30T12:00:00+00:00")


def answered() -> Answer:
    """An answer with a part of every kind."""
    return Answer(
        question="Where are sessions signed?",
        status="partial",
        backend=BackendInfo("extractive"),
        observed=(Claim("`sign` calls `hmac`.", (LINES,)), Claim("Its tests pass.", (TEST_RUN, COMMIT))),
        recommendations=(Claim("Rotate `key`.", (LINES,)),),
        steps=("Read `sign`.",),
        files_to_review=(FileToReview("src/keys.py", "holds the key"),),
        withheld=(Withheld("`sign` is fast.", "the lines do not hold `fast`"),),
        searched=(Searched("semantic_search", {"queries": ["sessions signed"]}, 4, truncated=True),),
        index=INDEX,
        usage=USAGE,
        notice="No model wrote this: it quotes what was found.",
    )


def without_evidence() -> Answer:
    """An answer that found nothing, and says how it looked."""
    return Answer(
        question="Where is the moon landing?",
        status="no_evidence",
        backend=BackendInfo("extractive"),
        observed=(),
        recommendations=(),
        steps=(),
        files_to_review=(),
        withheld=(),
        searched=(
            Searched("semantic_search", {"queries": ["moon landing"]}, 0, truncated=False),
            Searched("grep_symbol", {"name": "moon"}, 0, truncated=False, error="ripgrep timed out"),
        ),
        index=INDEX,
        usage=USAGE,
    )
