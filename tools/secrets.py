"""What is withheld and what is masked: files that are secret by name, and secret values inside other files.

Masking keeps every line and every column where it was, so that line numbers, citations and search results agree
with the file on disk. It is best effort: it favours hiding a harmless literal over showing a password, and it
knowingly misses secrets put together from pieces and passwords without digits.

A rule is looked for where one of its keywords stands and nowhere else. Finding keywords costs next to nothing, so
the patterns, which are slow, see only a small part of a text.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

RULES_VERSION = 2
"""Raise it with every change to the rules: what was indexed under other rules must be read again."""

Span: TypeAlias = tuple[int, int, str]
"""Where a secret value starts and ends, and the rule that found it."""


@dataclass(frozen=True, slots=True)
class _Rule:
    name: str
    keywords: tuple[str, ...]
    pattern: re.Pattern[str]
    """Matches at a keyword; hides its group `v`, or all of it where it has none."""
    ignores_case: bool = False
    """The keywords are lower case and are looked for in the text in lower case."""
    before: int = 0
    """How many characters before its keyword the pattern begins."""


def _rule(name: str, keywords: str, pattern: str, *, ignores_case: bool = False, before: int = 0) -> _Rule:
    flags = re.IGNORECASE if ignores_case else 0
    return _Rule(name, tuple(keywords.split()), re.compile(pattern, flags | re.ASCII), ignores_case, before)


_ENDS = r"(?![\w-])"
_RULES: tuple[_Rule, ...] = (
    _rule(
        "aws_id",
        "AKIA ASIA ABIA ACCA A3T",
        rf"(?<!\w)(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z2-7]{{16}}{_ENDS}",
    ),
    _rule("github", "ghp_ gho_ ghu_ ghs_ ghr_", rf"(?<!\w)gh[pousr]_[0-9A-Za-z]{{36,255}}{_ENDS}"),
    _rule("github", "github_pat_", rf"(?<!\w)github_pat_\w{{82}}{_ENDS}"),
    _rule(
        "gitlab",
        "glpat- glptt- gldt- glrt- glcbt- glsoat- glft- glimt- glagent- gloas-",
        r"(?<!\w)gl(?:pat|ptt|dt|rt|cbt|soat|ft|imt|agent|oas)-[\w-]{20,}",
    ),
    _rule(
        "slack",
        "xoxa- xoxb- xoxe- xoxp- xoxr- xoxs-",
        r"(?<!\w)xox[abeprs]-(?=[\w-]{0,60}\d)(?:\d{8,}-)?[\w-]{10,}",
    ),
    _rule("slack", "hooks.slack.com/", r"hooks\.slack\.com/(?:services|workflows)/(?P<v>[A-Za-z0-9+/]{30,})"),
    _rule("stripe", "sk_ rk_", r"(?<!\w)[sr]k_(?:live_|test_|prod_)?(?=[A-Za-z]{0,60}\d)[0-9A-Za-z]{20,}"),
    _rule("stripe", "whsec_", r"(?<!\w)whsec_[0-9A-Za-z+/=]{20,}"),
    _rule("google", "AIza", rf"(?<!\w)AIza[\w-]{{35}}{_ENDS}"),
    _rule("google", "ya29.", r"(?<!\w)ya29\.[\w-]{20,}"),
    _rule("google", "GOCSPX-", r"(?<!\w)GOCSPX-[\w-]{28}"),
    _rule("openai", "sk-proj- sk-svcacct- sk-admin-", r"(?<!\w)sk-(?:proj|svcacct|admin)-[\w-]{40,}"),
    _rule("anthropic", "sk-ant-", r"(?<!\w)sk-ant-[a-z0-9]+-[\w-]{80,}"),
    _rule("huggingface", "hf_", rf"(?<!\w)hf_[A-Za-z]{{34}}{_ENDS}"),
    _rule("npm", "npm_", rf"(?<!\w)npm_[A-Za-z0-9]{{36}}{_ENDS}"),
    _rule("pypi", "pypi-AgEIcHlwaS5vcmc", r"pypi-AgEIcHlwaS5vcmc[\w-]{50,}"),
    _rule("sendgrid", "SG.", r"(?<!\w)SG\.[\w-]{20,24}\.[\w-]{39,50}"),
    _rule("vault", "hvs. hvb. hvr.", r"(?<!\w)hv[sbr]\.[\w-]{24,}"),
    _rule("digitalocean", "doo_v1_ dop_v1_ dor_v1_", rf"(?<!\w)do[opr]_v1_[a-f0-9]{{64}}{_ENDS}"),
    _rule(
        "azure",
        "accountkey= sharedaccesskey=",
        r"(?:AccountKey|SharedAccessKey)=(?P<v>[A-Za-z0-9+/]{40,}={0,2})",
        ignores_case=True,
    ),
    _rule("azure", "Q~", r"(?<![\w~.])[\w~.]{3}\dQ~[\w~.-]{31,34}", before=4),
    _rule("jwt", "eyJ", r"(?<!\w)eyJ[A-Za-z0-9_-]{12,}\.ey[A-Za-z0-9_-]{15,}\.[A-Za-z0-9_-]{10,}"),
    _rule("age", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
    _rule(
        "url_password",
        "://",
        r"://[^\s:/@'\"<>{}]{0,80}:(?!(?i:password|passwd|pass|pwd|token|secret)@)(?P<v>[^\s:/@'\"<>{}$%]{3,100})@",
    ),
    _rule(
        "connection",
        "password= pwd=",
        r"(?:password|pwd)=(?P<v>[^;\s&'\"]{6,100})(?=;)",
        ignores_case=True,
    ),
    _rule(
        "auth_header",
        "authorization",
        r"authorization['\"]?\]?\s{0,3}[:=,]\s{0,3}[bfru]{0,2}['\"]?(?:bearer|basic|token)\s+"
        r"(?=[\w.~+/=-]{0,200}[0-9+/=])(?P<v>[\w.~+/=-]{16,})",
        ignores_case=True,
    ),
    _rule(
        "netrc",
        "machine",
        r"machine\s{1,9}\S{1,99}\s{1,9}login\s{1,9}\S{1,99}\s{1,9}password\s{1,9}(?P<v>[^\s'\"`\\]{1,200})",
    ),
)

_KEY_BEGIN = re.compile(r"-----BEGIN[ A-Z0-9_-]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_END = re.compile(r"-----END[ A-Z0-9_-]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_BODY = re.compile(r"[A-Za-z0-9+/=]{32,}")
_KEY_BODY_STARTS_WITHIN = 400  # "Proc-Type" and "DEK-Info" or a comment may stand before it
_MAX_KEY_LENGTH = 64 * 1024
_UNENDED_KEY_LENGTH = 4096

_SECRET_NAMES = (
    *("passw", "pwd", "secret", "token", "credential"),
    *("apikey", "api_key", "api-key", "accesskey", "access_key", "access-key"),
    *("privatekey", "private_key", "private-key"),
)
_NAME = r"(?:passw(?:or)?d|passwd|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential)"
_ASSIGNED = re.compile(
    _NAME + r"[\w.-]{0,40}['\"]?\]?(?::\s{0,3}[\w.\[\]| ]{1,40}?)?\s{0,8}(?::=|=>|=(?!=)|:)\s{0,8}"
    r"[bru]{0,2}(?P<q>['\"`])(?P<v>[^'\"`\n]{8,200})(?P=q)",
    re.IGNORECASE | re.ASCII,
)
_ENV_ASSIGNED = re.compile(
    r"[ \t]*(?:-[ \t]+)?(?:(?:export|set|env|arg)[ \t]+)?[\w.]{0,60}" + _NAME + r"[\w.]{0,40}="
    r"(?P<v>[^\s'\"`$(){}\[\],;<>]{8,200})[ \t]*\r?(?:\n|\Z)",
    re.IGNORECASE | re.ASCII,
)
_YAML_UNQUOTED = re.compile(
    r"[ \t]*(?:-[ \t]+)?['\"]?[\w.-]{0,60}" + _NAME + r"[\w.-]{0,40}['\"]?[ \t]*:[ \t]+"
    r"(?P<v>[^\s'\"`#{}()\[\],;|<>&*]{8,200})[ \t]*(?:#[^\n]*)?\r?(?:\n|\Z)",
    re.IGNORECASE | re.ASCII,
)
_TYPE_NAME = re.compile(r"[A-Z][A-Za-z]*\d{1,3}[A-Za-z]*\Z")
_PLACEHOLDER = re.compile(
    r"example|placeholder|change.?me|your[_-]|dummy|xxxx|<[^>]*>|\$\{|\{\{|%\(|redacted|sample|os\.environ|getenv"
    r"|process\.env|none|null|true|false|\A(.)\1*\Z",
    re.IGNORECASE,
)
_MIN_ENTROPY = 3.0
_QUOTES = "'\"`"
# Generic patterns look at this much of a line around a keyword, so that one endless line costs no more than others.
_WINDOW_BEFORE, _WINDOW_AFTER = 100, 400

_SECRET_FILE = re.compile(
    r"""
    (?:.*/)?(?:
        \.env
      | \.env\.(?!(?:example|sample|template)$)[^/]*
      | [^/]*\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ovpn|tfvars|age|gpg)
      | [^/]*\.tfstate[^/]*
      | id_(?:rsa|ed25519|ecdsa)(?![^/]*\.pub$)[^/]*
      | \.netrc | _netrc | \.pypirc | \.npmrc | \.yarnrc\.yml | \.pgpass | \.my\.cnf | \.htpasswd
      | \.git-credentials | \.dockercfg | \.docker/config\.json | credentials | kubeconfig
      | secrets\.ya?ml | service-account[^/]*\.json
      | \.(?:aws|ssh|gnupg)/.*
    )\Z""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)


def is_secret_file(path: str) -> bool:
    """Whether a file holds secrets by its name: its content is then neither indexed nor shown."""
    return _SECRET_FILE.match(path) is not None


def mask(text: str) -> tuple[str, Mapping[str, int]]:
    """Replace secret values by `[REDACTED:rule]`, cut or filled to their length; and say how many by which rule."""
    spans = sorted(_secret_spans(text))
    if not spans:
        return text, {}
    parts: list[str] = []
    counts: Counter[str] = Counter()
    done = 0
    for start, end, rule in spans:
        if end <= done:
            continue
        start = max(start, done)
        parts += (text[done:start], _cover(text[start:end], rule))
        counts[rule] += 1
        done = end
    return "".join([*parts, text[done:]]), dict(counts)


def _secret_spans(text: str) -> Iterator[Span]:
    # This letter alone changes the length of a text in lower case, and with it every position.
    lower = text.replace("\u0130", "I").lower()
    yield from _private_keys(text)
    for rule in _RULES:
        where = lower if rule.ignores_case else text
        for keyword in rule.keywords:
            for position in _positions(where, keyword):
                found = rule.pattern.match(text, max(position - rule.before, 0))
                if found:
                    yield *found.span("v" if "v" in rule.pattern.groupindex else 0), rule.name
    for keyword in _SECRET_NAMES:
        for position in _positions(lower, keyword):
            yield from _assigned_values(text, position)


def _positions(text: str, keyword: str) -> Iterator[int]:
    position = text.find(keyword)
    while position >= 0:
        yield position
        position = text.find(keyword, position + len(keyword))


def _private_keys(text: str) -> Iterator[Span]:
    for position in _positions(text, "-----BEGIN"):
        begin = _KEY_BEGIN.match(text, position)
        # Code that looks for the marker is not a key: one has a body right behind it.
        if not begin or not _KEY_BODY.search(text, begin.end(), begin.end() + _KEY_BODY_STARTS_WITHIN):
            continue
        end = _KEY_END.search(text, begin.end(), begin.end() + _MAX_KEY_LENGTH)
        yield (
            begin.start(),
            end.end() if end else min(begin.end() + _UNENDED_KEY_LENGTH, len(text)),
            "private_key",
        )


def _assigned_values(text: str, position: int) -> Iterator[Span]:
    """Values given to a name that has a secret-sounding keyword at `position`."""
    line = text.rfind("\n", max(position - _WINDOW_BEFORE, 0), position) + 1
    limit = position + _WINDOW_AFTER
    quoted = _ASSIGNED.match(text, position, limit)
    if quoted:
        if _looks_secret(quoted["v"]):
            yield *quoted.span("v"), "assigned"
        return
    if not line and position > _WINDOW_BEFORE:
        return  # too far from the beginning of its line
    for pattern, rule in ((_ENV_ASSIGNED, "env_assigned"), (_YAML_UNQUOTED, "yaml_unquoted")):
        bare = pattern.match(text, line, limit)
        if bare and _looks_secret(bare["v"]) and not _TYPE_NAME.match(bare["v"]):
            yield *bare.span("v"), rule


def _looks_secret(value: str) -> bool:
    if not any(character.isdigit() for character in value) or _PLACEHOLDER.search(value):
        return False
    return _entropy(value) >= _MIN_ENTROPY


def _entropy(value: str) -> float:
    """Shannon's, in bits for each character."""
    shares = [count / len(value) for count in Counter(value).values()]
    return -sum(share * math.log2(share) for share in shares)


def _cover(value: str, rule: str) -> str:
    """The label over a value's first line, stars over the rest: as many lines, each as long as before.

    Quotes and indentation stay: without its closing quote a string would swallow the code below it, and names
    would shift.
    """
    label = f"[REDACTED:{rule}]"
    covered: list[str] = []
    for line in value.split("\n"):
        ending = "\r" if line.endswith("\r") else ""
        length = len(line) - len(ending)
        indentation = line[: len(line) - len(line.lstrip(" \t"))][:length]
        over = indentation + label[: length - len(indentation)].ljust(length - len(indentation), "*")
        kept = (was if was in _QUOTES else now for was, now in zip(line, over, strict=False))
        covered.append("".join(kept) + ending)
        label = ""
    return "\n".join(covered)
