"""Claims about who uses a name: by file, directly and through others, tests apart."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from agent.backends.extractive.findings import Dependent, Findings, Use
from agent.backends.extractive.quotes import Quote, statement_at
from agent.backends.extractive.sentences import DraftedClaim, claim, code, codes, is_spoken_of
from agent.phrases import Phrases

MAX_FILES = 5
MAX_TEST_FILES = 3
_MAX_CITED = 6
_MAX_QUOTED = 2
_MAX_ENCLOSING = 6
_MAX_DEPENDENTS = 6
_RAISES = re.compile(r"\b(?:raise|throw|panic|bail|abort|reject|return)\b|\bErr\(|\bok_or")


def use_claims(name: str, spelled: str, findings: Findings, phrases: Phrases) -> Iterator[DraftedClaim]:
    """Who calls or uses the name: sources by file, then imports that nothing else follows, then tests."""
    uses = [use for use in findings.uses.get(name, []) if use.kind != "definition" and _is_code(use)]
    uses = _calls_where_there_are(uses)
    sources = _by_file(use for use in uses if not use.place.is_test and use.kind != "import")
    imports = _by_file(use for use in uses if not use.place.is_test and use.kind == "import")
    counted = name not in findings.cut
    for entries in list(sources.values())[:MAX_FILES]:
        is_called = entries[0].kind == "call"
        yield _uses_in_file(
            "called" if is_called else "used", spelled, entries, phrases, counted=counted and is_called
        )
    only_imported = [entries for path, entries in imports.items() if path not in sources]
    for entries in only_imported[: max(0, MAX_FILES - len(sources))]:
        yield _uses_in_file("imported", spelled, entries, phrases)
    yield from _tests(uses, spelled, phrases, 1 if sources else MAX_TEST_FILES, counted=counted)


def raise_claims(name: str, spelled: str, findings: Findings, phrases: Phrases) -> Iterator[DraftedClaim]:
    """Where the name is raised, thrown or returned as an error: sources before tests."""
    uses = [use for use in findings.uses.get(name, []) if _is_code(use) and _RAISES.search(use.text)]
    sources = [use for use in uses if not use.place.is_test] or uses
    for entries in list(_by_file(sources).values())[:MAX_FILES]:
        yield _uses_in_file("raised", spelled, entries, phrases)


def test_claims(name: str, spelled: str, findings: Findings, phrases: Phrases) -> Iterator[DraftedClaim]:
    """Which tests use the name."""
    counted = name not in findings.cut
    yield from _tests(findings.uses.get(name, []), spelled, phrases, MAX_FILES, counted=counted)


def dependent_claims(name: str, spelled: str, findings: Findings, phrases: Phrases) -> Iterator[DraftedClaim]:
    """What depends on the name: directly, through others, then the tests that touch it."""
    everyone = sorted(
        findings.dependents.get(name, []), key=lambda one: (one.depth, one.place.area != "source")
    )
    if not everyone:
        yield from use_claims(name, spelled, findings, phrases)
        return
    sources = [one for one in everyone if not one.place.is_test]
    for entries in _grouped(one for one in sources if one.depth == 1):
        yield from _direct(entries, phrases)
    for entries in _grouped(
        one for one in sources if one.depth > 1 and one.symbol and one.place.area == "source"
    )[:3]:
        yield _indirect(entries, phrases)
    counted = name not in findings.cut
    yield from _tests(findings.uses.get(name, []), spelled, phrases, 2, counted=counted)


def advice(name: str, spelled: str, findings: Findings, phrases: Phrases) -> Iterator[DraftedClaim]:
    """Which tests to run before changing the name: those that use it directly."""
    uses = _by_file(use for use in findings.uses.get(name, []) if use.place.is_test and use.kind == "call")
    ranked = sorted(uses.values(), key=lambda entries: -len(entries))
    for entries in ranked[:1]:
        tests = [use for use in entries if use.enclosing][:_MAX_ENCLOSING]
        if tests:
            names = phrases.joined(list(dict.fromkeys(code(use.enclosing) for use in tests)))
            path = code(tests[0].place.path)
            text = phrases.write("run_tests_first", name=code(spelled), path=path, code=names)
            yield claim(text, [_line(use) for use in tests])


def _tests(
    uses: Iterable[Use], spelled: str, phrases: Phrases, most: int, *, counted: bool
) -> Iterator[DraftedClaim]:
    by_file = _by_file(
        use
        for use in uses
        if use.place.is_test
        and (use.kind == "call" or (use.kind == "other" and use.enclosing and _is_code(use)))
    )
    ranked = sorted(by_file.values(), key=lambda entries: -len(entries))
    for entries in ranked[:most]:
        calls_only = all(use.kind == "call" for use in entries)
        yield _uses_in_file("tested", spelled, entries, phrases, counted=counted and calls_only)


def _uses_in_file(
    phrase: str, spelled: str, entries: Sequence[Use], phrases: Phrases, *, counted: bool = False
) -> DraftedClaim:
    cited = _spread(entries)[:_MAX_CITED]
    names = list(dict.fromkeys(code(use.enclosing) for use in entries if use.enclosing))
    enclosing = _or_others(names, [code(use.enclosing) for use in cited], phrases)
    quotes = _distinct_lines(cited)[:_MAX_QUOTED]
    where = phrases.write("in_function", name=phrases.joined(enclosing)) if enclosing else ""
    text = phrases.write(
        phrase,
        name=code(_as_written(spelled, quotes[0].text)),
        path=code(entries[0].place.path),
        where=where,
        times=_times(len(entries), len(cited), phrases) if counted else "",
        code=codes(quotes, phrases),
    )
    return claim(text, [*quotes, *(_line(use) for use in cited)])


def _times(uses: int, cited: int, phrases: Phrases) -> str:
    """How often, set off from the word before it; what is not cited is not counted."""
    gap = "" if phrases.language == "ja" else " "
    return gap + (phrases.times(uses) if uses == cited else phrases.numbers[-1])


def _direct(entries: Sequence[Dependent], phrases: Phrases) -> Iterator[DraftedClaim]:
    path, via = code(entries[0].place.path), code(entries[0].via)
    inside = [one for one in entries if one.symbol][:_MAX_DEPENDENTS]
    if inside:
        names = _or_others(_symbols(entries), _symbols(inside), phrases)
        phrase = "direct_one" if len(names) == 1 else "direct"
        text = phrases.write(phrase, path=path, names=phrases.joined(names), name=via)
        yield claim(text, [_used(one) for one in inside])
    outside = [one for one in entries if not one.symbol]
    if outside and not inside:
        quote = _used(outside[0])
        yield claim(phrases.write("direct_file", path=path, name=via, code=code(quote.text)), [quote])


def _indirect(entries: Sequence[Dependent], phrases: Phrases) -> DraftedClaim:
    shown = list(entries[:_MAX_DEPENDENTS])
    names = _or_others(_symbols(entries), _symbols(shown), phrases)
    via = phrases.joined(list(dict.fromkeys(code(one.via) for one in shown)))
    phrase = "indirect_one" if len(names) == 1 else "indirect"
    path = code(shown[0].place.path)
    return claim(
        phrases.write(phrase, path=path, names=phrases.joined(names), via=via), [_used(one) for one in shown]
    )


def _or_others(names: Sequence[str], cited: Sequence[str], phrases: Phrases) -> list[str]:
    """The names that are cited, and a word for the rest: a list that stops early must say so."""
    shown = [name for name in names if name in cited][:_MAX_ENCLOSING]
    return [*shown, phrases.write("others")] if shown and len(shown) < len(names) else shown


def _symbols(dependents: Iterable[Dependent]) -> list[str]:
    return list(dict.fromkeys(code(one.symbol) for one in dependents if one.symbol))


def _grouped(dependents: Iterable[Dependent]) -> list[list[Dependent]]:
    groups: dict[str, list[Dependent]] = {}
    for one in dependents:
        groups.setdefault(one.place.path, []).append(one)
    return list(groups.values())


def _by_file(uses: Iterable[Use]) -> dict[str, list[Use]]:
    groups: dict[str, list[Use]] = {}
    for use in uses:
        groups.setdefault(use.place.path, []).append(use)
    return groups


def _spread(entries: Sequence[Use]) -> list[Use]:
    """One use of each enclosing definition first, calls before the rest."""
    ordered = sorted(entries, key=lambda use: use.kind != "call")
    seen: set[str] = set()
    firsts = [use for use in ordered if not (use.enclosing in seen or seen.add(use.enclosing))]
    return [*firsts, *(use for use in ordered if use not in firsts)]


def _distinct_lines(uses: Sequence[Use]) -> list[Quote]:
    quotes: dict[str, Quote] = {}
    for use in uses:
        quote = _line(use)
        quotes.setdefault(quote.text, quote)
    return list(quotes.values())


def _line(use: Use) -> Quote:
    return statement_at(use.place, use.line)


def _used(dependent: Dependent) -> Quote:
    return statement_at(dependent.place, dependent.place.first_line)


def _as_written(spelled: str, line: str) -> str:
    """The name in the spelling of the line."""
    match = re.search(rf"(?<![\w$]){re.escape(spelled)}(?![\w$])", line, re.IGNORECASE)
    return match[0] if match else spelled


def _is_code(use: Use) -> bool:
    """Neither documentation nor a comment or docstring that only speaks of the name."""
    return use.in_code and use.place.area != "docs" and not is_spoken_of(use.text)


def _calls_where_there_are(uses: Sequence[Use]) -> list[Use]:
    """Of a file that calls the name, the calls only."""
    calling = {use.place.path for use in uses if use.kind == "call"}
    return [use for use in uses if use.kind != "other" or use.place.path not in calling]
