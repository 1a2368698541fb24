"""The backend without a model: what it looks up, and that every claim it makes stands in the lines it cites."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.shown import Conversation, turn_of

from agent.backends.extractive import Extractive

SESSIONS = '''"""Sessions."""

from .app import App


class Session:
    """What one visitor said before."""

    def get_domain(self, app: App) -> str | None:
        """The domain of the cookie, or none. A subclass may decide otherwise.

        More is said elsewhere.
        """
        domain = app.config["COOKIE_DOMAIN"]
        if not domain:
            return None
        return domain

    def save(self, app: App) -> None:
        if app.closed:
            raise RuntimeError("the session is already closed")
        app.store(self.get_domain(app))
'''
APP = """from .sessions import Session

DEFAULTS = {
    "COOKIE_DOMAIN": None,
}


def open_session(app):
    return Session().get_domain(app)


def finish(app):
    session = open_session(app)
    session.get_domain(app)
    session.save(app)
"""
TESTS = """def test_the_domain_is_none_by_default(app):
    assert Session().get_domain(app) is None
"""
TOOLS = [
    {"type": "function", "function": {"name": name}}
    for name in ("semantic_search", "grep_symbol", "read_file_lines", "list_files")
]
HEADER = "class Session:\ndef get_domain(self, app: App) -> str | None:"


@pytest.fixture(scope="module")
def backend() -> Extractive:
    return Extractive()


@pytest.fixture
def conversation(tmp_path: Path) -> Conversation:
    conversation = Conversation(tmp_path)
    conversation.say("system", "You answer about code.")
    conversation.write("src/sessions.py", SESSIONS)
    conversation.write("src/app.py", APP)
    conversation.write("tests/test_sessions.py", TESTS)
    return conversation


async def calls(backend: Extractive, conversation: Conversation) -> list[tuple[str, dict[str, Any]]]:
    turn = await turn_of(backend.reply(conversation.messages, TOOLS))
    assert bool(turn.content) != bool(turn.tool_calls), "an empty turn would be asked again"
    return [(call.name, dict(call.arguments)) for call in turn.tool_calls]


async def draft(backend: Extractive, conversation: Conversation) -> dict[str, Any]:
    conversation.say("user", "Now give your answer as JSON.")
    turn = await turn_of(backend.answer(conversation.messages, {}))
    return json.loads(turn.content)


def domain_chunk(conversation: Conversation, last: int = 17) -> dict[str, Any]:
    return conversation.shown(
        "src/sessions.py",
        9,
        last,
        enclosing_symbol="Session.get_domain",
        header=HEADER,
        chunk_first_line=9,
        chunk_last_line=17,
        symbol="get_domain",
        qualified_name="Session.get_domain",
        kind="method",
        signature="def get_domain(self, app: App) -> str | None:",
        docstring="The domain of the cookie, or none. A subclass may decide otherwise.\n\nMore is said elsewhere.",
        area="source",
        score=1.0,
    )


def definition_hit(conversation: Conversation) -> dict[str, Any]:
    shown = conversation.shown("src/sessions.py", 9, 17, enclosing_symbol="Session.get_domain", header=HEADER)
    return {
        **shown,
        "line": 9,
        "kind": "definition",
        "what": "method",
        "enclosing": "Session.get_domain",
        "area": "source",
    }


def use(
    conversation: Conversation, path: str, line: int, enclosing: str, area: str = "source", kind: str = "call"
) -> dict[str, Any]:
    shown = conversation.shown(path, line, line, enclosing_symbol=enclosing)
    return {**shown, "line": line, "kind": kind, "enclosing": enclosing, "area": area}


def grep(conversation: Conversation, arguments: dict[str, Any], **found: list[dict[str, Any]]) -> None:
    conversation.answered(
        "grep_symbol", arguments, {"definitions": [], "hits": [], "dependents": [], **found}
    )


async def test_a_named_symbol_is_looked_up_first(backend: Extractive, conversation: Conversation) -> None:
    conversation.say("user", "Where is `get_domain` defined?")
    conversation.searched("Where is `get_domain` defined?", domain_chunk(conversation))

    assert await calls(backend, conversation) == [
        ("grep_symbol", {"name": "get_domain", "find": "definition"})
    ]


async def test_nothing_is_asked_twice_and_the_search_ends(
    backend: Extractive, conversation: Conversation
) -> None:
    conversation.say("user", "Where is `get_domain` defined?")
    conversation.searched("Where is `get_domain` defined?", domain_chunk(conversation))
    grep(
        conversation, {"name": "get_domain", "find": "definition"}, definitions=[definition_hit(conversation)]
    )

    assert await calls(backend, conversation) == []


async def test_the_rest_of_the_best_place_is_read(backend: Extractive, conversation: Conversation) -> None:
    conversation.say("user", "how is the cookie domain decided?")
    conversation.searched("how is the cookie domain decided?", domain_chunk(conversation, last=13))

    assert await calls(backend, conversation) == [
        ("read_file_lines", {"path": "src/sessions.py", "first_line": 9, "last_line": 17})
    ]


async def test_only_tools_that_are_there_are_called(backend: Extractive, conversation: Conversation) -> None:
    conversation.say("user", "Where is `get_domain` defined?")
    conversation.searched("Where is `get_domain` defined?", domain_chunk(conversation))

    turn = await turn_of(backend.reply(conversation.messages, []))

    assert turn.tool_calls == ()


async def test_a_definition_is_answered_by_its_signature_and_documentation(
    backend: Extractive, conversation: Conversation
) -> None:
    conversation.say("user", "Where is `get_domain` defined?")
    conversation.searched("Where is `get_domain` defined?", domain_chunk(conversation))
    grep(
        conversation, {"name": "get_domain", "find": "definition"}, definitions=[definition_hit(conversation)]
    )

    assert conversation.verified(await draft(backend, conversation)) == [
        "`Session.get_domain` (method) is defined in `src/sessions.py`: `def get_domain(self, app: App) -> str | None`.",
        'It is documented as: "The domain of the cookie, or none."',
    ]


async def test_how_something_works_is_answered_by_the_lines_that_hold_it(
    backend: Extractive, conversation: Conversation
) -> None:
    conversation.say("user", "how is the cookie domain decided?")
    conversation.searched("how is the cookie domain decided?", domain_chunk(conversation))

    texts = conversation.verified(await draft(backend, conversation))

    assert texts[0].startswith("The closest match is `Session.get_domain` (method) in `src/sessions.py`")
    assert '`domain = app.config["COOKIE_DOMAIN"]`' in texts[2]


async def test_callers_are_told_by_file_and_tests_apart(
    backend: Extractive, conversation: Conversation
) -> None:
    question = "Who calls `get_domain`?"
    conversation.say("user", question)
    conversation.searched(question, domain_chunk(conversation))
    grep(
        conversation,
        {"name": "get_domain", "find": "any"},
        definitions=[definition_hit(conversation)],
        hits=[
            use(conversation, "src/app.py", 9, "open_session"),
            use(conversation, "src/app.py", 14, "finish"),
            use(conversation, "src/sessions.py", 22, "Session.save"),
            use(
                conversation, "tests/test_sessions.py", 2, "test_the_domain_is_none_by_default", area="tests"
            ),
        ],
    )

    assert conversation.verified(await draft(backend, conversation)) == [
        "`get_domain` is called twice in `src/app.py`, in `open_session` and `finish`: "
        "`return Session().get_domain(app)` and `session.get_domain(app)`.",
        "`get_domain` is called once in `src/sessions.py`, in `Session.save`: `app.store(self.get_domain(app))`.",
        "Tests in `tests/test_sessions.py` use `get_domain` once, in `test_the_domain_is_none_by_default`: "
        "`assert Session().get_domain(app) is None`.",
    ]


async def test_what_breaks_is_told_by_distance_with_the_tests_to_run(
    backend: Extractive, conversation: Conversation
) -> None:
    question = "What breaks if I change `get_domain`?"
    conversation.say("user", question)
    conversation.searched(question, domain_chunk(conversation))
    near = {
        **use(conversation, "src/app.py", 9, "open_session"),
        "symbol": "open_session",
        "depth": 1,
        "via": "get_domain",
    }
    far = {
        **use(conversation, "src/app.py", 13, "finish"),
        "symbol": "finish",
        "depth": 2,
        "via": "open_session",
    }
    test = use(conversation, "tests/test_sessions.py", 2, "test_the_domain_is_none_by_default", area="tests")
    arguments = {"name": "get_domain", "find": "dependents"}
    grep(conversation, arguments, definitions=[definition_hit(conversation)], dependents=[near, far])
    assert await calls(backend, conversation) == [("grep_symbol", {"name": "get_domain", "find": "any"})]
    grep(conversation, {"name": "get_domain", "find": "any"}, hits=[test])

    answer = await draft(backend, conversation)

    assert conversation.verified(answer) == [
        "In `src/app.py`, `open_session` depends directly on `get_domain`.",
        "Indirectly, in `src/app.py`, `finish` uses `open_session`.",
        "Tests in `tests/test_sessions.py` use `get_domain` once, in `test_the_domain_is_none_by_default`: "
        "`assert Session().get_domain(app) is None`.",
        "Before changing `get_domain`, run the tests in `tests/test_sessions.py`: `test_the_domain_is_none_by_default`.",
    ]
    assert len(answer["recommendations"]) == 1


async def test_an_error_message_is_led_back_to_its_line_and_condition(
    backend: Extractive, conversation: Conversation
) -> None:
    question = 'Where is the error "the session is already closed" raised?'
    conversation.say("user", question)
    conversation.searched(question, domain_chunk(conversation))
    arguments = {"name": "the session is already closed", "literal": True}
    assert await calls(backend, conversation) == [("grep_symbol", arguments)]
    grep(
        conversation, arguments, hits=[use(conversation, "src/sessions.py", 21, "Session.save", kind="other")]
    )
    (read,) = await calls(backend, conversation)
    assert read[0] == "read_file_lines"
    conversation.answered(
        *read, conversation.shown("src/sessions.py", 7, 22, enclosing_symbol="Session.save")
    )

    assert conversation.verified(await draft(backend, conversation)) == [
        "The message comes from `Session.save` in `src/sessions.py`: "
        '`raise RuntimeError("the session is already closed")`.',
        "It is reached under this condition: `if app.closed`.",
    ]


async def test_a_setting_is_told_with_where_it_is_set_and_read(
    backend: Extractive, conversation: Conversation
) -> None:
    question = "Where is COOKIE_DOMAIN defined?"
    conversation.say("user", question)
    conversation.searched(question, domain_chunk(conversation))
    arguments = {"name": "COOKIE_DOMAIN", "literal": True}
    assert await calls(backend, conversation) == [("grep_symbol", arguments)]
    hits = [
        use(conversation, "src/sessions.py", 14, "Session.get_domain", kind="other"),
        use(conversation, "src/app.py", 4, "", kind="other"),
    ]
    grep(conversation, arguments, hits=hits)

    assert conversation.verified(await draft(backend, conversation)) == [
        '`COOKIE_DOMAIN` is set in `src/app.py`: `"COOKIE_DOMAIN": None`.',
        '`COOKIE_DOMAIN` is read in `src/sessions.py`, in `Session.get_domain`: `domain = app.config["COOKIE_DOMAIN"]`.',
    ]


async def test_a_name_that_stands_nowhere_is_no_evidence_whatever_the_search_found(
    backend: Extractive, conversation: Conversation
) -> None:
    question = "Where is `ClientSession` defined?"
    conversation.say("user", question)
    conversation.searched(question, domain_chunk(conversation))
    grep(conversation, {"name": "ClientSession", "find": "definition"})
    assert await calls(backend, conversation) == [("grep_symbol", {"name": "ClientSession", "literal": True})]
    grep(conversation, {"name": "ClientSession", "literal": True})

    answer = await draft(backend, conversation)

    assert answer["no_evidence"] is True
    assert answer["observed"] == answer["files_to_review"] == []


async def test_a_weak_search_whose_words_name_nothing_either_is_no_evidence(
    backend: Extractive, conversation: Conversation
) -> None:
    question = "where are payments refunded?"
    conversation.say("user", question)
    conversation.searched(question, domain_chunk(conversation), absent=True)

    assert {call[1]["name"] for call in await calls(backend, conversation)} == {
        "payments_refunded",
        "paymentsRefunded",
    }
    assert (await draft(backend, conversation))["no_evidence"] is True


async def test_tests_do_not_come_before_sources(backend: Extractive, conversation: Conversation) -> None:
    question = "how is the cookie domain decided?"
    test = conversation.shown(
        "tests/test_sessions.py", 1, 2, chunk_first_line=1, chunk_last_line=2, symbol="test_the_domain", area="tests",
        qualified_name="test_the_domain", kind="test", signature="", docstring="", score=2.0,
    )  # fmt: skip
    conversation.say("user", question)
    conversation.searched(question, test, domain_chunk(conversation))

    texts = conversation.verified(await draft(backend, conversation))

    assert "src/sessions.py" in texts[0]
    assert not any("tests/" in text for text in texts)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        (
            "¿Dónde se define `get_domain`?",
            "`Session.get_domain` (método) está definido en `src/sessions.py`: `def get_domain(self, app: App) -> str | None`.",
        ),
        (
            "Onde é definido `get_domain`?",
            "`Session.get_domain` (método) está definido em `src/sessions.py`: `def get_domain(self, app: App) -> str | None`.",
        ),
        (
            "`get_domain`はどこで定義されていますか？",
            "`Session.get_domain`（メソッド）は`src/sessions.py`で定義されています：`def get_domain(self, app: App) -> str | None`。",
        ),
    ],
)
async def test_the_answer_speaks_the_language_of_the_question(
    backend: Extractive, conversation: Conversation, question: str, sentence: str
) -> None:
    conversation.say("user", question)
    conversation.searched(question, domain_chunk(conversation))
    grep(
        conversation, {"name": "get_domain", "find": "definition"}, definitions=[definition_hit(conversation)]
    )

    assert conversation.verified(await draft(backend, conversation))[0] == sentence


async def test_a_follow_up_looks_up_the_name_of_the_question_before(
    backend: Extractive, conversation: Conversation
) -> None:
    conversation.say("user", "What does `get_domain` do?")
    conversation.say("assistant", "`Session.get_domain` (method) is defined in `src/sessions.py`.")
    conversation.say("user", "and who calls it?")
    conversation.searched("and who calls it?")

    assert await calls(backend, conversation) == [("grep_symbol", {"name": "get_domain", "find": "any"})]


async def test_a_failed_lookup_ends_in_an_answer_from_the_search(
    backend: Extractive, conversation: Conversation
) -> None:
    question = "how is the cookie domain decided by `get_domain`?"
    conversation.say("user", question)
    conversation.searched(question, domain_chunk(conversation))
    conversation.answered("grep_symbol", {"name": "get_domain", "find": "definition"}, {"error": "timed out"})

    assert await calls(backend, conversation) == []
    assert conversation.verified(await draft(backend, conversation))


def test_the_notice_says_that_no_model_wrote_it_in_the_language_of_the_question(backend: Extractive) -> None:
    assert backend.notice("Where is it?").startswith("No model wrote this")
    assert backend.notice("¿Dónde está?").startswith("Esto no lo ha escrito ningún modelo")
    assert backend.info.name == "extractive"
