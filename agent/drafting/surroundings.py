"""What a draft has to fit into: how the project tests in one language, and where the new file goes."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from agent.answer import Claim
from agent.drafting.account import Account, coded
from agent.drafting.places import DEFAULT_FOLDER, NAMINGS, Naming, Pair, Place, pairs, place_for
from agent.drafting.python_module import PythonModule, PythonModules
from agent.drafting.python_style import PythonStyle, imports_of_target, learnt
from tools.drafting.target import Target
from tools.index.catalog import Catalog
from tools.workspace import Unreadable, Workspace

_MOST_FILES = 30
_MAX_BYTES = 500_000
_SETTINGS = ("pyproject.toml", "pytest.ini", "setup.cfg", "tox.ini")
_FINDS_SOURCES = re.compile(r"^\s*(?:pythonpath|testpaths)\b", re.MULTILINE)


@dataclass(frozen=True)
class Surroundings:
    """Around one source file."""

    place: Place
    style: PythonStyle
    """Of Python alone."""
    tests: tuple[str, ...]
    """Test files of the language, the most telling first."""
    newline: str = "\n"
    """How lines end in them."""
    replaces: str | None = None
    """What stands at the place now."""

    @property
    def near(self) -> str:
        """The test file that shows most."""
        return self.place.shown_by.test if self.place.shown_by else next(iter(self.tests), "")


class Surveyor:
    """Looks around in one workspace."""

    def __init__(self, workspace: Workspace, catalog: Catalog, modules: PythonModules) -> None:
        self._workspace = workspace
        self._catalog = catalog
        self._modules = modules

    def around(self, targets: Sequence[Target], placed: AbstractSet[str] = frozenset()) -> Surroundings:
        """What drafts for these targets, all of one file, have to fit into. `placed`: paths of other drafts."""
        first = targets[0]
        namings = NAMINGS.get(first.language, NAMINGS["python"])
        known = self._pairs(first.language, namings)
        symbol = first.qualified_name if len(targets) == 1 else ""
        tests = tuple(self._ordered(first, known, namings))
        default = self._default_folder(first, tests)
        place = place_for(first.path, symbol, known, {*self._catalog.files(), *placed}, namings, default)
        style = self._style(tests) if first.language == "python" else PythonStyle()
        newline = self._newline(tests[0]) if tests else "\n"
        return Surroundings(place, style, tests, newline, self.text(place.path))

    async def claims(self, around: Surroundings, targets: Sequence[Target], account: Account) -> list[Claim]:
        """How this project tests, each with its lines."""
        seen = list(around.style.seen)
        modules = [module for path in around.tests if (module := self._modules.read(path)) is not None]
        imported = imports_of_target(modules, self._modules.name_of(targets[0].path))
        found: list[Claim | None] = []
        for one in [*seen, *([imported] if imported else [])]:
            shown = await account.shown(one.path, one.first_line, one.last_line)
            names = account.phrases.joined([coded(name) for name in one.names])
            found.append(account.claim(f"draft_style_{one.habit}", [shown], names=names))
        found.append(await self._place_claim(around, account))
        return [one for one in found if one is not None]

    async def _place_claim(self, around: Surroundings, account: Account) -> Claim | None:
        if around.place.shown_by is None:
            return None
        test = around.place.shown_by.test
        first = next((one for one in self._catalog.definitions_in(test) if "test" in one.name.lower()), None)
        if first is None:
            return None
        shown = await account.shown(test, first.first_line, first.last_line)
        return account.claim("draft_style_place", [shown], path=coded(test), names=coded(first.name))

    def conftests(self, path: str) -> list[PythonModule]:
        """The `conftest.py` files that a test file sees, the nearest first."""
        folders = posixpath.dirname(path).split("/")
        places = [
            "/".join((*folders[:count], "conftest.py")).lstrip("/") for count in range(len(folders), -1, -1)
        ]
        return [
            module for one in places if one in self._modules.paths and (module := self._modules.read(one))
        ]

    def _style(self, tests: Sequence[str]) -> PythonStyle:
        modules = [module for path in tests if (module := self._modules.read(path)) is not None]
        conftests = self.conftests(tests[0]) if tests else []
        return learnt(modules, conftests, (self.text(path) or "" for path in tests))

    def _pairs(self, language: str, namings: Sequence[Naming]) -> list[Pair]:
        files = {path: one for path, one in self._catalog.files().items() if one.language == language}
        sources = [path for path, one in files.items() if one.area == "source"]
        tests = [path for path, one in files.items() if one.area == "tests"]
        return pairs(sources, tests, namings)

    def _default_folder(self, target: Target, tests: Sequence[str]) -> str:
        """Where no test is named for a source file: beside what tests there are.

        Where there are none, `tests`, if pytest finds the source from there; else beside the outermost package.
        """
        if tests:
            return Counter(map(posixpath.dirname, tests)).most_common(1)[0][0]
        said = (self.text(path) or "" for path in _SETTINGS)
        if (
            target.language != "python"
            or target.path.startswith("src/")
            or any(map(_FINDS_SOURCES.search, said))
        ):
            return DEFAULT_FOLDER
        inside = self._modules.name_of(target.path).count(".")
        folders = posixpath.dirname(target.path).split("/")
        return "/".join(folders[: len(folders) - inside])

    def _ordered(self, target: Target, known: Sequence[Pair], namings: Sequence[Naming]) -> list[str]:
        """Tests of the same file, then those that name the target, then those that lie nearest."""
        files = self._catalog.files()
        own = [pair.test for pair in known if pair.source == target.path]
        using = [one.path for one in self._catalog.references(target.symbol) if one.area == "tests"]
        others = [
            path
            for path, one in files.items()
            if one.language == target.language
            and one.area == "tests"
            and any(naming.stem(posixpath.basename(path)) for naming in namings)
        ]
        here = set(target.path.split("/"))
        others.sort(key=lambda path: (-len(here & set(path.split("/"))), path))
        return list(dict.fromkeys([*own, *using, *others]))[:_MOST_FILES]

    def _newline(self, path: str) -> str:
        record = self._catalog.file(path)
        return "\r\n" if record and record.newline == "\r\n" else "\n"

    def text(self, path: str) -> str | None:
        """A file as it stands; None where there is none."""
        try:
            return self._workspace.read_bytes(path, max_bytes=_MAX_BYTES).decode("utf-8", "replace")
        except Unreadable:
            return None
