"""Numbers that a claim says, in digits or in words of four languages, with their units; and those that lines hold.

A number is held where the lines have an equal one with the same sign. A unit must not be another than the one that
every such line names (`SESSION_MINUTES = 45` holds no "45 seconds"). A small count in words may also be counted:
as many names as the claim enumerates, or as often as its first name occurs in the lines.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from agent.claim_text import MARK
from agent.claim_words import NumberWords, number_words

_DIGITS = r"(?:0[xX][0-9A-Fa-f_]+|\d[\d_]*(?:[.,]\d+)*|\.\d+)(?:[eE][+-]?\d+)?"
_SAID = re.compile(rf"(?<![A-Za-z0-9_.])(?<![A-Za-z]-)-?{_DIGITS}(?!xx\b)(?P<percent>\s?%)?")
_IN_CODE = re.compile(rf"(?<![A-Za-z_])-?{_DIGITS}")
_NEXT_WORD = re.compile(r"[\s-]?(%|€|[^\W\d_]+)")
_JAPANESE_SIGNS = {sign: value for value, sign in enumerate("〇一二三四五六七八九")} | {
    "十": 10,
    "百": 100,
    "千": 1000,
    "万": 10000,
}
_JAPANESE_NUMBER = re.compile(rf"[{''.join(_JAPANESE_SIGNS)}]+")
_LATIN_WORD = re.compile(r"[^\W\d_]+")
_ENUMERATION = re.compile(rf"{MARK}(?:(?:\s|,|、|と|や|&|\band\b|\bor\b|\by\b|\be\b|\bo\b|\bou\b)+{MARK})+")
_SHORT_UNITS = {
    "ms": "milliseconds",
    "s": "seconds",
    "m": "minutes",
    "h": "hours",
    "d": "days",
    "%": "percent",
}
_SHORT_UNIT = re.compile(r"\d(ms|[smhd%])(?!\w)")
_NAME_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


@dataclass(frozen=True, slots=True)
class Number:
    """One number of a claim."""

    text: str
    """As it is said, its unit included."""
    readings: frozenset[str]
    """Canonical forms that it may have in code ("8.000" is 8000 or 8)."""
    unit: str = ""
    may_be_counted: int = 0
    """The count, where it is said in words and without a unit; else 0."""
    is_times: bool = False
    """Whether it says how often."""


def numbers_said(prose: str) -> Iterator[Number]:
    """Every number of the prose."""
    yield from _in_digits(prose)
    yield from _in_words(prose, number_words())
    yield from _in_japanese(prose, number_words())


def _in_digits(prose: str) -> Iterator[Number]:
    for match in _SAID.finditer(prose):
        text, after = match[0].removesuffix("%").rstrip(), prose[match.end() :]
        unit = "percent" if match["percent"] else _unit_after(after)
        readings = _readings(text) | (_shares(text) if unit == "percent" else frozenset[str]())
        yield Number(
            match[0] if match["percent"] or not unit else f"{text}{_said_unit(after)}", readings, unit
        )


def _in_words(prose: str, words: NumberWords) -> Iterator[Number]:
    found = list(_LATIN_WORD.finditer(prose))
    at = 0
    while at < len(found):
        value, end = _value_at(prose, found, at, words)
        if end == at and (half := _half_a_unit(prose, found, at, words)):
            yield half
        if end == at:
            at += 1
            continue
        after = prose[found[end - 1].end() :]
        unit = _unit_after(after)
        text = prose[found[at].start() : found[end - 1].end()] + (_said_unit(after) if unit else "")
        following = _LATIN_WORD.match(after.lstrip())
        is_times = following is not None and following[0].lower() in words.times
        is_structure = following is not None and following[0].lower() in words.structure
        if not is_structure:
            yield Number(text, frozenset({str(value)}), unit, 0 if unit else value, is_times)
        at = end


def _value_at(prose: str, found: list[re.Match[str]], at: int, words: NumberWords) -> tuple[int, int]:
    """The value of the number words from `at` on, and where they end (`at` itself: there are none)."""
    word = found[at][0].lower()
    if word in words.halves and (dozen := _dozen_after(found, at, words)):
        return 6, dozen
    if word in words.ones and _unit_after(prose[found[at].end() :]):
        return 1, at + 1
    total, end = 0, at
    while end < len(found) and (value := words.values.get(found[end][0].lower())) is not None:
        if end > at and not _joined(prose[found[end - 1].end() : found[end].start()]):
            break
        total = max(total, 1) * value if value in (100, 1000, 1000000) else total + value
        end += 1
        if end + 1 < len(found) and found[end][0].lower() in ("y", "e", "and") and total >= 20:
            following = words.values.get(found[end + 1][0].lower())
            if following is not None and following < 10:
                total, end = total + following, end + 2
    return total, end


def _half_a_unit(prose: str, found: list[re.Match[str]], at: int, words: NumberWords) -> Number | None:
    """ "Half a minute", "media hora"."""
    if found[at][0].lower() not in words.halves:
        return None
    for unit in found[at + 1 : at + 3]:
        if key := words.spoken_units.get(unit[0].lower()):
            return Number(prose[found[at].start() : unit.end()], frozenset({"0.5"}), key)
    return None


def _dozen_after(found: list[re.Match[str]], at: int, words: NumberWords) -> int:
    for end in (at + 1, at + 2):
        if end < len(found) and words.values.get(found[end][0].lower()) == 12:
            return end + 1
    return 0


def _joined(between: str) -> bool:
    return between in (" ", "-")


def _in_japanese(prose: str, words: NumberWords) -> Iterator[Number]:
    for match in _JAPANESE_NUMBER.finditer(prose):
        after = prose[match.end() :]
        counter = next((one for one in words.counters if after.startswith(one)), "")
        if not counter or prose[match.start() :].startswith(words.not_counts):
            continue
        value, unit = _japanese_value(match[0]), words.spoken_units.get(counter, "")
        if value == 1 and not unit:
            continue
        yield Number(
            match[0] + counter, frozenset({str(value)}), unit, 0 if unit else value, counter in words.times
        )


def _japanese_value(signs: str) -> int:
    total = section = digit = 0
    for sign in signs:
        value = _JAPANESE_SIGNS[sign]
        if value < 10:
            digit = digit * 10 + value
        elif value < 10000:
            section, digit = section + max(digit, 1) * value, 0
        else:
            total, section, digit = total + max(section + digit, 1) * value, 0, 0
    return total + section + digit


def _said_unit(after: str) -> str:
    match = _NEXT_WORD.match(after)
    return match[0] if match else ""


def _unit_after(after: str) -> str:
    """The unit that the next word says: a whole Latin word, or what a Japanese text begins with."""
    match = _NEXT_WORD.match(after)
    if match is None:
        return ""
    spoken, word = number_words().spoken_units, match[1].lower()
    if word in spoken or word < "\u3000":
        return spoken.get(word, "")
    return next((spoken[word[:end]] for end in range(len(word), 0, -1) if word[:end] in spoken), "")


# -- in the lines ------------------------------------------------------------------------------------------------


def holds_number(lines: str, said: Number) -> bool:
    """True when a line has the number, and does not give it another unit."""
    holding = [line for line in lines.split("\n") if said.readings & _numbers_in(line)]
    return bool(holding) and (not said.unit or any(_fits(line, said.unit) for line in holding))


def can_be_counted(said: Number, prose: str, first_name: str, lines: str) -> bool:
    """True when a count in words is that of an enumeration in the claim, or of the first name in the lines."""
    if not said.may_be_counted:
        return False
    lengths = {run[0].count(MARK) for run in _ENUMERATION.finditer(prose)}
    if said.may_be_counted in lengths:
        return True
    return said.is_times and bool(first_name) and lines.count(first_name) == said.may_be_counted


def _fits(line: str, unit: str) -> bool:
    units = {number_words().code_units.get(part.lower(), "") for part in _NAME_PART.findall(line)} - {""}
    units |= {_SHORT_UNITS[match[1]] for match in _SHORT_UNIT.finditer(line)}
    if unit == "percent" and re.search(r"rate|ratio|share|fraction", line, re.IGNORECASE):
        return True
    return unit in units or not units or "*" in line


def _numbers_in(line: str) -> frozenset[str]:
    return frozenset(reading for match in _IN_CODE.finditer(line) for reading in _readings(match[0]))


def _readings(text: str) -> frozenset[str]:
    """A number's canonical forms: digits folded, `_` and thousands separators gone, `5.0` as `5`."""
    folded = "".join(str(unicodedata.digit(sign, sign)) for sign in text).replace("_", "").lower()
    sign, bare = ("-", folded[1:]) if folded.startswith("-") else ("", folded)
    forms = {re.sub(r"^\.", "0.", bare.replace(",", "."))}
    if re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", bare):
        forms.add(re.sub(r"[.,]", "", bare))
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+", bare):
        forms.discard(bare.replace(",", "."))
    return frozenset(sign + re.sub(r"^(\d+)\.0+$", r"\1", form) for form in forms)


def _shares(percent: str) -> frozenset[str]:
    """19 as 0.19."""
    try:
        share = float(percent.replace(",", ".")) / 100
    except ValueError:
        return frozenset()
    return frozenset({f"{share:.6f}".rstrip("0").rstrip(".")})
