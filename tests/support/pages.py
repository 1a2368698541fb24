"""The pages and pictures of `docs/` that are made from the program itself: keys, settings, screens.

`make docs` writes them, `tests/unit/test_docs.py` holds them.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path

from agent.settings import ENVIRONMENT_PREFIX, Settings, known_settings
from tui.screens.help import sections

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SNAPSHOTS = ROOT / "tests" / "integration" / "tui" / "__snapshots__" / "test_snapshots"
SCREENS = {
    "answer": "answer-140x45-dark",
    "light": "answer-140x45-light",
    "narrow": "answer-80x24-dark",
    "source": "source-140x45-dark",
    "no-evidence": "no_evidence-140x45-light",
    "search": "search-140x45-light",
    "withheld": "withheld-140x45-light",
}
"""Picture → the accepted snapshot that it is."""
GROUPS = {
    "model": "The model",
    "budget": "How long a question may take",
    "index": "The index",
    "tests": "Running tests",
}


def keys_page() -> str:
    """`docs/keys.md`."""
    lines = [
        "# Keys and commands",
        "",
        "The same page opens with F1. It is made from the bindings (`make docs`).",
    ]
    for title, rows in sections():
        lines += ["", f"## {title}", "", "| | |", "|---|---|"]
        lines += [f"| {' '.join(f'`{key}`' for key in _keys(keys))} | {_cell(what)} |" for keys, what in rows]
    return "\n".join(lines) + "\n"


def settings_page() -> str:
    """`docs/settings.md`."""
    lines = [
        "# Settings",
        "",
        "A flag beats the environment, which beats the settings file, which beats the default. `codewitness config path`",
        "says where the settings file is looked for, `codewitness config show` what is in force and where each value came",
        "from. Nothing in a workspace configures the program. This page is made from `agent/settings.py` (`make docs`).",
        "",
        "In the settings file (TOML) a setting stands below its group; in the environment its name is",
        f"`{ENVIRONMENT_PREFIX}`, the group, `__` and the rest, in capitals; a list is written as JSON there:",
        "```",
        "[model]",
        'name = "qwen3:8b"',
        "",
        "[index]",
        'ignore = ["*.generated.ts"]',
        "```",
        "```",
        f"{ENVIRONMENT_PREFIX}MODEL__NAME=qwen3:8b",
        f"{ENVIRONMENT_PREFIX}INDEX__IGNORE='[\"*.generated.ts\"]'",
        "```",
    ]
    defaults = known_settings()
    for group, title in GROUPS.items():
        lines += ["", f"## {title}", "", "| setting | default | |", "|---|---|---|"]
        for name, meaning in _fields(group):
            key = f"{group}.{name}"
            lines.append(f"| `{key}` | {_default(defaults[key])} | {_cell(meaning)} |")
    return "\n".join(lines) + "\n"


def screen(name: str) -> str:
    """A picture: the accepted snapshot, without the fonts that it would fetch from elsewhere."""
    svg = (SNAPSHOTS / f"test_it_looks_as_accepted[{SCREENS[name]}].svg").read_text("utf-8")
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)


def write() -> None:
    """Bring everything up to date."""
    (DOCS / "screens").mkdir(parents=True, exist_ok=True)
    (DOCS / "keys.md").write_text(keys_page(), encoding="utf-8")
    (DOCS / "settings.md").write_text(settings_page(), encoding="utf-8")
    for name in SCREENS:
        (DOCS / "screens" / f"{name}.svg").write_text(screen(name), encoding="utf-8")


def _keys(keys: str) -> list[str]:
    return [keys] if keys.startswith("/") or not keys.isascii() else keys.split() or [" "]


def _default(value: object) -> str:
    return "" if value in ("", [], None) else f"`{value if isinstance(value, str) else json.dumps(value)}`"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _fields(group: str) -> Iterator[tuple[str, str]]:
    """The settings of a group with the text below each in the source, which runs through nothing but the parser."""
    model = type(getattr(Settings.model_validate({}), group))
    (definition,) = ast.parse(inspect.getsource(model)).body
    assert isinstance(definition, ast.ClassDef)
    for field, below in zip(definition.body, [*definition.body[1:], None], strict=True):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            text = (
                below.value.value
                if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
                else ""
            )
            yield field.target.id, str(text)


if __name__ == "__main__":
    write()
