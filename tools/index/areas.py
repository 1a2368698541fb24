"""Which part a file plays in its codebase, told by its path alone: general habits, and those of each language.

The first area that fits wins, in the order of `_RULES`. So `examples/tutorial/tests/test_auth.py` is a test, a
README beside examples belongs to the docs, and what fits nowhere is source. Letter case counts in few places only,
as in `UserTest.java`, which is a test, and `latest.java`, which is none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

Area: TypeAlias = Literal["source", "tests", "docs", "examples", "generated", "legacy", "config", "scripts"]
AREAS: tuple[str, ...] = get_args(Area)


@dataclass(frozen=True, slots=True)
class _Rule:
    """An area, and the folders and files that belong to it. All names are lower case."""

    area: Area
    folders: frozenset[str] = frozenset()
    """Names of folders, anywhere above the file."""
    top_folders: frozenset[str] = frozenset()
    """Names that say so at the top of the workspace only."""
    folder: re.Pattern[str] | None = None
    file: re.Pattern[str] | None = None

    def fits(self, folders: list[str], name: str) -> bool:
        if not self.folders.isdisjoint(folders) or (folders and folders[0] in self.top_folders):
            return True
        if self.folder and any(map(self.folder.fullmatch, folders)):
            return True
        return self.file is not None and self.file.fullmatch(name) is not None


def _names(*words: str) -> frozenset[str]:
    return frozenset(name for word in words for name in word.split())


def _one_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.DOTALL)


_RULES: tuple[_Rule, ...] = (
    _Rule(
        "generated",
        folders=_names("generated __generated__ _generated autogen"),
        file=_one_of(
            r".+_pb2(?:_grpc)?\.pyi?",
            r".+\.pb\.(?:go|cc|h|dart)",
            r".+\.freezed\.dart",
            r".+\.(?:generated|gen|designer|g)\.[a-z]+",
            r"zz_generated.*\.go",
            r".+_(?:gen|generated)\.(?:go|rs)",
            r".+\.min\.(?:js|mjs|css)",
        ),
    ),
    _Rule(
        "tests",
        folders=_names(
            "test tests spec specs e2e testdata fixtures cypress playwright androidtest",
            "__tests__ __mocks__ __snapshots__ __fixtures__ bench benches benchmark benchmarks",
        ),
        top_folders=_names(
            "testing"
        ),  # further down it is often a library's module for the tests of its users
        folder=_one_of(r".+[-_.]tests?", r"tests?[-_](?:data|files|utils|helpers|suite|cases|support)"),
        file=_one_of(
            r"test_.*\.\w+",
            r".+_tests?\.\w+",
            r"tests?\.(?:py|rs|ts|js|go|c|cpp)",
            r"conftest\.py",
            r".+\.(?:test|tests|spec|e2e|cy|bench|test-d|spec-d)\.[cm]?[jt]sx?",
            r".+[-_]spec\.\w+",
            r"(?:spec|test|rails)_helper\.rb",
            r"(?:vitest|jest|karma|playwright|cypress)\.(?:config|setup).*",
            r".+\.(?:bats|t|snap)",
            r".+_bench(?:mark)?\.\w+",
            r"pytest\.ini|tox\.ini|\.coveragerc",
        ),
    ),
    _Rule("legacy", folders=_names("legacy deprecated obsolete archive archived attic old")),
    _Rule(
        "docs",
        file=_one_of(
            r".+\.(?:md|mdx|markdown|rst|adoc|asciidoc|org|tex|rdoc|pod|man)",
            r"readme(?:[-_.].*)?",
            r"(?:changelog|changes|history|news|contributing|authors|contributors|licen[sc]e|copying|notice"
            r"|todo|security|code_of_conduct|maintainers)(?:[-_][\w-]+)?(?:\.txt)?",
        ),
    ),
    _Rule(
        "examples",
        folders=_names(
            "example examples sample samples demo demos tutorial tutorials playground playgrounds",
            "cookbook cookbooks quickstart quickstarts",
        ),
        folder=_one_of(r".+[-_](?:examples?|samples?|demos?)", r"(?:examples?|samples?|demo)[-_].+"),
        file=_one_of(r"(?:examples?|demo|sample)\.\w+", r".+[-_.](?:example|sample|demo)\.\w+"),
    ),
    _Rule(
        "docs",
        folders=_names("doc docs documentation wiki website manual changelogs rfcs adr adrs"),
        folder=_one_of(r"docs?[-_].+"),
    ),
    _Rule(
        "scripts",
        folders=_names("script scripts devtools"),
        top_folders=_names("bin hack ci .ci"),  # Rust keeps sources in `src/bin`
        file=_one_of(
            r".+\.(?:sh|bash|zsh|fish|bat|cmd|ps1)",
            r"(?:gulpfile|gruntfile)\.[cm]?[jt]s",
            r"(?:nox|fab)file\.py",
        ),
    ),
    _Rule(
        "config",
        top_folders=_names("config configs requirements"),
        folder=_one_of(r"\..+"),
        file=_one_of(
            r"\..+",
            r".+\.(?:ya?ml|toml|jsonc?|json5|ini|cfg|conf|config|properties|lock|sum|tf|hcl|nix|plist|xml|mk|cmake)",
            r".+\.config\.[cm]?[jt]s",
            r"(?:docker|container|make|just|rake|gem|proc|vagrant|jenkins|brew)file(?:\..+)?",
            r".+\.(?:dockerfile|gemspec)",
            r"(?:build|settings)\.gradle(?:\.kts)?|gnumakefile|cmakelists\.txt|meson\.build|(?:build|workspace)\.bazel",
            r"setup\.py|requirements.*\.txt|go\.(?:mod|work)|manifest\.in|codeowners",
        ),
    ),
)
_CAMEL_CASE_TEST = re.compile(
    r".*[a-z0-9](?:Tests?|TestCase|IT|Specs?)\.(?:java|kts?|scala|groovy|cs|fs|vb|swift|php|hs|m)"
    r"|Test[A-Z].*\.(?:java|kt|cs|swift|php)",
    re.DOTALL,
)


def area_of(path: str) -> Area:
    """The area of a file, by its canonical path."""
    *folders, name = path.lower().split("/")
    fitting: list[Area] = [rule.area for rule in _RULES if rule.fits(folders, name)]
    if fitting[:1] not in (["generated"], ["tests"]) and _CAMEL_CASE_TEST.fullmatch(path.rpartition("/")[2]):
        return "tests"
    return fitting[0] if fitting else "source"
