"""Which Python a project's tests run on, and what a sandbox must show of it.

Found by looking at files: no interpreter is started. In this order: the one that the person's settings name, a virtual
environment in the workspace, the one that is active in the person's shell, the first Python on PATH that has pytest,
and last the one that runs us, which cannot be expected to have the project's packages; `described` says which.

A virtual environment in the workspace may claim anything about its interpreter. Of the machine nothing is shown but
`bin` and `lib` of what really is a Python: a program of that name with its standard library beside it.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tools.runners.runner import RunnerLacks
from tools.runners.survey import Survey
from tools.subprocesses import find_program
from tools.workspace import Workspace

_SCRIPTS, _PROGRAM = ("Scripts", "python.exe") if sys.platform == "win32" else ("bin", "python")
_PROGRAM_NAME = re.compile(r"python[\d.]*t?(?:\.exe)?")
_VERSION_FOLDER = re.compile(r"python(\d+)\.(\d+)t?")
_MAX_LINKS = 10


@dataclass(frozen=True, slots=True)
class PythonEnvironment:
    """One Python with its packages."""

    program: Path
    """As it is on this machine; below `inside` where that is given."""
    inside: str
    """The folder of the workspace that is the environment, or ""."""
    read_only: tuple[tuple[Path, str], ...]
    version: tuple[int, int]
    packages: tuple[Path, ...]
    """Folders of installed packages."""
    described: str

    def has(self, package: str) -> bool:
        """Whether a package of this name can be imported."""
        return any((folder / package / "__init__.py").is_file() for folder in self.packages)

    def program_in(self, root: Path, workspace: str) -> str:
        """The program as a test process sees it, to which the workspace `root` is at `workspace`."""
        if not self.inside:
            return str(self.program)
        return f"{workspace}/{self.program.relative_to(root).as_posix()}"


def find_python(
    workspace: Workspace, seen: Survey, *, configured: str, environment: Mapping[str, str]
) -> PythonEnvironment:
    """The Python for this workspace. Raises: RunnerLacks, where the configured one is none."""
    if configured:
        program = _program(Path(configured).expanduser())
        found = _environment(program, workspace.root, f"{program}, from your settings")
        if found is None:
            raise RunnerLacks(f"`tests.python` names `{configured}`, which is no Python")
        return found
    candidates = [*_in_workspace(workspace, seen), *_around(workspace, environment)]
    for program, described, needs_pytest in candidates:
        found = _environment(program, workspace.root, described)
        if found is not None and (found.has("pytest") or not needs_pytest):
            return found
    raise RunnerLacks("no Python was found")


def _in_workspace(workspace: Workspace, seen: Survey) -> Iterator[tuple[Path, str, bool]]:
    environments = [path for path in seen.dependencies if _is_file(workspace, f"{path}/pyvenv.cfg")]
    for path in sorted(environments, key=lambda path: (path.count("/"), path)):
        yield _program(workspace.root / path), f"the virtual environment `{path}` of the workspace", False


def _around(workspace: Workspace, environment: Mapping[str, str]) -> Iterator[tuple[Path, str, bool]]:
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        if named := environment.get(variable, ""):
            yield _program(Path(named)), f"`{named}`, the environment that is active ({variable})", False
    for name in ("python3", "python"):
        if found := find_program(name, outside=workspace.root):
            yield found, f"`{found}`, found on PATH", True
    own = f"`{sys.executable}`, the Python of Codewitness itself: the project's packages may be missing"
    yield Path(sys.executable), own, False


def _is_file(workspace: Workspace, path: str) -> bool:
    return workspace.stat(path) is not None


def _program(place: Path) -> Path:
    """The interpreter of an environment's folder; a program stays what it is."""
    return place / _SCRIPTS / _PROGRAM if place.is_dir() else place


def _environment(program: Path, root: Path, described: str) -> PythonEnvironment | None:
    real = Path(os.path.realpath(program))
    base = real.parent.parent
    library = _standard_library(base)
    if library is None or not real.is_file() or not _PROGRAM_NAME.fullmatch(real.name):
        return None
    venv = program.parent.parent if (program.parent.parent / "pyvenv.cfg").is_file() else None
    inside = venv is not None and venv.is_relative_to(root)
    own = [] if venv is None or inside else [(venv, str(venv))]
    return PythonEnvironment(
        program=program,
        inside=venv.relative_to(root).as_posix() if venv is not None and inside else "",
        read_only=(*own, *_shown(program, base, root)),
        version=library[1],
        packages=tuple(_packages(venv or base)),
        described=described,
    )


def _standard_library(base: Path) -> tuple[Path, tuple[int, int]] | None:
    if sys.platform == "win32":
        return (base / "Lib", sys.version_info[:2]) if (base / "Lib" / "os.py").is_file() else None
    for folder in sorted((base / "lib").glob("python*.*"), reverse=True):
        version = _VERSION_FOLDER.fullmatch(folder.name)
        if version and (folder / "os.py").is_file():
            return folder, (int(version[1]), int(version[2]))
    return None


def _shown(program: Path, base: Path, root: Path) -> Iterator[tuple[Path, str]]:
    """`bin` and `lib` of the interpreter, by each name under which the links to it go."""
    names = {place.parent.parent for place in _links(program)} | {base}
    for name in sorted(names):
        if name.is_relative_to("/usr") or name.is_relative_to(root) or os.path.realpath(name) != str(base):
            continue
        for folder in ("bin", "lib"):
            yield base / folder, str(name / folder)


def _links(program: Path) -> Iterator[Path]:
    for _ in range(_MAX_LINKS):
        yield program
        if not program.is_symlink():
            return
        program = Path(os.path.normpath(program.parent / program.readlink()))


def _packages(base: Path) -> Iterator[Path]:
    yield base / "Lib" / "site-packages"
    for folder in (base / "lib").glob("python3*"):
        yield from (folder / "site-packages", folder / "dist-packages")
    if base == Path("/usr"):
        yield from Path("/usr/local/lib").glob("python3*/dist-packages")
