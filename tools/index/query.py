"""A question taken apart: the ideas it holds, the names and messages it quotes, and what it asks about.

A *concept* is one content word of the question with everything that may stand for it in code: its own index terms,
those of its translations, and other forms of the word. Names (identifiers, quoted or not) are concepts too. What
holds a sentence together, and what only does the asking, is left out.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from tools.index.glossary import Glossary
from tools.index.stopwords import IDEOGRAPH, KANA, Language, is_stop_word, language_of_question
from tools.index.words import split_identifier, terms

LONGEST_QUESTION = 20_000
"""Characters. Whole issue reports come as questions; beyond this they are logs."""
LONGEST_PLAIN_QUESTION = 300
"""Characters. What is longer is a report, with a heading and a body."""
BODY_EMPHASIS = 0.15
"""Of a word that a report says once, below its heading."""
COMMENTED_OUT = re.compile(r"<!--.*?-->", re.S)
"""The instructions of an issue form, left in the report."""

QUOTED = re.compile(
    r"\"([^\"\n]{8,300})\"|“([^”\n]{8,300})”|«([^»\n]{8,300})»|「([^」\n]{4,300})」|(?<!\w)'([^'\n]{8,300})'(?!\w)"
)
FEWEST_MESSAGE_WORDS = 3
"""Shorter quotations are terms and commands, which stand in many places."""
MOST_MESSAGES = 5
RAISED = re.compile(r"(?:^|\s)(?:[A-Za-z_][\w.]*)?(?:Error|Exception|Warning|panic|Panic): ([^\n]{12,300})")
"""An error as programs print it: what follows its kind is a message that some code holds."""
NAME = re.compile(r"--[a-z][\w-]+|\.?[A-Za-z_$][\w$]*(?:(?:\.|::|#|->|/)[A-Za-z_$][\w$]*)*(?:\(\))?")
PATH = re.compile(
    r"(?<![\w/.-])(?:[\w.-]+/)*[\w-]+\.(?:[a-z]{1,4}|[a-z]+\d?)(?![\w/(])|(?<![\w/.-])(?:[\w.-]+/)+[\w.-]+"
)
FILE_SUFFIX = re.compile(
    r"\.(?:py|pyi|js|jsx|ts|tsx|mts|mjs|cjs|go|rs|java|kt|rb|php|c|h|cc|cpp|hpp|cs|swift|scala|sh|lua|ex|exs|md|rst|txt"
    r"|toml|yaml|yml|json|ini|cfg|sql|html|css|vue|svelte|tf|ipynb|xml|proto)$"
)
INNER_CAPITAL = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]")
ASKS_DEFINITION = re.compile(
    r"\b(?:where|which|what)\b.{0,80}\bdefin|\bdefinition of\b|\bdeclared\b|d[oó]nde .{0,60}defin|onde .{0,60}defin|定義",
    re.I | re.S,
)
ASKS_AREA: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "tests",
        re.compile(
            r"\b(?:which|what|unit|integration|regression) tests?\b|\btests? (?:for|covering)\b|\btested\b"
            r"|\btest cases?\b|\b(?:qué|cuál|cuáles|quais|qual|que) (?:pruebas?|testes?)\b|\bpruebas? unitarias?\b"
            r"|\btestes? unitários?\b|どのテスト|単体テスト",
            re.I,
        ),
    ),
    (
        "config",
        re.compile(
            r"\bdeploy\w*|\breplicas?\b|\bcron ?jobs?\b|\bkubernetes\b|\bk8s\b|\bdocker\w*|\bcontinuous integration\b"
            r"|\bCI\b(?! ?\.)|\bdesplieg\w*|\bdespleg\w*|\bimplanta\w*|デプロイ|レプリカ|コンテナ",
            re.I,
        ),
    ),
    (
        "docs",
        re.compile(
            r"\b(?:docs|documentation|documented|readme|changelog|release notes)\b"
            r"|documentaci[oó]n|documenta[cç][aã]o|ドキュメント",
            re.I,
        ),
    ),
    (
        "examples",
        re.compile(
            r"(?<!for )\b(?:examples?|tutorials?|sample app\w*)\b|(?<!por )\b(?:ejemplos?|exemplos?)\b|サンプル",
            re.I,
        ),
    ),
)
THEN_WHO_USES = re.compile(
    r"[,;]?\s+(?:and|y|e)\s+(?:who|what|which|where|qui[eé]n(?:es)?|qu[eé]|d[oó]nde|quem|que|onde)\b[^,.;?]{0,40}?"
    r"\b(?:calls?|uses?|called|used|llaman?|usan?|utilizan?|chamam?|usam?|utilizam?)\b"
    r"(?:\s+(?:it|them|this|essa?|est[ea]|a|la|esa)?\b(?:\s+(?:fun\w+|m[eé]todo|method))?)?(?=\s*[?.!]?\s*$)"
    r"|、(?:それを)?(?:誰|どこ)[がで](?:呼|使)[^。？?]*",
    re.I,
)
"""A second question about whatever the first one finds: its words are no part of what is looked for."""
FOREIGN_LETTERS = re.compile(r"[kw]", re.I)
"""Spanish and Portuguese hardly write these: a word with one is a name or a borrowed term."""


@dataclass(frozen=True, slots=True)
class Concept:
    """One idea of the question. It is held by a text that has all terms of any of its alternatives."""

    word: str
    alternatives: tuple[tuple[str, ...], ...]
    """The word's own terms first, then translations and other forms."""
    is_name: bool = False
    must_count: bool = True
    """False when not finding it says nothing: a foreign word that has no translation."""
    emphasis: float = 1.0
    """Less for what only the body of a report says, more the oftener it says it."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a question asks for."""

    text: str
    language: Language
    concepts: tuple[Concept, ...]
    names: tuple[str, ...]
    """Identifiers, as written without call brackets, in order."""
    loose_names: tuple[str, ...]
    """Words that may be names: capitalised inside a sentence, or the whole question."""
    messages: tuple[str, ...]
    """Text that must occur literally."""
    paths: tuple[str, ...]
    areas: frozenset[str]
    """Areas that the question asks about by name."""
    asks_definition: bool


class Analyst:
    """Takes questions apart; keeps the glossaries that it has needed so far."""

    def __init__(self, glossary: Callable[[str], Glossary] = Glossary) -> None:
        self._load = glossary
        self._glossaries: dict[str, Glossary] = {}

    def analyse(self, text: str) -> Question:
        """Every part of the question, in order and each once."""
        text = COMMENTED_OUT.sub(" ", text[:LONGEST_QUESTION]).strip()
        language = language_of_question(_without_code(text))
        messages = tuple(dict.fromkeys(_messages(text)))[:MOST_MESSAGES]
        paths = tuple(dict.fromkeys(match[0] for match in PATH.finditer(text) if _is_path(match[0])))
        names = tuple(dict.fromkeys(name for name in _names(text) if name not in paths))
        return Question(
            text=text,
            language=language,
            concepts=_emphasised(
                text, _merged(self._concepts(THEN_WHO_USES.sub(" ", text), language, names))
            ),
            names=names,
            loose_names=tuple(dict.fromkeys(_loose_names(text, names))),
            messages=messages,
            paths=paths,
            areas=frozenset(area for area, pattern in ASKS_AREA if pattern.search(heading_of(text))),
            asks_definition=ASKS_DEFINITION.search(text) is not None,
        )

    def _concepts(self, text: str, language: Language, names: Iterable[str]) -> Iterator[Concept]:
        for name in names:
            yield _name_concept(name)
        prose = _without(text, names)
        if language == "ja":
            yield from self._japanese(prose)
        elif language in ("es", "pt"):
            yield from self._foreign(prose, language)
        else:
            yield from self._english(prose, language)

    def _english(self, prose: str, language: Language) -> Iterator[Concept]:
        words = [word for word in re.findall(r"\w+", prose) if not is_stop_word(word, language)]
        forms = {each.start: each.english for each in self._glossary("en").words(words) if each.length == 1}
        for place, word in enumerate(words):
            others = tuple(tuple(terms(form)) for form in forms.get(place, ()))
            yield Concept(word, (tuple(terms(word)), *others), must_count=language == "en" or word.isascii())

    def _foreign(self, prose: str, language: Language) -> Iterator[Concept]:
        words = re.findall(r"\w+", prose)
        translated: set[int] = set()
        for each in self._glossary(language).words(words):
            places = range(each.start, each.start + each.length)
            if all(is_stop_word(words[place], language) for place in places):
                continue
            translated.update(places)
            written = " ".join(words[place] for place in places)
            english = tuple(tuple(terms(word)) for word in each.english)
            yield Concept(written, (*english, tuple(terms(written))))
        for place, word in enumerate(words):
            if place not in translated and not is_stop_word(word, language):
                yield Concept(word, (tuple(terms(word)),), must_count=_is_borrowed(word, first=place == 0))

    def _japanese(self, prose: str) -> Iterator[Concept]:
        for each in self._glossary("ja").japanese(prose):
            written = prose[each.start : each.start + each.length]
            if not is_stop_word(written, "ja"):
                english = tuple(tuple(terms(word)) for word in each.english)
                yield Concept(written, (*english, tuple(terms(written))))
        for word in re.findall(r"[A-Za-z][A-Za-z0-9_]+", prose):
            if not is_stop_word(word, "ja"):
                yield Concept(word, (tuple(terms(word)),))

    def _glossary(self, language: str) -> Glossary:
        if language not in self._glossaries:
            self._glossaries[language] = self._load(language)
        return self._glossaries[language]


def heading_of(text: str) -> str:
    """What a report is about: its first line. All of a text that is no report."""
    return text.partition("\n")[0] if len(text) > LONGEST_PLAIN_QUESTION else text


def is_identifier(word: str) -> bool:
    """Whether a word can only be code: inner capitals, underscores, dots, colons, brackets, a leading `--`."""
    bare = word.removesuffix("()").strip(".")
    return (
        word.endswith("()")
        or word.startswith("--")
        or (word.startswith(".") and len(bare) > 2)
        or "_" in bare.strip("_")
        or (bare.startswith("__") and len(bare) > 4)
        or "::" in bare
        or "->" in bare
        or "#" in bare
        or (
            "." in bare
            and all(len(part) > 1 for part in bare.split("."))
            and not bare.lower().startswith("e.g")
        )
        or bool(INNER_CAPITAL.search(bare))
    )


def _messages(text: str) -> Iterator[str]:
    for match in QUOTED.finditer(text):
        quoted = next(group for group in match.groups() if group is not None).strip()
        if len(re.findall(r"\w+", quoted)) >= FEWEST_MESSAGE_WORDS or (
            IDEOGRAPH.search(quoted) and KANA.search(quoted)
        ):
            yield quoted
    for match in RAISED.finditer(text):
        yield match[1].strip()


def _names(text: str) -> Iterator[str]:
    for match in NAME.finditer(text):
        written = match[0]
        around = text[max(0, match.start() - 1) : match.start()] + text[match.end() : match.end() + 1]
        if is_identifier(written) or around == "``":
            name = written.removesuffix("()").strip("./")
            if len(name) > 1 and "/" not in name:
                yield name


def _loose_names(text: str, names: Iterable[str]) -> Iterator[str]:
    if re.fullmatch(r"[A-Za-z_$][\w$]*", text):
        yield text
    known = {part for name in names for part in re.split(r"\W+", name)}
    for match in re.finditer(r"(?<=[\w,;:] )[A-Z][a-z]{2,}\w*", text):
        if match[0] not in known:
            yield match[0]


def _name_concept(name: str) -> Concept:
    own = terms(name)
    whole = "".join(split_identifier(re.split(r"\W+", name)[-1]))
    first = (whole,) if whole in own else tuple(own)
    return Concept(name, (first,), is_name=True)


def _merged(concepts: Iterable[Concept]) -> Iterator[Concept]:
    """Each idea once: a concept whose own terms were seen before is dropped, and so is one without terms."""
    seen: set[tuple[str, ...]] = set()
    for concept in concepts:
        alternatives = tuple(dict.fromkeys(each for each in concept.alternatives if each))
        if alternatives and alternatives[0] not in seen:
            seen.add(alternatives[0])
            yield Concept(concept.word, alternatives, concept.is_name, concept.must_count)


def _emphasised(text: str, concepts: Iterable[Concept]) -> tuple[Concept, ...]:
    """A report's heading says what it is about; its body adds logs, versions and other people's code."""
    heading = heading_of(text)
    if heading == text:
        return tuple(concepts)
    first, times = set(terms(heading)), Counter(terms(text))
    return tuple(
        each
        if any(first.issuperset(form) for form in each.alternatives)
        else replace(each, emphasis=min(1.0, BODY_EMPHASIS * (1 + math.log(max(1, _said(each, times))))))
        for each in concepts
    )


def _said(concept: Concept, times: Mapping[str, int]) -> int:
    return max(min(times[term] for term in form) for form in concept.alternatives)


def _is_borrowed(word: str, *, first: bool) -> bool:
    """A word that is no everyday Spanish or Portuguese: a name, an acronym, a borrowed term."""
    if not word.isascii() or word.isdigit():
        return False
    if word[1:] != word[1:].lower() or any(letter.isdigit() for letter in word):
        return True
    return FOREIGN_LETTERS.search(word) is not None or (word[0].isupper() and not first)


def _is_path(text: str) -> bool:
    return FILE_SUFFIX.search(text) is not None


def _without(text: str, names: Iterable[str]) -> str:
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<![\w$]){re.escape(name)}(?![\w$])", " ", text)
    return text


def _without_code(text: str) -> str:
    return re.sub(r"`[^`\n]*`|\"[^\"\n]*\"", " ", text)
