"""Answers without a model, end to end: real files, index, tools and verifier. Nothing that is drafted may be withheld."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from support.indexed import IndexedWorkspace, build_index, indexed, write_files

from agent.answer import Answer, IndexState
from agent.backends.extractive import Extractive
from agent.budget import Budget
from agent.events import Answered
from agent.loop import run
from agent.testify import Witness
from agent.transcript import Exchange, Transcript

FILES = {
    "src/shop/sessions.py": '''"""Sessions kept in cookies."""

from shop.cookies import cookie_domain

DEFAULTS = {"COOKIE_DOMAIN": None, "MAX_AGE": 3600}


class Session:
    """What one visitor said before."""

    def domain(self, app):
        return cookie_domain(app)

    def save(self, app, response):
        """Write the session into the ``Set-Cookie`` header of the response.

        Nothing is written when it did not change.
        """
        if app.secret is None:
            raise RuntimeError("no secret key was set")
        response.set_cookie("session", sign(app.secret, self), domain=self.domain(app))


def sign(secret, session):
    """Sign the session's bytes, so that nobody can forge it."""
    return secret + repr(session)
''',
    "src/shop/cookies.py": '''"""Cookies."""


def cookie_domain(app):
    """The domain that cookies are set for."""
    if app.debug:
        return None
    return app.config["COOKIE_DOMAIN"]
''',
    "src/shop/cli.py": """import click


@click.command()
@click.option(
    "--dry-run",
    is_flag=True,
    default=False,
)
def serve(dry_run):
    return dry_run
""",
    "src/shop/views.py": """from shop.sessions import Session


def checkout(app, response):
    session = Session()
    session.save(app, response)


@app.route("/orders/<number>")
def order(number):
    return number
""",
    "pkg/tree.go": """package pkg

// Insert adds a route to the radix tree.
// It panics when the path is taken.
func (t *Tree) Insert(path string) {
	if t.has(path) {
		panic("a handler is already registered for `" + path + "`")
	}
	t.add(path)
}
""",
    "web/pager.ts": """/** Decides whether the output goes through a pager. */
export const choosePager = (height: number, lines: number): string => {
  if (lines > height) {
    return `less -R`
  }
  return 'cat'
}
""",
    "tests/test_sessions.py": """from shop.cookies import cookie_domain


def test_no_domain_while_debugging(app):
    assert cookie_domain(app) is None
""",
    "README.md": "# Shop\n\nIt sells fruit. Sessions are kept in cookies.\n",
}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Generator[IndexedWorkspace]:
    root, data = tmp_path_factory.mktemp("shop"), tmp_path_factory.mktemp("data")
    write_files(root, FILES)
    build_index(root, data)
    with indexed(root, data) as opened:
        yield opened


@pytest.fixture(scope="module")
def backend() -> Extractive:
    return Extractive()


async def ask(workspace: IndexedWorkspace, backend: Extractive, question: str, *previous: Exchange) -> Answer:
    transcript = Transcript(question, previous)
    witness = Witness(workspace.workspace, lambda: IndexState(8, 20, 0.0, 0))
    events = [event async for event in run(transcript, backend, workspace.toolbox, Budget(), witness)]
    assert isinstance(events[-1], Answered)
    answer = events[-1].answer
    assert not answer.withheld, answer.withheld
    assert answer.usage.model_turns <= 6
    return answer


def texts(answer: Answer) -> list[str]:
    return [claim.text for claim in answer.observed]


@pytest.mark.parametrize(
    ("question", "sentence", "label"),
    [
        (
            "Where is `cookie_domain` defined?",
            "`cookie_domain` (function) is defined",
            "src/shop/cookies.py:4",
        ),
        (
            "¿Dónde se define `cookie_domain`?",
            "`cookie_domain` (función) está definido",
            "src/shop/cookies.py:4",
        ),
        (
            "Onde é definido `cookie_domain`?",
            "`cookie_domain` (função) está definido",
            "src/shop/cookies.py:4",
        ),
        ("`cookie_domain`はどこで定義されていますか？", "`cookie_domain`（関数）は", "src/shop/cookies.py:4"),
        ("How are sessions signed?", "The closest match is `sign`", "src/shop/sessions.py:24"),
        ("¿Cómo se firma la sesión?", "Lo más cercano es `sign`", "src/shop/sessions.py:24"),
        (
            "セッションはどのように署名されますか？",
            "最も近いのは`src/shop/sessions.py`の`sign`",
            "src/shop/sessions.py:24",
        ),
        ("Who calls `sign`?", "`sign` is called once in `src/shop/sessions.py`", "src/shop/sessions.py:21"),
        ("Quem chama `sign`?", "`sign` é chamado uma vez em", "src/shop/sessions.py:21"),
        (
            "Where is the route /orders/<number> defined?",
            "The route `/orders/<number>` is in",
            "src/shop/views.py:9",
        ),
        (
            "Where is --dry-run declared?",
            "`--dry-run` is declared in `src/shop/cli.py`",
            "src/shop/cli.py:5-9",
        ),
        ("What is the default of MAX_AGE?", "`MAX_AGE`", "src/shop/sessions.py:5"),
        ("What does `Insert` do?", "`Tree.Insert` (method) is defined", "pkg/tree.go:5"),
        (
            "What is in src/shop/cookies.py?",
            "`src/shop/cookies.py` defines `cookie_domain`",
            "src/shop/cookies.py:4",
        ),
        ("what does the choosePager function do?", "`choosePager` (function) is defined", "web/pager.ts:2"),
    ],
)
async def test_the_first_claim_answers(
    workspace: IndexedWorkspace, backend: Extractive, question: str, sentence: str, label: str
) -> None:
    answer = await ask(workspace, backend, question)

    assert answer.status == "answered"
    assert answer.observed[0].text.startswith(sentence)
    assert answer.observed[0].citations[0].label == label
    assert answer.notice


async def test_a_definition_is_told_with_what_its_documentation_says(
    workspace: IndexedWorkspace, backend: Extractive
) -> None:
    answer = await ask(workspace, backend, "What does `Session.save` do?")

    assert (
        'It is documented as: "Write the session into the ``Set-Cookie`` header of the response."'
        in texts(answer)
    )


async def test_the_comment_above_is_documentation_too(
    workspace: IndexedWorkspace, backend: Extractive
) -> None:
    answer = await ask(workspace, backend, "What does `Insert` do?")

    assert 'It is documented as: "Insert adds a route to the radix tree."' in texts(answer)


async def test_an_error_is_told_with_its_condition(workspace: IndexedWorkspace, backend: Extractive) -> None:
    answer = await ask(workspace, backend, 'Where is the error "no secret key was set" raised?')

    assert texts(answer)[:2] == [
        'The message comes from `Session.save` in `src/shop/sessions.py`: `raise RuntimeError("no secret key was set")`.',
        "It is reached under this condition: `if app.secret is None`.",
    ]


async def test_a_line_with_backticks_can_be_quoted(workspace: IndexedWorkspace, backend: Extractive) -> None:
    answer = await ask(
        workspace, backend, 'Where does the message "a handler is already registered" come from?'
    )

    assert "panic(" in texts(answer)[0]


async def test_what_breaks_names_dependents_and_the_tests_to_run(
    workspace: IndexedWorkspace, backend: Extractive
) -> None:
    answer = await ask(workspace, backend, "What breaks if I change `cookie_domain`?")

    assert "In `src/shop/sessions.py`, `Session.domain` depends directly on `cookie_domain`." in texts(answer)
    assert any("`Session.save` uses `domain`" in text for text in texts(answer))
    assert [claim.text for claim in answer.recommendations] == [
        "Before changing `cookie_domain`, run the tests in `tests/test_sessions.py`: `test_no_domain_while_debugging`."
    ]


async def test_a_follow_up_goes_on_from_the_question_before(
    workspace: IndexedWorkspace, backend: Extractive
) -> None:
    first = await ask(workspace, backend, "What does `cookie_domain` do?")
    answer = await ask(
        workspace, backend, "¿y qué pruebas la cubren?", Exchange(first.question, "\n".join(texts(first)))
    )

    assert texts(answer)[0].startswith("Las pruebas de `tests/test_sessions.py` usan `cookie_domain` una vez")


@pytest.mark.parametrize(
    "question",
    [
        "Where is `ClientSession` defined?",
        "¿Quién llama a `enviar_factura`?",
        'Where is the error "quota exceeded for tenant" raised?',
        "Where are satellite images projected onto Mercator tiles?",
        "Where is --telemetry-endpoint declared?",
    ],
)
async def test_what_is_not_there_is_no_evidence(
    workspace: IndexedWorkspace, backend: Extractive, question: str
) -> None:
    answer = await ask(workspace, backend, question)

    assert answer.status == "no_evidence"
    assert answer.searched


async def test_a_definition_that_nothing_uses_says_so(
    workspace: IndexedWorkspace, backend: Extractive
) -> None:
    answer = await ask(workspace, backend, "Who calls `checkout`?")

    assert texts(answer) == [
        "`checkout` (function) is defined in `src/shop/views.py`: `def checkout(app, response)`. "
        "This search found no use of it."
    ]


async def test_what_happens_is_told_by_where_the_error_is_raised(tmp_path):
    files = {
        "passwords.py": "class WeakPassword(ValueError):\n"
        '    """The password is too short."""\n\n\n'
        "def hash_password(password):\n"
        "    if len(password) < 12:\n"
        '        raise WeakPassword("at least 12 characters")\n'
        "    return password\n"
    }
    answer = await answered(tmp_path, files, "What happens when a password is too short?")
    assert "passwords.py:7-7" in cited(answer)


async def test_who_calls_what_the_first_part_of_a_question_finds(tmp_path):
    files = {
        "address.py": "def validate_address(address):\n    return address.strip()\n",
        "book.py": "from address import validate_address\n\n\ndef book(to):\n    return validate_address(to)\n",
        "price.py": "def price(weight):\n    return weight * 2\n",
    }
    answer = await answered(tmp_path, files, "Where is an address validated and who calls it?")
    assert {"address.py:1-1", "book.py:5-5"} <= cited(answer)


async def answered(folder, files, question):
    """The answer to one question about a workspace of its own."""
    write_files(folder / "code", files)
    build_index(folder / "code", folder / "data")
    with indexed(folder / "code", folder / "data") as opened:
        witness = Witness(opened.workspace, lambda: IndexState(1, 1, 0.0, 0), "off")
        events = run(Transcript(question), Extractive(), opened.toolbox, Budget(), witness)
        return [event.answer async for event in events if isinstance(event, Answered)][-1]


def cited(answer):
    return {
        f"{one.path}:{one.first_line}-{one.last_line}" for claim in answer.observed for one in claim.citations
    }
