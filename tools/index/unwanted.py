"""Files that are not worth indexing: told by their name before they are read, or by their content after.

Each answer is the reason that people read, or "".
"""

from __future__ import annotations

import re
from collections.abc import Collection

from tools.secrets import is_secret_file
from tools.workspace import SourceFile

MAX_LINES = 20_000
_MAX_LINE_CHARACTERS = 20_000
_MAX_AVERAGE_CHARACTERS = 300
_MIN_CHARACTERS_TO_JUDGE = 4_000
_HEADER_LINES = 30

_BINARY = re.compile(
    r"""\.(?:
        png | jpe?g | gif | bmp | ico | icns | webp | avif | tiff? | psd | heic
      | mp[34] | m4[av] | wav | ogg | flac | avi | mov | mkv | webm
      | woff2? | ttf | otf | eot
      | zip | gz | tgz | bz2 | xz | zst | 7z | rar | tar | jar | war | whl | egg | deb | rpm | dmg | iso
      | pdf | docx? | xlsx? | pptx? | odt
      | exe | dll | so(?:\.\d+)* | dylib | a | o | obj | lib | class | py[cod] | wasm | bin
      | sqlite3? | db | parquet | arrow | npy | npz | pkl | pickle | onnx | pth | safetensors | gguf | h5
    )\Z""",
    re.IGNORECASE | re.VERBOSE,
)
_GENERATED_NAME = re.compile(
    r"""(?:\A|/)(?:
        package-lock\.json | npm-shrinkwrap\.json | yarn\.lock | pnpm-lock\.yaml | bun\.lockb? | deno\.lock
      | poetry\.lock | uv\.lock | pdm\.lock | Pipfile\.lock | pixi\.lock | conda-lock\.ya?ml
      | Cargo\.lock | go\.sum | go\.work\.sum | Gemfile\.lock | composer\.lock | mix\.lock | pubspec\.lock
      | Podfile\.lock | Package\.resolved | packages\.lock\.json | flake\.lock | \.terraform\.lock\.hcl
      | [^/]*\.min\.(?:js|mjs|css) | [^/]*\.(?:js|mjs|cjs|css|ts)\.map | [^/]*\.map\.json
    )\Z""",
    re.VERBOSE,
)
_VENDORED = frozenset(
    (
        *("node_modules", "bower_components", "jspm_packages", ".yarn", ".pnpm-store"),
        *(".venv", "site-packages", "__pypackages__", ".eggs"),
        *(
            "__pycache__",
            ".tox",
            ".nox",
            ".mypy_cache",
            ".pytest_cache",
            ".ruff_cache",
            ".hypothesis",
            ".cache",
        ),
        *("dist", "deno_dist", ".next", ".nuxt", ".svelte-kit", ".turbo", ".parcel-cache", "htmlcov"),
        *("vendor", "Pods", ".gradle", ".terraform", ".dart_tool", ".stack-work", "_build", ".idea"),
        *(".git", ".hg", ".svn", ".jj"),
    )
)
# Common words for folders of sources too: they hold build output only beside the file of a tool that writes there.
_OUTPUT_BESIDE: dict[str, frozenset[str]] = {
    "target": frozenset({"Cargo.toml", "pom.xml", "build.sbt", "project.clj"}),
    "build": frozenset({"build.gradle", "build.gradle.kts", "CMakeLists.txt", "setup.py", "pubspec.yaml"}),
    "bin": frozenset({"build.gradle", ".classpath"}),
    "out": frozenset({"next.config.js", "next.config.mjs", "next.config.ts"}),
    "coverage": frozenset({"package.json"}),
    "deps": frozenset({"mix.exs"}),
}
_ENVIRONMENT_MARK = "pyvenv.cfg"

_COMMENT = re.compile(r"""\s*(?:\#|//|/\*|\*|--|;|<!--|%|\(\*|['"]{3}|@?rem\b|')""", re.IGNORECASE)
_GENERATED_MARK = re.compile(
    r"@generated\b|\bDO NOT (?:EDIT|MODIFY)\b(?! (?:the|this) (?:order|line|section|block))"
    r"|(?i:\bcode generated (?:by|from)\b|\b(?:auto-?|automatically )generated (?:by|from|file|code)\b"
    r"|\b(?:this|the) file (?:is|was|has been) (?:auto-?|automatically )?generated\b)"
)
_PROSE = re.compile(r"\.(?:md|mdx|markdown|rst|txt|adoc|org|tex|csv|tsv|svg|po)\Z", re.IGNORECASE)


def name_skip(path: str) -> str:
    """Why a file is left out by its name alone."""
    if is_secret_file(path):
        return "secret file"
    if _BINARY.search(path):
        return "binary"
    return "generated" if _GENERATED_NAME.search(path) else ""


def folder_skip(name: str, beside: Collection[str], inside: Collection[str]) -> str:
    """Why a walk leaves a folder out, given the names beside and in it. Git's own list needs no such guesses."""
    if name in _VENDORED or name.endswith(".egg-info") or _ENVIRONMENT_MARK in inside:
        return "vendored or built"
    return "vendored or built" if not _OUTPUT_BESIDE.get(name, frozenset()).isdisjoint(beside) else ""


def content_skip(source: SourceFile) -> str:
    """Why a file is left out by what it holds."""
    if len(source.lines) > MAX_LINES:
        return f"more than {MAX_LINES:,} lines"
    if _is_minified(source):
        return "minified"
    return "generated" if _is_generated(source) else ""


def _is_minified(source: SourceFile) -> bool:
    n_characters = sum(map(len, source.lines))
    if n_characters < _MIN_CHARACTERS_TO_JUDGE:
        return False
    if _PROSE.search(source.path):  # a paragraph may well be one line
        return max(map(len, source.lines)) > 5 * _MAX_LINE_CHARACTERS
    average = n_characters / len(source.lines)
    return average > _MAX_AVERAGE_CHARACTERS or max(map(len, source.lines)) > _MAX_LINE_CHARACTERS


def _is_generated(source: SourceFile) -> bool:
    """A header that says so, in a comment: text about generated files says the same elsewhere."""
    if _PROSE.search(source.path):
        return False
    header = source.lines[:_HEADER_LINES]
    return any(_GENERATED_MARK.search(line) and _COMMENT.match(line) for line in header)
