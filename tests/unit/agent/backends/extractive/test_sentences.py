"""How quotations are put into sentences, and cited."""

from __future__ import annotations

from agent.backends.extractive.findings import Place
from agent.backends.extractive.quotes import Quote, signature_of
from agent.backends.extractive.sentences import claim, code, codes, is_spoken_of, name_held, named_by, quoted
from agent.code_tokens import code_tokens
from agent.phrases import load_phrases

ENGLISH, JAPANESE = load_phrases()["en"], load_phrases()["ja"]
PLACE = Place("E1", "a.py", 1, ("a", "b", "c", "d"))


def test_code_that_holds_backticks_is_one_token() -> None:
    for text in ("plain", "a `b` c", "`b`", "``x`` and `y`", "ends with `"):
        assert [token.text for token in code_tokens(code(text))] == [text]


def test_prose_is_put_in_marks_that_it_does_not_hold() -> None:
    assert quoted("plain", ENGLISH) == '"plain"'
    assert quoted('say "it"', ENGLISH) == '“say "it"”'
    assert quoted("plain", JAPANESE) == "「plain」"
    for text in ("plain", 'say "it"', "the ``Domain`` of it", '“a” and "b" and «c»'):
        assert [token.text for token in code_tokens(quoted(text, ENGLISH))] == [text]


def test_quotations_are_joined_each_once() -> None:
    quotes = [Quote(PLACE, 1, 1, "a"), Quote(PLACE, 2, 2, "a"), Quote(PLACE, 3, 3, "c")]

    assert codes(quotes, ENGLISH) == "`a` and `c`"
    assert codes(quotes, ENGLISH, either=True) == "`a` or `c`"


def test_touching_lines_are_cited_as_one_range() -> None:
    drafted = claim("`a`", [Quote(PLACE, 3, 3, "c"), Quote(PLACE, 1, 1, "a"), Quote(PLACE, 2, 2, "b")])

    assert drafted["citations"] == [{"evidence": "E1", "first_line": 1, "last_line": 3}]


def test_lines_of_two_pieces_of_evidence_are_cited_apart() -> None:
    other = Place("E2", "a.py", 2, ("b",))
    drafted = claim("`a`", [Quote(PLACE, 1, 1, "a"), Quote(other, 2, 2, "b"), Quote(PLACE, 4, 4, "d")])

    assert [(entry["evidence"], entry["first_line"]) for entry in drafted["citations"]] == [
        ("E1", 1),
        ("E1", 4),
        ("E2", 2),
    ]


def definition(*lines: str, name: str = "Engine.run", whole: tuple[int, int] = (1, 9)) -> Place:
    return Place("E1", "a.rs", 1, lines, name.rpartition(".")[2], name, "method", whole=whole)


def test_a_name_goes_with_lines_whose_evidence_begins_inside_the_definition() -> None:
    assert name_held(definition("def run():"))
    assert name_held(definition("@cached", "def run():"))
    assert name_held(definition("    return 1", whole=(0, 9)))
    assert not name_held(definition("// Run runs.", "fn run() {"))
    assert not name_held(definition("impl Engine {", "    fn run() {"))
    assert not name_held(Place("E1", "a.py", 1, ("x = 1",)))


def test_a_definition_goes_by_as_much_of_its_name_as_lines_hold() -> None:
    for lines, expected, first_lines in (
        (("fn run() {",), "Engine.run", [1]),
        (("// Runs.", "func (e *Engine) run() {"), "Engine.run", [2]),
        (("impl Engine {", "    fn run() {"), "Engine.run", [1, 2]),
        (("// Runs.", "    fn run() {"), "run", [2]),
    ):
        place = definition(*lines)
        signature = signature_of(place)
        assert signature is not None
        name, quotes = named_by(place, signature)
        assert (name, [quote.first_line for quote in quotes]) == (expected, first_lines)


def test_comments_and_documentation_only_speak_of_a_name() -> None:
    assert all(
        map(is_spoken_of, ("  # run it", "// run", " * run", "see :meth:`run`", "the ``run`` function"))
    )
    assert not any(map(is_spoken_of, ("run()", "x = run", "#[run]", "return a // run")))
