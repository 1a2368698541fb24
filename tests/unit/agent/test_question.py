"""Questions in four languages: which language, what they ask, what they name."""

from __future__ import annotations

import pytest

from agent.question import QuestionReader

QUESTIONS = [
    # English
    ("en", "definition", "shell_command", "Where is `shell_command` defined?"),
    ("en", "definition", "shell_command", "where is shell_command defined"),
    ("en", "definition", "", "Which function picks the cookie domain?"),
    ("en", "definition", "", "Where do we check whether the file is binary?"),
    ("en", "definition", "serde::Deserialize", "where is serde::Deserialize implemented?"),
    ("en", "purpose", "get_cookie_domain", "What does get_cookie_domain do?"),
    ("en", "purpose", "abort", "what does the abort function do?"),
    ("en", "purpose", "ServeHTTP", "What does `ServeHTTP` return?"),
    ("en", "purpose", "Engine", "Engine"),
    ("en", "purpose", "ZodType", "ZodType"),
    ("en", "purpose", "src/flask/sessions.py", "What is in src/flask/sessions.py?"),
    ("en", "how", "Session.get_domain", "How does Session.get_domain decide the domain?"),
    ("en", "how", "", "How are signed cookies verified?"),
    ("en", "how", "--port", "How does the CLI parse `--port`?"),
    ("en", "how", "", "Why does tagging leave keys alone?"),
    ("en", "callers", "save_session", "Who calls `save_session`?"),
    ("en", "callers", "BunWebSocketData", "what uses BunWebSocketData?"),
    ("en", "callers", "save_session", "Where is save_session called?"),
    ("en", "callers", "load()", "usages of `load()`"),
    ("en", "dependents", "add_url_rule", "What breaks if I change `add_url_rule`?"),
    ("en", "dependents", "RouterGroup", "What depends on RouterGroup?"),
    ("en", "dependents", "get_records", "is it safe to remove `get_records`?"),
    ("en", "tests", "parse_known_args", "Which tests cover `parse_known_args`?"),
    ("en", "tests", "parse_known_args", "is `parse_known_args` tested?"),
    ("en", "error", "is already registered", 'Where is the error "is already registered" raised?'),
    (
        "en",
        "error",
        "expects only one child",
        'Which function produces the message "expects only one child"?',
    ),
    ("en", "error", "parent must be provided", 'Why do I get "parent must be provided"?'),
    ("en", "setting", "SESSION_COOKIE_DOMAIN", "Where is SESSION_COOKIE_DOMAIN defined?"),
    ("en", "setting", "MAX_CONTENT_LENGTH", "What is the default of `MAX_CONTENT_LENGTH`?"),
    ("en", "setting", "--exclude-patterns", "Where is the --exclude-patterns option declared?"),
    ("en", "setting", "/api/users", "Where is the route /api/users defined?"),
    ("en", "how", "", "What happens when the card is declined?"),
    ("en", "dependents", "parcel_events", "Which modules depend on parcel_events?"),
    ("es", "dependents", "routing", "¿Qué depende del paquete routing?"),
    ("es", "how", "", "¿Qué pasa cuando el banco rechaza la tarjeta?"),
    ("pt", "how", "", "O que acontece quando a sessão expira?"),
    ("en", "report", "", "radix tree path matching"),
    ("en", "report", "HttpOnly", "Preserve HttpOnly flag when deleting session cookie"),
    # Spanish, with and without its accents
    ("es", "definition", "shell_command", "¿Dónde se define `shell_command`?"),
    ("es", "definition", "shell_command", "donde esta definida la funcion shell_command"),
    ("es", "definition", "", "¿En qué archivo se registran las rutas?"),
    ("es", "purpose", "get_cookie_domain", "¿Qué hace get_cookie_domain?"),
    ("es", "purpose", "Blueprint", "¿Para qué sirve `Blueprint`?"),
    ("es", "how", "", "¿Cómo se decide el dominio de la cookie de sesión?"),
    ("es", "how", "", "como se validan las cadenas de correo"),
    ("es", "callers", "save_session", "¿Quién llama a `save_session`?"),
    ("es", "callers", "RouterGroup", "¿Quién usa `RouterGroup`?"),
    ("es", "callers", "save_session", "¿Dónde se llama `save_session`?"),
    ("es", "error", "parent must be provided", '¿Dónde se lanza el error "parent must be provided"?'),
    ("es", "error", "can not be used", '¿De dónde sale el mensaje "can not be used"?'),
    ("es", "setting", "--exclude-patterns", "¿Dónde se define la opción --exclude-patterns?"),
    ("es", "setting", "SECRET_KEY", "¿Cuál es el valor por defecto de SECRET_KEY?"),
    ("es", "dependents", "add_url_rule", "¿Qué se rompe si cambio `add_url_rule`?"),
    ("es", "dependents", "RouterGroup", "¿Qué depende de `RouterGroup`?"),
    ("es", "tests", "parse_known_args", "¿Qué pruebas cubren `parse_known_args`?"),
    # Portuguese
    ("pt", "definition", "shell_command", "Onde é definido `shell_command`?"),
    ("pt", "purpose", "get_cookie_domain", "O que faz `get_cookie_domain`?"),
    ("pt", "how", "", "Como o domínio do cookie de sessão é decidido?"),
    ("pt", "how", "", "como as rotas são agrupadas e registradas"),
    ("pt", "callers", "save_session", "Quem chama `save_session`?"),
    ("pt", "callers", "save_session", "Onde `save_session` é usado?"),
    ("pt", "error", "parent must be provided", 'Onde o erro "parent must be provided" é lançado?'),
    ("pt", "setting", "--exclude-patterns", "Onde fica a opção `--exclude-patterns`?"),
    ("pt", "dependents", "add_url_rule", "O que quebra se eu mudar `add_url_rule`?"),
    ("pt", "dependents", "RouterGroup", "Quem depende de `RouterGroup`?"),
    ("pt", "tests", "parse_known_args", "Quais testes cobrem `parse_known_args`?"),
    # Japanese
    ("ja", "definition", "shell_command", "`shell_command` はどこで定義されていますか？"),
    ("ja", "definition", "", "ログイン処理はどこにありますか"),
    ("ja", "purpose", "get_cookie_domain", "get_cookie_domainは何をしますか？"),
    ("ja", "purpose", "abort", "abortは何をする関数ですか"),
    ("ja", "how", "", "セッションクッキーのドメインはどのように決まりますか？"),
    ("ja", "callers", "save_session", "`save_session` を呼び出しているのは誰ですか？"),
    ("ja", "callers", "save_session", "誰が`save_session`を使っていますか"),
    (
        "ja",
        "error",
        "parent must be provided",
        "「parent must be provided」というエラーはどこで発生しますか？",
    ),
    ("ja", "setting", "--exclude-patterns", "`--exclude-patterns` オプションはどこで定義されていますか？"),
    ("ja", "dependents", "add_url_rule", "`add_url_rule` を変更すると何が壊れますか？"),
    ("ja", "dependents", "RouterGroup", "RouterGroupに依存しているものは何ですか"),
    ("ja", "tests", "parse_known_args", "`parse_known_args` をカバーするテストはどれですか？"),
]


@pytest.fixture(scope="module")
def reader() -> QuestionReader:
    return QuestionReader()


@pytest.mark.parametrize(("language", "intent", "name", "text"), QUESTIONS, ids=[row[3] for row in QUESTIONS])
def test_a_question_is_read(reader: QuestionReader, language: str, intent: str, name: str, text: str) -> None:
    question = reader.read(text)

    first = question.names[0].text if question.names else ""
    assert (question.language, question.intent, first) == (language, intent, name.removesuffix("()"))


@pytest.mark.parametrize(
    "text",
    [
        "and who calls it?",
        "¿y quién la llama?",
        "e quem o chama?",
        "では、それを呼び出しているのは誰ですか？",
    ],
)
def test_a_follow_up_asks_about_what_the_question_before_named(reader: QuestionReader, text: str) -> None:
    question = reader.read(text, ["What does `save_session` do?", "`save_session` is defined in `a.py`."])

    assert question.follows_up
    assert question.intent == "callers"
    assert [name.text for name in question.names] == ["save_session"]


def test_a_follow_up_on_a_question_without_names_takes_the_first_name_of_its_answer(
    reader: QuestionReader,
) -> None:
    earlier = [
        "How is the cookie domain decided?",
        "The closest match is `Session.get_domain` (method) in `a.py`.",
    ]

    assert [name.text for name in reader.read("which tests cover it?", earlier).names] == [
        "Session.get_domain"
    ]


def test_a_follow_up_reaches_past_an_exchange_that_named_nothing(reader: QuestionReader) -> None:
    earlier = [
        "What does `load` do?",
        "`load` is defined in `a.py`.",
        "and why is that?",
        "No evidence was found.",
    ]

    assert [name.text for name in reader.read("who calls it?", earlier).names] == ["load"]


def test_a_question_that_names_something_itself_is_no_follow_up(reader: QuestionReader) -> None:
    question = reader.read("and who calls `load`?", ["What does `save` do?", "`save` is defined in `a.py`."])

    assert [name.text for name in question.names] == ["load"]
    assert not question.follows_up


def test_ideas_are_found_in_code_whatever_their_form_and_language(reader: QuestionReader) -> None:
    question = reader.read("¿Cómo se valida la sesión?")

    assert question.ideas_in("def validate_session(self): ...") == {"valida", "sesión"}
    assert question.ideas_in("return None") == frozenset()


def test_a_language_without_phrases_is_answered_in_english(reader: QuestionReader) -> None:
    assert reader.read("где определена функция `load`").language == "en"


@pytest.mark.parametrize("text", ["", " ", "?", "`", "``", "§", "\0", '"', "a" * 5000])
def test_any_text_can_be_read(reader: QuestionReader, text: str) -> None:
    assert reader.read(text).text == text


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Who calls locate?", ["locate"]),
        ("¿Quién llama a locate?", ["locate"]),
        ("who uses get user?", ["get_user", "getUser"]),
        ("which tests cover dispatch request?", ["dispatch_request", "dispatchRequest"]),
        ("who calls `locate`?", []),
        ("how does the loop decide which tools to run next?", []),
    ],
)
def test_plain_words_are_guessed_to_be_the_name_where_nothing_is_named(
    reader: QuestionReader, text: str, names: list[str]
) -> None:
    assert [name.text for name in reader.read(text).guessed] == names


@pytest.mark.parametrize(
    ("question", "intent", "then"),
    [
        ("Where is an address validated and who calls it?", "definition", "callers"),
        ("¿Dónde se valida el token y quién lo llama?", "definition", "callers"),
        ("Onde são validadas as tarifas e quem chama essa função?", "definition", "callers"),
        ("住所はどこで検証され、誰が呼び出しますか？", "definition", "callers"),
        ("How are names and addresses compared?", "how", None),
        ("Who calls it?", "callers", None),
    ],
)
def test_a_second_question_about_what_the_first_finds_is_told_apart(question, intent, then):
    read = QuestionReader().read(question, ["What does `abort` do?", "`abort` ends it."] if not then else ())
    assert (read.intent, read.then) == (intent, then)


@pytest.mark.parametrize(
    ("question", "follows"),
    [
        ("who calls it?", True),
        ("And where is it defined?", True),
        ("Where is a password checked against its stored digest?", False),
        ("¿Dónde se guarda la contraseña y quién la usa?", False),
    ],
)
def test_a_pronoun_with_its_subject_before_it_leans_on_no_earlier_question(question, follows):
    earlier = ["What does `abort_run` do?", "`abort_run` ends the run."]
    assert QuestionReader().read(question, earlier).follows_up is follows
