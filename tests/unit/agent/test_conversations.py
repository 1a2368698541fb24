from __future__ import annotations

import os
import stat
from pathlib import Path

from agent.answer import Answer, Claim, IndexState, LinesCitation, Usage
from agent.conversations import KEPT_EXCHANGES, Conversations
from agent.messages import BackendInfo
from agent.transcript import Exchange


def answered(question: str, *claims: str) -> Answer:
    citation = LinesCitation("a.py", 1, 2, "x = 1\ny = 2", "0" * 64)
    return Answer(
        question=question,
        status="answered" if claims else "no_evidence",
        backend=BackendInfo("extractive"),
        observed=tuple(Claim(text, (citation,)) for text in claims),
        recommendations=(),
        steps=(),
        files_to_review=(),
        withheld=(),
        searched=(),
        index=IndexState(1, 1, 0.0, 0),
        usage=Usage(0.1, 1, 1, 0, 0),
    )


def test_an_exchange_is_read_back_with_the_labels_of_its_claims(tmp_path: Path) -> None:
    conversations = Conversations(tmp_path)
    conversation = conversations.start()
    conversations.append(conversation, answered("Where is x?", "`x` is set."))
    conversations.append(conversation, answered("And z?"))
    assert conversations.exchanges(conversation) == [
        Exchange("Where is x?", "`x` is set. (a.py:1-2)"),
        Exchange("And z?", "No evidence was found."),
    ]
    assert conversations.newest() == conversation


def test_the_newest_conversation_is_the_one_that_was_added_to_last(tmp_path: Path) -> None:
    conversations = Conversations(tmp_path)
    assert conversations.newest() is None
    first, second = conversations.start(), conversations.start()
    assert first != second
    conversations.append(first, answered("1"))
    conversations.append(second, answered("2"))
    os.utime(second, ns=(1, 10**18))
    os.utime(first, ns=(1, 10**18 + 1))
    assert conversations.newest() == first


def test_only_the_newest_exchanges_are_remembered(tmp_path: Path) -> None:
    conversations = Conversations(tmp_path)
    conversation = conversations.start()
    for number in range(KEPT_EXCHANGES + 3):
        conversations.append(conversation, answered(str(number)))
    assert [each.question for each in conversations.exchanges(conversation)] == ["3", "4", "5", "6", "7", "8"]


def test_a_line_that_a_crash_cut_off_is_left_out(tmp_path: Path) -> None:
    conversations = Conversations(tmp_path)
    conversation = conversations.start()
    conversations.append(conversation, answered("1"))
    with conversation.open("ab") as file:
        file.write(b'{"question": "2", "ans')
    assert [each.question for each in conversations.exchanges(conversation)] == ["1"]


def test_a_line_after_a_cut_off_one_is_still_read(tmp_path: Path) -> None:
    conversations = Conversations(tmp_path)
    conversation = conversations.start()
    conversations.append(conversation, answered("1"))
    with conversation.open("ab") as file:
        file.write(b'{"question": "2", "ans')
    conversations.append(conversation, answered("3"))
    assert [each.question for each in conversations.exchanges(conversation)] == ["1", "3"]


def test_secrets_in_a_question_are_masked_and_only_the_owner_may_read(tmp_path: Path) -> None:
    conversations = Conversations(tmp_path)
    conversation = conversations.start()
    token = "gh" + "p_" + "a1B2" * 9
    conversations.append(conversation, answered(f"Why does {token} fail?"))
    assert token not in conversation.read_text()
    assert "REDACTED" in conversation.read_text()
    assert stat.S_IMODE(conversation.stat().st_mode) == 0o600
    assert stat.S_IMODE(conversation.parent.stat().st_mode) == 0o700
