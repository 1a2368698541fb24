"""What a question asks: its language, its intent, the things it names, and the ideas that lines of code may hold.

Nothing is looked up here: the question and what was said before go in, a `Question` comes out. A question that
leans on the one before ("and who calls it?") takes over the names of that exchange.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from agent.names import PLACEHOLDER, Name, named_things, without_names
from agent.phrases import Language, Phrases, load_phrases
from tools.index.query import Analyst, Concept
from tools.index.words import terms

Intent: TypeAlias = Literal[
    "changed", "definition", "purpose", "how", "callers", "dependents", "error", "setting", "tests", "report"
]
"""`report` is a statement (an issue's title) rather than a question."""

_SHORTEST_GUESS = 3
"""Letters."""
_VERBS = "get|set|make|find|is|has|do|on|to|from|use|show"
"""Names begin with these, which say nothing elsewhere."""

_OF_WHAT_WAS_FOUND: frozenset[Intent | None] = frozenset({"callers", "dependents", "tests"})
_IT = Name("it", "symbol", certain=False)
_NEEDS_A_NAME: frozenset[Intent] = frozenset({"callers", "dependents", "tests", "setting"})


@dataclass(frozen=True, slots=True)
class Question:
    """One question, read."""

    text: str
    language: Language
    """The language to answer in."""
    intent: Intent
    names: tuple[Name, ...]
    """Certain ones first."""
    guessed: tuple[Name, ...] = ()
    """Where it names nothing: what its plain words would be as a name ("who calls locate?")."""
    concepts: tuple[Concept, ...] = ()
    """The ideas beside the names."""
    areas: frozenset[str] = frozenset()
    """Areas that it asks about by name (tests, docs, examples)."""
    follows_up: bool = False
    """Its names come from the exchange before."""
    then: Intent | None = None
    """What it asks besides of what the first part finds ("where is X checked, and who calls it?")."""

    @property
    def certain(self) -> tuple[Name, ...]:
        """What it names beyond doubt."""
        return tuple(name for name in self.names if name.certain)

    def ideas_in(self, text: str) -> frozenset[str]:
        """Which of its ideas the text holds, in whatever form."""
        held = set(terms(text))
        return frozenset(
            concept.word
            for concept in self.concepts
            if any(held.issuperset(alternative) for alternative in concept.alternatives)
        )


class QuestionReader:
    """Reads questions in every language that there are phrases for."""

    def __init__(self) -> None:
        self.phrases = load_phrases()
        self._analyst = Analyst()

    def read(self, text: str, earlier: Sequence[str] = ()) -> Question:
        """Read `text`; `earlier` is what was said before it, question and answer in turn, the newest last."""
        analysed = self._analyst.analyse(text)
        language: Language = "en" if analysed.language == "other" else analysed.language
        spoken = self.phrases[language]
        names = named_things(text, spoken.code_nouns)
        folded = fold(without_names(text), language)
        subjects = [
            fold(one.word, language) for one in analysed.concepts if one.word.lower() not in spoken.asking
        ]
        leans = not any(name.certain for name in names) and _leans(folded, spoken, subjects)
        follows_up = bool(earlier) and leans
        if follows_up and (inherited := self._names_of(earlier)):
            names, folded = inherited, f"{folded} {PLACEHOLDER}"
        folded, then = _two_parts(folded, names, spoken, subjects)
        guessed = () if names or then else tuple(_guessed(text, analysed.concepts, spoken))
        known = {part.lower() for name in names for part in re.split(r"\W+", name.text)}
        return Question(
            text=text,
            language=language,
            intent=_intent(folded, names or guessed, spoken),
            names=names,
            guessed=guessed,
            concepts=tuple(
                one for one in analysed.concepts if not one.is_name and one.word.lower() not in known
            ),
            areas=analysed.areas,
            follows_up=follows_up,
            then=then,
        )

    def _names_of(self, earlier: Sequence[str]) -> tuple[Name, ...]:
        """The names of the newest exchange that has any: those of its question before those of its answer."""
        exchanges = list(zip(earlier[::2], earlier[1::2], strict=False))
        for question, answer in reversed(exchanges):
            asked = tuple(name for name in named_things(question) if name.certain)
            answered = tuple(name for name in named_things(answer) if name.kind in ("symbol", "setting"))
            if names := asked[:2] or answered[:1]:
                return names
        return ()


def _guessed(text: str, concepts: Sequence[Concept], spoken: Phrases) -> Iterator[Name]:
    """The one or two words that the question is about, as the names that code would give them."""
    words = [one.word for one in concepts if one.word.isascii() and one.word.lower() not in spoken.asking]
    if len(words) == 1 and (verb := re.search(rf"\b({_VERBS})\s+(?={re.escape(words[0])}\b)", text)):
        words.insert(0, verb[1])
    if len(words) == 1 and len(words[0]) >= _SHORTEST_GUESS:
        yield Name(words[0], "symbol", certain=False)
    elif len(words) == 2 and re.search(rf"\b{re.escape(words[0])}\s+{re.escape(words[1])}\b", text):
        first, second = (word.lower() for word in words)
        yield Name(f"{first}_{second}", "symbol", certain=False)
        yield Name(f"{first}{second.capitalize()}", "symbol", certain=False)


def fold(text: str, language: Language) -> str:
    """Lower case; Latin accents removed, since people leave them out. Japanese only in one width."""
    if language == "ja":
        return unicodedata.normalize("NFKC", text).lower()
    plain = unicodedata.normalize("NFKD", text.lower())
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def _leans(folded: str, spoken: Phrases, subjects: Sequence[str] = ()) -> bool:
    """Whether it speaks of something said before: not where its own subject stands before the pronoun."""
    leaning = [match.start() for pattern in spoken.follow_up if (match := re.search(pattern, folded))]
    first = min((at for subject in subjects if (at := folded.find(subject)) >= 0), default=len(folded))
    return bool(leaning) and (min(leaning) == 0 or min(leaning) < first)


def _two_parts(
    folded: str, names: Sequence[Name], spoken: Phrases, subjects: Sequence[str]
) -> tuple[str, Intent | None]:
    """The first part of a question that asks a second thing of the same subject, and what the second asks."""
    for joint in re.finditer(spoken.joint, folded):
        first, second = folded[: joint.start()], folded[joint.end() :]
        if names or not any(subject in first for subject in subjects):
            continue
        if any(subject in second for subject in subjects) and not _leans(second, spoken):
            continue
        then = next(_intents(second, (_IT,), spoken), None)
        if then in _OF_WHAT_WAS_FOUND:
            return first, then
    return folded, None


def _intent(folded: str, names: Sequence[Name], spoken: Phrases) -> Intent:
    found = cast(Intent, next(_intents(folded, names, spoken), "report"))
    kinds = {name.kind for name in names if name.certain}
    if found in ("definition", "purpose", "callers", "report") and kinds & {"flag", "route", "setting"}:
        return "setting"
    if found == "definition" and any(name.kind == "text" and " " in name.text for name in names):
        return "error"
    return found


def _intents(folded: str, names: Sequence[Name], spoken: Phrases) -> Iterator[Intent]:
    for name, patterns in spoken.intents:
        intent = cast(Intent, name)
        if intent in _NEEDS_A_NAME and not names:
            continue
        if any(re.search(pattern, folded) for pattern in patterns):
            yield intent
