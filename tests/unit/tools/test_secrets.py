"""The secrets in here are made up at run time, from pieces, so that no scanner finds one in this file."""

from __future__ import annotations

import ast
import random
import string
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.secrets import is_secret_file, mask

_RANDOM = random.Random(7)


def _made_of(characters: str, length: int) -> str:
    return "".join(_RANDOM.choice(characters) for _ in range(length - 1)) + "7"


ALPHANUMERIC = string.ascii_letters + string.digits
HEX = string.hexdigits[:16]
VALUE = _made_of(ALPHANUMERIC, 24)
KEY_BODY = "\n".join(_made_of(ALPHANUMERIC + "+/", 64) for _ in range(12))
DASHES = "-" * 5
PRIVATE_KEY = f"{DASHES}BEGIN RSA PRIVATE KEY{DASHES}\n{KEY_BODY}\n{DASHES}END RSA PRIVATE KEY{DASHES}"
JWT = ".".join(
    (
        "ey" + "J" + _made_of(ALPHANUMERIC, 30),
        "ey" + "J" + _made_of(ALPHANUMERIC, 60),
        _made_of(ALPHANUMERIC, 43),
    )
)

NAMED = {
    "aws_id": "AKIA" + _made_of("ABCDEFGH2345", 15) + "Q",
    "github": "gh" + "p_" + _made_of(ALPHANUMERIC, 36),
    "gitlab": "gl" + "pat-" + _made_of(ALPHANUMERIC, 20),
    "slack": "xo" + "xb-" + _made_of(string.digits, 12) + "-" + _made_of(ALPHANUMERIC, 24),
    "stripe": "sk_" + "live_" + _made_of(ALPHANUMERIC, 24),
    "google": "AI" + "za" + _made_of(ALPHANUMERIC, 35),
    "openai": "sk-" + "proj-" + _made_of(ALPHANUMERIC, 48),
    "anthropic": "sk-" + "ant-api03-" + _made_of(ALPHANUMERIC, 93),
    "huggingface": "hf" + "_" + "".join(_RANDOM.choice(string.ascii_letters) for _ in range(34)),
    "npm": "npm" + "_" + _made_of(ALPHANUMERIC, 36),
    "pypi": "pypi-" + "AgEIcHlwaS5vcmc" + _made_of(ALPHANUMERIC, 60),
    "sendgrid": "SG" + "." + _made_of(ALPHANUMERIC, 22) + "." + _made_of(ALPHANUMERIC, 43),
    "vault": "hv" + "s." + _made_of(ALPHANUMERIC, 26),
    "digitalocean": "do" + "p_v1_" + _made_of(HEX, 64),
    "azure": _made_of(ALPHANUMERIC, 3) + "8Q" + "~" + _made_of(ALPHANUMERIC, 32),
    "jwt": JWT,
    "age": "AGE-SECRET" + "-KEY-1" + _made_of(string.ascii_uppercase + string.digits, 58),
}
IN_CONTEXT = {
    "private_key": (PRIVATE_KEY, PRIVATE_KEY),
    "slack": ("https://hooks.slack.com/services/{}", _made_of(ALPHANUMERIC, 44)),
    "azure": ("DefaultEndpoints;AccountKey={}", _made_of(ALPHANUMERIC, 86)),
    "url_password": ("postgres://app:{}@db.local/app", "s3cr3t-pw"),
    "connection": ("Server=db;User=sa;Password={};", "Summer!2024"),
    "auth_header": ("Authorization: Bearer {}", VALUE),
    "netrc": ("machine api.local login ada password {}", "hunter-two-2"),
    "assigned": ("api_key = '{}'", VALUE),
    "env_assigned": ("export DB_PASSWORD={}", VALUE),
    "yaml_unquoted": ("  client_secret: {}  # keep", VALUE),
}


@pytest.mark.parametrize("rule", NAMED)
def test_a_token_with_a_known_shape_is_masked_where_it_stands(rule: str) -> None:
    text = f"first\nx = f({NAMED[rule]!r}, 1)\nlast"
    masked, counts = mask(text)
    assert counts == {rule: 1}
    assert NAMED[rule] not in masked
    assert masked.startswith("first\nx = f('[REDACTED:")
    assert masked.endswith("', 1)\nlast")


@pytest.mark.parametrize("rule", IN_CONTEXT)
def test_a_value_is_masked_for_what_stands_around_it(rule: str) -> None:
    template, value = IN_CONTEXT[rule]
    masked, counts = mask(f"before\n{template.format(value)}\nafter\n")
    assert counts == {rule: 1}
    assert value not in masked
    assert masked.startswith("before\n")
    assert masked.endswith("\nafter\n")


def _written_as_code(text: str) -> list[str]:
    """Ways in which source code holds such a text."""
    lines = text.split("\n")
    pieces = "\n    ".join(repr(line + "\n") for line in lines)
    return [f"x = {text!r}", f"x = (\n    {pieces}\n)", f'x = f({text!r}, "later")']


@pytest.mark.parametrize(
    "text", [*NAMED.values(), *(template.format(value) for template, value in IN_CONTEXT.values())]
)
def test_masking_leaves_the_code_around_a_secret_whole(text: str) -> None:
    """A closing quote under the mask would let a string swallow all that follows, and every name would shift."""
    for code in _written_as_code(text):
        masked, _ = mask(f"{code}\n\ndef after():\n    pass\n")
        (after,) = [node for node in ast.walk(ast.parse(masked)) if isinstance(node, ast.FunctionDef)]
        assert after.lineno == code.count("\n") + 3


@pytest.mark.parametrize(
    "line",
    [
        'const dbPassword: string = "{}";',
        "'secret': '{}',",
        '"accessKey" : "{}"',
        "config['api_key'] = \"{}\"",
        "token := `{}`",
        "auth_token => '{}'",
        "ENV API_TOKEN={}",
        "spring.datasource.password={}",
        "- SECRET_KEY={}",
    ],
)
def test_the_ways_to_assign_a_secret_are_known(line: str) -> None:
    masked, _ = mask(line.format(VALUE))
    assert VALUE not in masked


@pytest.mark.parametrize(
    "line",
    [
        "password = os.environ['DB_PASSWORD_2']",
        'password = "your-password-123"',
        'password = "changeme123"',
        'api_key = "EXAMPLE-KEY-12345"',
        'token = "xxxxxxxxxxxxxxxx1"',
        'secret = "${VAULT_SECRET_2}"',
        'password = ""',
        "def check_password(password: str) -> bool:",
        "for token in tokens[:10]:",
        'TOKEN_URL = "/oauth/token"',
        "token: OAuth2Token",
        "https://user:password@host/",
        "https://example.org:8080/path@2",
        f"if '{DASHES}BEGIN PRIVATE KEY{DASHES}' in text:\n    return parse(text)",
        "task_idsk_id = risk_score",
        "KEYBOARD = AKIAA",
        "sha256 = '" + _made_of(HEX, 64) + "'",
    ],
)
def test_what_is_no_secret_stays(line: str) -> None:
    assert mask(line) == (line, {})


def test_a_private_key_keeps_its_lines_and_their_lengths() -> None:
    text = f"before\n{PRIVATE_KEY}\nafter"
    masked, _ = mask(text)
    assert [len(line) for line in masked.split("\n")] == [len(line) for line in text.split("\n")]
    assert masked.split("\n")[0] == "before"
    assert masked.split("\n")[-1] == "after"
    assert KEY_BODY[:30] not in masked
    assert KEY_BODY[-30:] not in masked


def test_a_private_key_on_one_line_is_masked() -> None:
    literal = PRIVATE_KEY.replace("\n", "\\n")
    masked, counts = mask(f'key = "{literal}"; rest()')
    assert counts == {"private_key": 1}
    assert masked.endswith('*"; rest()')


def test_a_private_key_without_an_end_is_masked_as_far_as_it_may_reach() -> None:
    masked, counts = mask(PRIVATE_KEY.partition(f"{DASHES}END")[0])
    assert counts == {"private_key": 1}
    assert KEY_BODY[-30:] not in masked


def test_windows_line_endings_stay() -> None:
    text = f"a\r\n{PRIVATE_KEY}\r\nDB_PASSWORD={VALUE}\r\n".replace("\r\n", "\n").replace("\n", "\r\n")
    masked, counts = mask(text)
    assert counts == {"private_key": 1, "env_assigned": 1}
    assert masked.count("\r\n") == text.count("\r\n")


def test_a_secret_far_along_an_endless_line_is_found() -> None:
    line = "x" * 9_000 + f' "apiKey":"{VALUE}",' + "y" * 9_000
    assert VALUE not in mask(line)[0]


def test_a_letter_that_grows_in_lower_case_moves_nothing() -> None:
    text = f"# İİİİ\nDB_PASSWORD={VALUE}\n"
    assert mask(text)[0] == "# İİİİ\nDB_PASSWORD=[REDACTED:env_assigned]*\n"


def test_masking_twice_changes_nothing() -> None:
    text = "\n".join(
        [PRIVATE_KEY, *NAMED.values(), *(template.format(value) for template, value in IN_CONTEXT.values())]
    )
    masked, _ = mask(text)
    assert mask(masked)[0] == masked


@given(
    st.lists(
        st.sampled_from(
            [*NAMED.values(), f"password = '{VALUE}'", PRIVATE_KEY, "\n", "\r\n", "é", '"', "token: "]
        ),
        max_size=12,
    )
)
def test_masking_keeps_every_line_and_column(pieces: list[str]) -> None:
    text = "".join(pieces)
    masked, _ = mask(text)
    assert [len(line) for line in masked.split("\n")] == [len(line) for line in text.split("\n")]


@pytest.mark.parametrize(
    "path",
    [
        *(
            ".env",
            "config/.env.production",
            ".ENV.local",
            "certs/server.pem",
            "a.key",
            "id_rsa",
            "keys/id_ed25519_work",
        ),
        *(
            ".netrc",
            ".npmrc",
            "home/.aws/config",
            ".ssh/known_hosts",
            "infra/terraform.tfstate.backup",
            "prod.tfvars",
        ),
        *(
            "secrets.yaml",
            "secrets.yml",
            "service-account-prod.json",
            ".docker/config.json",
            "credentials",
            "kubeconfig",
        ),
    ],
)
def test_files_that_are_secret_by_name_are_withheld(path: str) -> None:
    assert is_secret_file(path)


@pytest.mark.parametrize(
    "path",
    [
        *(
            ".env.example",
            "web/.env.sample",
            ".env.template",
            "id_rsa.pub",
            "env.py",
            "keys.py",
            "credentials.py",
        ),
        *(
            "monkey.py",
            "secrets.py",
            "docs/secrets.md",
            "config.json",
            "src/.envrc.py",
            "service.json",
            "tokens.go",
        ),
    ],
)
def test_files_with_harmless_names_are_not(path: str) -> None:
    assert not is_secret_file(path)


@pytest.mark.parametrize(
    "word", ["token ", "password=", "://a:", "sk_", "eyJ", "secret: ", "machine ", "-----BEGIN "]
)
def test_text_made_of_keywords_is_no_trap(word: str) -> None:
    text = word * (200_000 // len(word))
    assert _cpu_seconds(text) < 2


def test_ordinary_code_is_masked_at_five_megabytes_a_second() -> None:
    plain = "    return [item.value for item in self.items if item.name != name]  # keep the order\n" * 12
    text = f"{plain}def get_token(self, request):\n" * 1_500
    assert len(text) / min(_cpu_seconds(text) for _ in range(3)) > 5_000_000


def _cpu_seconds(text: str) -> float:
    started = time.process_time()
    mask(text)
    return time.process_time() - started
