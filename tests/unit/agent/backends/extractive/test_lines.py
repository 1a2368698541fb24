"""Which lines are quoted, and how: always what stands there, with its numbers."""

from __future__ import annotations

import pytest

from agent.backends.extractive.documentation import documentation_of
from agent.backends.extractive.findings import Place
from agent.backends.extractive.lines import guard_of, outcomes, telling_lines
from agent.backends.extractive.quotes import (
    first_statement,
    is_open,
    signature_of,
    statement_at,
    statement_through,
)
from agent.question import QuestionReader


def place(text: str, symbol: str = "", docstring: str = "", kind: str = "function") -> Place:
    return Place("E1", "a.py", 10, tuple(text.split("\n")), symbol, symbol, kind, docstring=docstring)


@pytest.mark.parametrize(
    ("text", "symbol", "expected", "lines"),
    [
        ("def run(self) -> int:\n    return 1", "run", "def run(self) -> int", (10, 10)),
        ("@cached\n@app.route('/run')\ndef run():\n    pass", "run", "def run()", (12, 12)),
        ("def run(\n    self,\n    port: int,\n) -> int:\n    return 1", "run", "def run( self, port: int, ) -> int", (10, 13)),
        ("// Run runs.\nfunc (e *Engine) Run(addr string) error {\n\treturn nil\n}", "Run", "func (e *Engine) Run(addr string) error", (11, 11)),
        ("export const run = async (a: string) => {\n  go()\n}", "run", "export const run = async (a: string)", (10, 10)),
        ("#[derive(Debug)]\npub enum Run {\n    A,\n}", "Run", "pub enum Run", (11, 11)),
        ("/** run it */\nrun(a: number): string {\n  return ''\n}", "run", "run(a: number): string", (11, 11)),
    ],
)  # fmt: skip
def test_a_signature_is_the_header_without_its_body(
    text: str, symbol: str, expected: str, lines: tuple[int, int]
) -> None:
    quote = signature_of(place(text, symbol))

    assert quote is not None
    assert (quote.text, (quote.first_line, quote.last_line)) == (expected, lines)


def test_of_a_very_long_signature_only_the_line_that_names_it_is_quoted() -> None:
    parameters = "\n".join(f"    parameter_number_{n}: int," for n in range(20))
    quote = signature_of(place(f"def run(\n{parameters}\n):\n    pass", "run"))

    assert quote is not None
    assert (quote.text, quote.first_line, quote.last_line) == ("def run", 10, 10)


def test_a_place_without_a_name_has_no_signature() -> None:
    assert signature_of(place("a = 1")) is None


@pytest.mark.parametrize(
    ("text", "symbol", "docstring", "expected", "lines"),
    [
        ('def run():\n    """Run it. Then stop."""', "run", "", "Run it.", (11, 11)),
        ('def run():\n    """Run it\n    to the end. Then stop.\n    """', "run", "", "Run it to the end.", (11, 12)),
        ('def run():\n    """\n    Run it\n\n    More.\n    """', "run", "", "Run it", (12, 12)),
        ("// Run runs the engine\n// until it ends. More.\nfunc Run() {\n}", "Run", "", "Run runs the engine until it ends.", (10, 11)),
        ("/**\n * Runs it. More.\n * @param a what\n */\nrun(a) {\n}", "run", "", "Runs it.", (11, 11)),
        ("/// Runs it\n/// with care\n#[inline]\npub fn run() {\n}", "run", "Runs it\n\nwith care", "Runs it with care", (10, 11)),
        ("# Runs it.\ndef run():\n    pass", "run", "", "Runs it.", (10, 10)),
    ],
)  # fmt: skip
def test_documentation_is_quoted_by_its_first_sentence(
    text: str, symbol: str, docstring: str, expected: str, lines: tuple[int, int]
) -> None:
    quote = documentation_of(place(text, symbol, docstring))

    assert quote is not None
    assert (quote.text, (quote.first_line, quote.last_line)) == (expected, lines)


def test_a_comment_that_was_read_above_the_definition_is_its_documentation() -> None:
    above = Place("E2", "a.go", 5, ("}", "", "// Run runs it.", "// Always."))
    quote = documentation_of(place("func Run() {\n}", "Run"), above)

    assert quote is not None
    assert (quote.text, quote.place.evidence, quote.first_line) == ("Run runs it.", "E2", 7)


@pytest.mark.parametrize(
    "text",
    [
        "def run():\n    pass",
        'def run():\n    query = """select all."""',
        "x = 1  # note\n\ndef run():\n    pass",
    ],
)
def test_what_is_no_documentation_is_not_quoted_as_such(text: str) -> None:
    assert documentation_of(place(text, "run")) is None


def test_the_statements_that_hold_what_is_asked_are_told_in_their_order() -> None:
    question = QuestionReader().read("how is the cookie domain decided?")
    body = place(
        "def run(app):\n    # the cookie domain\n    log()\n    domain = app.cookie(\n        'domain',\n    )\n"
        "    other()\n    return domain",
        "run",
    )

    assert [quote.text for quote in telling_lines(question, body, [])] == [
        "domain = app.cookie( 'domain', )",
        "return domain",
    ]


def test_what_a_function_returns_is_quoted_without_the_word_for_it() -> None:
    quotes = outcomes(
        place("def run():\n    if a:\n        return None\n    return b  # type: ignore\n", "run")
    )

    assert [quote.text for quote in quotes] == ["None", "b"]


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("def run():\n    if not a:\n        raise X()", 12, "if not a"),
        ("def run():\n    if not a:\n        log()\n        raise X()", 13, "if not a"),
        ("def run():\n    raise X()", 11, None),
        ("func Run() {\n\tif x == nil {\n\t\tpanic(1)\n\t}\n}", 12, "if x == nil"),
        ("  if (a) {\n    log()\n  } else if (b) {\n    throw x\n  }", 13, "} else if (b)"),
    ],
)
def test_the_condition_that_guards_a_line(text: str, line: int, expected: str | None) -> None:
    quote = guard_of(place(text, "run"), line)

    assert (quote.text if quote else None) == expected


def test_a_statement_runs_to_where_its_brackets_close() -> None:
    code = place("call(\n    a,\n    b,\n)\nnext()")

    assert statement_at(code, 10).last_line == 13
    assert statement_through(code, 10, 11).text == "call( a, b, )"
    assert is_open(code, 10, 12)
    assert not is_open(code, 10, 14)


def test_a_statement_that_is_too_long_is_cut_to_its_line() -> None:
    code = place("call(\n" + "\n".join(f"    an_argument_of_some_length_{n}," for n in range(30)) + "\n)")

    assert statement_at(code, 10).text == "call"


def test_a_block_is_quoted_by_its_first_statement() -> None:
    quote = first_statement(place("\n# comment\n[server]\nport = 1"))

    assert quote is not None
    assert quote.text == "[server]"
