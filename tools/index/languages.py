"""Which language a file is in, and how that language is taken apart.

A language is one row of `LANGUAGES`: its name (what people filter by and what is stored), the tree-sitter grammar,
the tag queries of `queries/` that are joined for it, and how its files are cut: by syntax, by headings (`prose`),
by keys (`config`), by embedded blocks (`blocks`, `notebook`), or by blank lines (`lines`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

from tools.index.chunk import Kind

Style: TypeAlias = Literal["syntax", "prose", "config", "blocks", "notebook", "lines"]


@dataclass(frozen=True, slots=True)
class Language:
    """One language, markup or format."""

    name: str
    style: Style = "lines"
    suffixes: tuple[str, ...] = ()
    """Ends of file names, lower case, with their dot."""
    names: tuple[str, ...] = ()
    """Whole file names, lower case; a trailing `*` stands for any end."""
    shebangs: tuple[str, ...] = ()
    """Interpreters, as in `#!/usr/bin/env python3`, without version numbers."""
    grammar: str = ""
    """As tree-sitter-language-pack calls it; "" when the language is cut without a parser."""
    queries: tuple[str, ...] = ()
    """Files of `queries/`, without `.scm`, joined in this order."""
    unit_kind: Kind | None = None
    """The chunk kind of whatever has a chunk of its own, where that is neither function nor class."""
    gap_kind: Kind = "module"
    """The chunk kind of what lies between."""


def _code(
    name: str,
    *suffixes: str,
    names: tuple[str, ...] = (),
    shebangs: tuple[str, ...] = (),
    queries: tuple[str, ...] = (),
) -> Language:
    """A programming language whose grammar and query file carry its own name, unless `queries` says otherwise."""
    return Language(name, "syntax", suffixes, names, shebangs, name, queries or (name,))


def _described(name: str, *suffixes: str, grammar: str = "", names: tuple[str, ...] = ()) -> Language:
    """A language of definitions that describe rather than run: all its chunks are settings."""
    return Language(
        name,
        "syntax",
        suffixes,
        names,
        grammar=grammar or name,
        queries=(grammar or name,),
        unit_kind="config",
        gap_kind="config",
    )


def _prose(name: str, *suffixes: str, names: tuple[str, ...] = ()) -> Language:
    return Language(name, "prose", suffixes, names, unit_kind="documentation", gap_kind="documentation")


def _config(name: str, *suffixes: str, names: tuple[str, ...] = (), grammar: str = "") -> Language:
    queries = (grammar,) if grammar else ()
    return Language(
        name,
        "config",
        suffixes,
        names,
        grammar=grammar,
        queries=queries,
        unit_kind="config",
        gap_kind="config",
    )


_NODE = ("node", "deno", "bun")
_SHELLS = ("bash", "sh", "zsh", "dash", "ksh")

LANGUAGES: tuple[Language, ...] = (
    _code("python", ".py", ".pyi", ".pyw", names=("sconstruct", "sconscript", "wscript"), shebangs=("python", "pypy")),
    _code(
        "javascript", ".js", ".mjs", ".cjs", ".jsx", shebangs=_NODE, queries=("ecmascript", "javascript", "jsx")
    ),
    _code("typescript", ".ts", ".mts", ".cts", queries=("ecmascript", "typescript")),
    _code("tsx", ".tsx", queries=("ecmascript", "typescript", "jsx")),
    _code("go", ".go"),
    _code("rust", ".rs"),
    _code("java", ".java"),
    _code("c", ".c", ".h"),
    _code(
        "cpp", ".cpp", ".cc", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".ipp", ".inl", ".tpp", ".cu", ".cuh",
        queries=("c", "cpp"),
    ),
    _code("csharp", ".cs", ".csx"),
    _code(
        "ruby", ".rb", ".rake", ".gemspec", ".ru", names=("rakefile", "gemfile", "podfile", "vagrantfile", "fastfile"),
        shebangs=("ruby",),
    ),
    _code("php", ".php", ".phtml", ".inc", shebangs=("php",)),
    _code("kotlin", ".kt", ".kts"),
    _code("swift", ".swift"),
    _code("scala", ".scala", ".sc", ".sbt"),
    _code("bash", ".sh", ".bash", ".zsh", ".ksh", ".bats", names=(".bashrc", ".zshrc", ".profile"), shebangs=_SHELLS),
    _code("lua", ".lua", shebangs=("lua", "luajit")),
    _code("elixir", ".ex", ".exs", shebangs=("elixir",)),
    _code("haskell", ".hs"),
    _code("zig", ".zig"),
    _code("dart", ".dart"),
    _code("r", ".r", shebangs=("rscript",)),
    _code("sql", ".sql"),
    _code("css", ".css"),
    _code("scss", ".scss"),
    _code("proto", ".proto"),
    _code("graphql", ".graphql", ".gql", ".graphqls"),
    _described("dockerfile", ".dockerfile", ".containerfile", names=("dockerfile*", "containerfile*")),
    _described("terraform", ".tf", ".tfvars", ".hcl", grammar="hcl"),
    _described("make", ".mk", ".mak", names=("makefile*", "gnumakefile")),
    Language("html", "blocks", (".html", ".htm", ".xhtml", ".jinja", ".jinja2", ".j2")),
    Language("vue", "blocks", (".vue",)),
    Language("svelte", "blocks", (".svelte",)),
    Language("notebook", "notebook", (".ipynb",), grammar="json", gap_kind="config"),
    _prose("markdown", ".md", ".mdx", ".markdown", ".mdown", ".qmd", ".rmd"),
    _prose("rst", ".rst"),
    _prose("asciidoc", ".adoc", ".asciidoc"),
    _prose("text", ".txt", ".text", names=("readme", "license*", "copying*", "authors", "changelog", "notice", "todo")),
    _config("yaml", ".yaml", ".yml", names=(".clang-format", ".clang-tidy")),
    _config("json", ".json", ".jsonc", ".json5", ".webmanifest", names=(".babelrc", ".prettierrc", ".eslintrc"), grammar="json"),
    _config("toml", ".toml", names=("pipfile", "poetry.lock", "cargo.lock", "uv.lock"), grammar="toml"),
    _config(
        "ini", ".ini", ".cfg", ".conf", ".properties", ".env", ".editorconfig",
        names=(".editorconfig", ".env*", ".flaskenv", ".npmrc", ".gitconfig", ".coveragerc", ".flake8", ".pylintrc"),
    ),
)  # fmt: skip

PLAIN = Language("text", "lines")
"""What no row fits: cut at blank lines, as code of an unknown kind."""

_TEST_PATH = re.compile(
    r"""(?x)
    (?:^|/)(?:tests?|__tests__|specs?|testing|[\w-]*[-_]tests?)/      # a folder of tests
    | (?:^|/)(?:test_[^/]*|conftest\.py|[^/]*[._-](?:test|spec|tests)\.\w+(?:\.\w+)?)$
    | (?:^|/)[^/]*(?:Tests?|Spec|IT)\.(?:java|kt|kts|cs|scala|swift|php|groovy|cpp|cc)$
    """
)


def find_language(path: str, first_line: str = "") -> Language:
    """The row for a file by its name, else by its first line (`#!`), else `PLAIN`."""
    name = path.rsplit("/", 1)[-1].lower()
    by_name, by_prefix, by_suffix, by_shebang = _lookups()
    if name in by_name:
        return by_name[name]
    for dot in (at for at, letter in enumerate(name) if letter == "."):
        if name[dot:] in by_suffix:
            return by_suffix[name[dot:]]
    for prefix, language in by_prefix:
        if name.startswith(prefix) and "." not in name[len(prefix) :].strip("."):
            return language
    return by_shebang.get(_interpreter(first_line), PLAIN)


def language_of(path: str, first_line: str = "") -> str:
    """The language's name: python, tsx, markdown, dockerfile, …; text where nothing fits."""
    return find_language(path, first_line).name


def language_named(name: str) -> Language:
    """The row of that name, else `PLAIN`."""
    return next((row for row in LANGUAGES if row.name == name), PLAIN)


def is_test_path(path: str) -> bool:
    """Whether a file holds tests, by its name or a folder's."""
    return _TEST_PATH.search(path) is not None


def _interpreter(first_line: str) -> str:
    """`#!/usr/bin/env -S python3.11 -u` → python."""
    if not first_line.startswith("#!"):
        return ""
    words = [word for word in first_line[2:200].split() if not word.startswith("-") and "=" not in word]
    programs = [word.rsplit("/", 1)[-1] for word in words]
    chosen = next((program for program in programs if program != "env"), "")
    return chosen.rstrip("0123456789.").lower()


@cache
def _lookups() -> tuple[
    dict[str, Language], list[tuple[str, Language]], dict[str, Language], dict[str, Language]
]:
    """The table turned around: by file name, by its beginning, by suffix, by interpreter."""
    by_name = {name: row for row in LANGUAGES for name in row.names if not name.endswith("*")}
    by_prefix = [(name[:-1], row) for row in LANGUAGES for name in row.names if name.endswith("*")]
    by_suffix = {suffix: row for row in LANGUAGES for suffix in row.suffixes}
    by_shebang = {program: row for row in LANGUAGES for program in row.shebangs}
    return by_name, by_prefix, by_suffix, by_shebang
