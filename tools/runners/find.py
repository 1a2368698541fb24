"""Which runner fits a workspace: the one that the person's settings name, that of the file asked for, or the first found."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from tools.runners.cargo_runner import find_cargo
from tools.runners.go_runner import find_go
from tools.runners.node_runner import find_node, is_node_test
from tools.runners.pytest_runner import find_pytest, is_python_test
from tools.runners.runner import Runner, RunnerLacks, Selection
from tools.runners.survey import Survey
from tools.workspace import Workspace


@dataclass(frozen=True, slots=True)
class RunnerChoice:
    """What decides besides the files."""

    name: str = ""
    """The runner of the person's settings: pytest, node, vitest, jest, go, cargo; "": by the files."""
    python: str = ""
    environment: Mapping[str, str] = field(default_factory=dict[str, str])


_Find = Callable[[Workspace, Survey, RunnerChoice, str], Runner | None]
_BY_NAME: Mapping[str, _Find] = {
    "pytest": lambda workspace, seen, choice, near: find_pytest(
        workspace, seen, python=choice.python, environment=choice.environment, near=near
    ),
    "go": lambda workspace, seen, choice, near: find_go(workspace, seen, choice.environment, near),
    "cargo": lambda workspace, seen, choice, near: find_cargo(workspace, seen, choice.environment, near),
    "node": lambda workspace, seen, choice, near: find_node(workspace, seen, choice.name, near),
}
_NODE_NAMES = ("node", "vitest", "jest")
_BY_SUFFIX = {
    ".py": "pytest",
    ".go": "go",
    ".rs": "cargo",
    **dict.fromkeys((".js", ".cjs", ".mjs", ".jsx", ".ts", ".cts", ".mts", ".tsx"), "node"),
}
RUNNER_NAMES = ("pytest", *_NODE_NAMES, "go", "cargo")


def has_tests(paths: Iterable[str]) -> bool:
    """Whether files of these paths are tests that some runner could run."""
    return any(
        is_python_test(path) or path.endswith(("_test.go", ".rs")) or is_node_test(path) for path in paths
    )


def find_runner(workspace: Workspace, seen: Survey, choice: RunnerChoice, selection: Selection) -> Runner:
    """The runner for these tests. Raises: RunnerLacks, which names what is missing."""
    if choice.name == "none":
        raise RunnerLacks("`tests.runner` in your settings is `none`")
    named = "node" if choice.name in _NODE_NAMES else choice.name
    near = _a_path(selection)
    wanted = named or _BY_SUFFIX.get(posixpath.splitext(near)[1], "")
    for name in [wanted] if wanted else list(_BY_NAME):
        found = _BY_NAME[name](workspace, seen, choice, near)
        if found is not None:
            return found
    if wanted:
        raise RunnerLacks(f"there are no tests for {choice.name or wanted} here")
    raise RunnerLacks(f"no tests were found for any of {', '.join(RUNNER_NAMES)}")


def _a_path(selection: Selection) -> str:
    return selection.path or next((test.partition("::")[0] for test in selection.tests), "")
