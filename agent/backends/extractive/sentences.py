"""Claims as the verifier wants them: a fixed phrase filled with exact quotations, and the lines they stand in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeAlias

from agent.backends.extractive.findings import Place
from agent.backends.extractive.quotes import Quote, signature_of, statement_at
from agent.phrases import Phrases

DraftedClaim: TypeAlias = dict[str, Any]

_KINDS = {
    "struct": "type",
    "trait": "interface",
    "protocol": "interface",
    "option": "config",
    "key": "config",
    "heading": "documentation",
}


_SPOKEN_OF = re.compile(
    r"^\s*(?://|/\*|\*|#(?!\[)|--|>|\"\"\")|:(?:meth|func|class|attr|data|ref|mod|exc|obj):|``"
)


def is_spoken_of(line: str) -> bool:
    """True for a comment, or for prose with the marks that documentation puts around names."""
    return _SPOKEN_OF.search(line) is not None


def claim(text: str, quotes: Sequence[Quote]) -> DraftedClaim:
    """A claim with one citation per run of touching lines of one piece of evidence."""
    return {"text": text, "citations": [_citation(quote) for quote in _joined(quotes)]}


def code(text: str) -> str:
    """The text in backticks, in as many as it takes to hold those that it contains."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def quoted(text: str, phrases: Phrases) -> str:
    """Prose in quotation marks that it does not itself hold."""
    marks = ("「」", "『』") if phrases.language == "ja" else ('""', "“”", "«»")
    fitting = (pair for pair in marks if pair[0] not in text and pair[1] not in text)
    pair = next(fitting, None)
    return f"{pair[0]}{text}{pair[1]}" if pair else code(text)


def codes(quotes: Sequence[Quote], phrases: Phrases, *, either: bool = False) -> str:
    """Several quotations in one sentence; `either` where they are alternatives."""
    return phrases.joined(
        list(dict.fromkeys(code(quote.text) for quote in quotes)), "or" if either else "and"
    )


def kind_of(place: Place, phrases: Phrases) -> str:
    """What the definition is, in the language of the answer."""
    kind = f"kind_{_KINDS.get(place.kind, place.kind)}"
    return phrases.answer.get(kind, phrases.answer["kind_other"])


def name_held(place: Place) -> bool:
    """True when the evidence begins inside the definition, so that its header goes with every line of it.

    It does where its first line is the signature or a decorator, and where it was clipped to lines below both.
    """
    if not place.name:
        return False
    signature = signature_of(place)
    if signature is None:
        return place.whole != (0, 0) and place.first_line > place.whole[0]
    before = place.lines[: signature.first_line - place.first_line]
    return all(line.lstrip().startswith("@") for line in before)


def named_by(place: Place, signature: Quote) -> tuple[str, list[Quote]]:
    """The name to call the definition by, and the lines that hold all of it.

    Where neither the header nor the signature holds the qualified name, a line above may (`impl Drop for Writer`);
    else the definition goes by its own name alone.
    """
    missing = set(place.name.split(".")) - set(re.findall(r"[\w$]+", signature.text))
    if name_held(place) or not missing:
        return place.name, [signature]
    for at in range(signature.first_line - place.first_line):
        if missing.issubset(re.findall(r"[\w$]+", place.lines[at])):
            return place.name, [statement_at(place, place.first_line + at), signature]
    return place.symbol, [signature]


def _joined(quotes: Sequence[Quote]) -> list[Quote]:
    """Quotations that touch are cited as one range."""
    joined: list[Quote] = []
    for quote in sorted(dict.fromkeys(quotes), key=lambda quote: (quote.place.evidence, quote.first_line)):
        last = joined[-1] if joined else None
        if last and last.place.evidence == quote.place.evidence and quote.first_line <= last.last_line + 1:
            end = max(last.last_line, quote.last_line)
            joined[-1] = Quote(last.place, last.first_line, end, last.text)
        else:
            joined.append(quote)
    return joined


def _citation(quote: Quote) -> dict[str, Any]:
    return {
        "evidence": quote.place.evidence,
        "first_line": quote.first_line,
        "last_line": quote.last_line,
    }
