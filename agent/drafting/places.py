"""Where a new test file goes, and what it is called: beside the tests of the same module, else by the pairs there are.

A pair is a test file and the source file that it is named for. Each pair shows a rule: all tests in one folder, a
folder that mirrors the sources, tests beside the sources, or a folder of tests in each package. The rule that most
pairs show decides; an existing file is never the place.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

DEFAULT_FOLDER = "tests"


@dataclass(frozen=True, slots=True)
class Pair:
    """A source file and the file that tests it."""

    source: str
    test: str


@dataclass(frozen=True, slots=True)
class Naming:
    """How test files of one language are called: `test_{name}.py`, `{name}.test.ts`."""

    before: str
    after: str
    suffix: str

    def named(self, name: str) -> str:
        return f"{self.before}{name}{self.after}{self.suffix}"

    def joined(self, parts: Sequence[str]) -> str:
        """The same of several names, as files of the language are called."""
        given = [part for part in parts if part]
        if self.suffix == ".java":
            return self.named("".join(part[:1].upper() + part[1:] for part in given))
        return self.named(("_" if self.suffix in (".py", ".go", ".rs") else "-").join(given))

    def stem(self, file: str) -> str:
        """The source's name in that of a test file, or ""."""
        whole = file.removesuffix(self.suffix)
        fits = file.endswith(self.suffix) and whole.startswith(self.before) and whole.endswith(self.after)
        return whole[len(self.before) : len(whole) - len(self.after)] if fits else ""


NAMINGS: dict[str, tuple[Naming, ...]] = {
    "python": (Naming("test_", "", ".py"), Naming("", "_test", ".py")),
    "typescript": (Naming("", ".test", ".ts"), Naming("", ".spec", ".ts")),
    "tsx": (Naming("", ".test", ".tsx"), Naming("", ".spec", ".tsx")),
    "javascript": (Naming("", ".test", ".js"), Naming("", ".spec", ".js"), Naming("", ".test", ".mjs")),
    "go": (Naming("", "_test", ".go"),),
    "rust": (Naming("", "", ".rs"),),
    "java": (Naming("", "Test", ".java"), Naming("", "Tests", ".java")),
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where it goes, and the pair that shows why."""

    path: str
    shown_by: Pair | None = None


def pairs(sources: Collection[str], tests: Collection[str], namings: Sequence[Naming]) -> list[Pair]:
    """Test files with the one source file that each is named for."""
    by_name: dict[str, list[str]] = {}
    for path in sources:
        by_name.setdefault(posixpath.splitext(posixpath.basename(path))[0].lower(), []).append(path)
    found: list[Pair] = []
    for test in sorted(tests):
        stems = (naming.stem(posixpath.basename(test)) for naming in namings)
        near = [path for stem in stems if stem for path in by_name.get(stem.lower(), ())]
        if near:
            found.append(Pair(max(near, key=lambda path: (_common(path, test), path)), test))
    return found


def place_for(
    source: str,
    symbol: str,
    known: Sequence[Pair],
    taken: Collection[str],
    namings: Sequence[Naming],
    default: str = DEFAULT_FOLDER,
) -> Place:
    """A path for tests of a source file.

    `symbol`: what is tested, for when the plain name is taken; "": several. `default`: the folder where no pair shows one.
    """
    own = [pair for pair in known if pair.source == source]
    shown = own[0] if own else _majority(source, known)
    naming = _naming(shown.test if shown else "", known, namings)
    folder = posixpath.dirname(own[0].test) if own else _folder(source, shown, default)
    stem = posixpath.splitext(posixpath.basename(source))[0]
    if stem in ("__init__", "index", "mod", "lib"):
        stem = posixpath.basename(posixpath.dirname(source)) or stem
    last = symbol.rpartition(".")[2].strip("_") or "drafts"
    package = posixpath.basename(posixpath.dirname(source))
    names = [naming.joined(one) for one in ([stem], [stem, last], [package, stem, last])]
    in_use = {posixpath.basename(path) for path in taken if path.endswith(".py")}
    for name in names:
        path = posixpath.join(folder, name)
        if path not in taken and name not in in_use:
            return Place(path, shown)
    return Place(posixpath.join(folder, names[1]), shown)  # taken: who asked decides whether it is replaced


def _naming(shown: str, known: Sequence[Pair], namings: Sequence[Naming]) -> Naming:
    files = [posixpath.basename(path) for path in (shown, *(pair.test for pair in known)) if path]
    for file in files:
        for naming in namings:
            if naming.stem(file):
                return naming
    return namings[0]


def _majority(source: str, known: Sequence[Pair]) -> Pair | None:
    """A pair of the rule that most pairs show, of those nearest to the source."""
    if not known:
        return None
    rules = Counter(_rule(pair) for pair in known)
    common = rules.most_common(1)[0][0]
    fitting = [pair for pair in known if _rule(pair) == common]
    return max(fitting, key=lambda pair: (_common(pair.source, source), pair.source))


def _rule(pair: Pair) -> tuple[str, ...]:
    source, test = posixpath.dirname(pair.source), posixpath.dirname(pair.test)
    if source == test:
        return ("beside",)
    for inner in _tails(source):
        if inner and test.endswith(f"/{inner}"):
            outer = test.removesuffix(f"/{inner}")
            return ("mirror", outer, source.removesuffix(inner).strip("/"))
    if posixpath.dirname(test) == source:
        return ("within", posixpath.basename(test))
    return ("folder", test)


def _folder(source: str, shown: Pair | None, default: str) -> str:
    if shown is None:
        return default
    here = posixpath.dirname(source)
    match _rule(shown):
        case ("beside",):
            return here
        case ("mirror", outer, base):
            return posixpath.join(outer, here.removeprefix(base).strip("/"))
        case ("within", name):
            return posixpath.join(here, name)
        case _:
            return posixpath.dirname(shown.test)


def _tails(folder: str) -> Iterator[str]:
    """`a/b/c`, `b/c`, `c`."""
    parts = folder.split("/")
    yield from ("/".join(parts[at:]) for at in range(len(parts)))


def _common(one: str, other: str) -> int:
    """How many folder names two paths share."""
    return len(set(one.split("/")[:-1]) & set(other.split("/")[:-1]))
