"""Claims about text that stands in the code as it is: messages, settings, flags, routes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from agent.backends.extractive.findings import Findings, Place, Use
from agent.backends.extractive.lines import guard_of
from agent.backends.extractive.quotes import Quote, is_open, statement_at, statement_through
from agent.backends.extractive.sentences import DraftedClaim, claim, code, codes, is_spoken_of
from agent.names import Name
from agent.phrases import Phrases
from agent.question import Question

MAX_CLAIMS = 4
_RAISES = re.compile(
    r"\b(?:raise|throw|panic!?|errors?\.New|Errorf|Err|bail!|warn|warning|error|fail|exit|abort|assert\w*|log\w*|print\w*|debug\w*"
    r"|usage_error|reject|echo|secho)\b",
    re.IGNORECASE,
)
_DECLARES_FLAG = re.compile(r"option|argument|\bflag|\barg\b|Arg::|\.long\(|parser|Flags?\(", re.IGNORECASE)
_DECLARES_ROUTE = re.compile(
    r"route|url_rule|\b(?:get|post|put|delete|patch|head|options|any|handle|all|use|path|group|mount)\(|HandleFunc",
    re.IGNORECASE,
)
_ACCESSES = re.compile(
    r"\b(?:get\w*|lookup\w*|is_?set|value_of\w*|var|var_os|environ\.get|contains_id|config\.get)\(|process\.env\b|env!?\(|environ\["
    r"|\w\[[\"'][\w.-]+[\"']\]",
    re.IGNORECASE,
)
_WRITES = re.compile(r"\b(?:set_?env|set_var|putenv|setdefault)\b|\]\s*:?=(?!=)", re.IGNORECASE)
_LINES_TO_RAISE = 4


def text_claims(
    name: Name, question: Question, findings: Findings, phrases: Phrases
) -> Iterator[DraftedClaim]:
    """What can be said of the places where the text stands, the telling one first."""
    uses = _ranked(name, findings)
    if not uses:
        return
    if name.kind == "text":
        yield from _message(name, question, uses, findings, phrases)
    else:
        yield from _setting(name, uses, findings, phrases)


def _message(
    name: Name, question: Question, uses: Sequence[Use], findings: Findings, phrases: Phrases
) -> Iterator[DraftedClaim]:
    """Where the message comes from, and the condition that guards it."""
    first = uses[0]
    place = _context(first, findings)
    quote = _raising(place, first.line)
    if not _holds(first.text, name.text):
        yield claim(_located("near_text", name.text, first, _line(first), phrases), [_line(first)])
        return
    phrase = "produced" if question.intent == "error" else "text_found"
    if phrase == "produced" and first.enclosing:
        parts = {"name": code(first.enclosing), "path": code(first.place.path), "code": code(quote.text)}
        yield claim(phrases.write(phrase, **parts), _with_its_header(quote, first))
    elif phrase == "produced":
        yield claim(
            phrases.write("produced_block", path=code(first.place.path), code=code(quote.text)),
            [quote, _line(first)],
        )
    else:
        yield claim(_located(phrase, name.text, first, _line(first), phrases), [_line(first)])
    if phrase == "produced" and (guard := guard_of(place, quote.first_line)):
        yield claim(phrases.write("guarded", code=code(guard.text)), [guard])
    others = [
        use for use in uses[1:] if _holds(use.text, name.text) and use.place.is_test == first.place.is_test
    ]
    for use in others[:2]:
        yield claim(_located("text_found", name.text, use, _line(use), phrases), [_line(use)])


def _with_its_header(quote: Quote, use: Use) -> list[Quote]:
    """The quotation with the evidence that knows which definition it is in."""
    line = _line(use)
    return (
        [line] if (quote.first_line, quote.last_line) == (line.first_line, line.last_line) else [quote, line]
    )


def _setting(name: Name, uses: Sequence[Use], findings: Findings, phrases: Phrases) -> Iterator[DraftedClaim]:
    """Where it is declared, then where it is read, by file."""
    declared = {use: quote for use in uses if (quote := _declaration(name, use, findings))}
    phrase = {"flag": "flag_defined", "route": "route_defined"}.get(name.kind, "setting_defined")
    first = next(iter(declared), uses[0])
    if quote := declared.get(first):
        parts = {
            "name": code(_written(name, quote.text)),
            "path": code(first.place.path),
            "code": code(quote.text),
        }
        yield claim(phrases.write(phrase, **parts), [quote])
        rest = [
            use for use in uses if use is not first and (name.kind != "flag" or name.text not in use.text)
        ]
    else:
        rest = list(uses)
    rest = [use for use in rest if _reads(name, use.text)] or ([] if quote else rest)
    rest = [use for use in rest if use.place.area not in ("docs", "tests")] or (
        [] if len(rest) < len(uses) else rest
    )
    groups: dict[tuple[str, str], list[Use]] = {}
    for use in sorted(rest, key=lambda use: use.place.is_test):
        groups.setdefault((done_to(use.text), use.place.path), []).append(use)
    for (done, _), entries in sorted(groups.items(), key=_reads_first)[: MAX_CLAIMS - 1]:
        quotes = _distinct([_line(use) for use in entries])[:2]
        where = _where([use for use in entries if use.enclosing][:2], phrases)
        parts = {
            "name": code(_written(name, quotes[0].text)),
            "path": code(entries[0].place.path),
            "where": where,
        }
        yield claim(
            phrases.write(done, code=codes(quotes, phrases), **parts),
            [*quotes, *(_line(use) for use in entries if use.enclosing)][:4],
        )


def done_to(line: str) -> str:
    """The phrase for what a line does to a setting: it writes it, it reads it, or it only holds the name."""
    if _WRITES.search(line):
        return "setting_written"
    return "setting_read" if _ACCESSES.search(line) else "text_found"


def _reads_first(group: tuple[tuple[str, str], list[Use]]) -> tuple[bool, int]:
    (done, _), entries = group
    return entries[0].place.is_test, ("setting_read", "setting_written", "text_found").index(done)


def _ranked(name: Name, findings: Findings) -> list[Use]:
    """Sources first; lines that declare or raise before lines that only hold the text."""
    uses = [*findings.definitions.get(name.text, []), *findings.uses.get(name.text, [])]
    if name.kind == "flag":
        uses += findings.uses.get(f'"{name.text.lstrip("-")}"', [])
    if name.kind != "text":
        alone = re.compile(
            rf"(?<![\w-]){re.escape(name.text.lstrip('-'))}(?![\w-])|{re.escape(name.text)}(?![\w-])"
        )
        uses = [use for use in uses if alone.search(use.text)]
        uses = [use for use in uses if not is_spoken_of(use.text)] or uses
    telling = _RAISES if name.kind == "text" else None

    def rank(use: Use) -> tuple[int, int]:
        declares = _declares(name, use.text, use) if telling is None else telling.search(use.text) is not None
        written = name.kind == "flag" and literal_flag(name.text).search(use.text) is not None
        role = 0 if _is_source(use) else 1 if not use.place.is_test else 2
        return (role, 0 if declares else 1 if written else 2)

    return sorted(uses, key=rank)


def literal_flag(flag: str) -> re.Pattern[str]:
    """The flag as a literal of code (`"--debug/--no-debug"`, `"debug"`), not as prose tells of it."""
    bare = re.escape(flag.lstrip("-"))
    return re.compile(
        rf"(?:^\s*|[(\[{{,=:]\s*)[\"'`](?:--?[\w-]+[ ,/|]+)*-{{0,2}}{bare}(?:[\"'`=/,|]|\s+[<\[A-Z-])"
    )


def _is_source(use: Use) -> bool:
    return not use.place.is_test and use.place.area in ("source", "config", "")


def _declaration(name: Name, use: Use, findings: Findings) -> Quote | None:
    """The statement that declares it: on its line, or opened a few lines above in what was read around it."""
    if _declares(name, use.text, use):
        return _line(use)
    if name.kind != "flag" or not _is_source(use):
        return None
    place = _context(use, findings)
    for above in range(use.line - 1, max(place.first_line, use.line - _LINES_TO_RAISE) - 1, -1):
        if _DECLARES_FLAG.search(place.lines[above - place.first_line]) and is_open(place, above, use.line):
            return statement_through(place, above, use.line)
    return None


def _declares(name: Name, line: str, use: Use) -> bool:
    if use.kind == "definition":
        return True
    match name.kind:
        case "flag":
            return (
                _is_source(use)
                and not _ACCESSES.search(line)
                and _DECLARES_FLAG.search(line) is not None
                and literal_flag(name.text).search(line) is not None
            )
        case "route":
            return _DECLARES_ROUTE.search(line) is not None
        case _:
            named = rf"[\"'\[]*{re.escape(name.text)}[\"']?\]?"
            assigned = (
                rf"^\s*(?:[\w()<>*&.]+\s+){{0,4}}{named}\s*(?::(?!:)|=(?!=)|=>)|(?:=|\()\s*{named}\s*[,;)]?$"
            )
            return re.search(assigned, line) is not None and not re.search(
                r"\\[n\"]|\bgetenv\b|environ", line, re.I
            )


def _reads(name: Name, line: str) -> bool:
    """True when the line uses the name rather than tells of it."""
    bare = re.escape(name.text.lstrip("-"))
    return re.search(rf"[\"'`]-*{bare}[\"'`]|[.\[(:]{bare}\b|\b{bare}\s*[)\],;.]", line) is not None


def _context(use: Use, findings: Findings) -> Place:
    """The most lines that were shown around the use."""
    holding = [p for p in (*findings.read, *findings.searched) if p.holds(use.place.path, use.line, use.line)]
    return max(holding, key=lambda place: len(place.lines), default=use.place)


def _raising(place: Place, line: int) -> Quote:
    """The statement that raises, logs or returns the message: on its line or just above."""
    at = line - place.first_line
    for above in range(at, max(-1, at - _LINES_TO_RAISE), -1):
        if _RAISES.search(place.lines[above]):
            quote = statement_at(place, place.first_line + above)
            return quote if quote.last_line >= line else statement_at(place, line)
    return statement_at(place, line)


def _located(phrase: str, text: str, use: Use, quote: Quote, phrases: Phrases) -> str:
    where = _where([use] if use.enclosing else [], phrases)
    return phrases.write(
        phrase, name=code(text), path=code(use.place.path), where=where, code=code(quote.text)
    )


def _where(uses: Sequence[Use], phrases: Phrases) -> str:
    names = list(dict.fromkeys(code(use.enclosing) for use in uses))
    return phrases.write("in_function", name=phrases.joined(names)) if names else ""


def _written(name: Name, line: str) -> str:
    return name.text if name.text in line else name.text.lstrip("-")


def _line(use: Use) -> Quote:
    return statement_at(use.place, use.line)


def _distinct(quotes: Sequence[Quote]) -> list[Quote]:
    return list({quote.text: quote for quote in quotes}.values())


def _holds(line: str, text: str) -> bool:
    return " ".join(text.split()).lower() in " ".join(line.split()).lower()
