from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tools.runners.python_environment import PythonEnvironment, find_python
from tools.runners.runner import RunnerLacks
from tools.runners.survey import survey
from tools.workspace import Workspace

VERSION = f"python{sys.version_info.major}.{sys.version_info.minor}"


def _find(root: Path, configured: str = "", **environment: str) -> PythonEnvironment:
    workspace = Workspace(root)
    try:
        return find_python(workspace, survey(workspace), configured=configured, environment=environment)
    finally:
        workspace.close()


def _environment(folder: Path, program: Path | None = None) -> Path:
    """A virtual environment, as far as it can be told by its files."""
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").symlink_to(program or Path(sys.executable).resolve())
    (folder / "pyvenv.cfg").write_text("home = /somewhere\n")
    (folder / "lib" / VERSION / "site-packages" / "pytest").mkdir(parents=True)
    (folder / "lib" / VERSION / "site-packages" / "pytest" / "__init__.py").touch()
    return folder


def test_an_environment_in_the_workspace_comes_first(tmp_path: Path) -> None:
    _environment(tmp_path / ".venv")
    active = _environment(tmp_path.parent / f"{tmp_path.name}-active")
    found = _find(tmp_path, VIRTUAL_ENV=str(active))
    assert (found.inside, found.version) == (".venv", sys.version_info[:2])
    assert found.program_in(tmp_path, "/workspace") == "/workspace/.venv/bin/python"
    assert found.has("pytest")


def test_the_active_environment_comes_next_and_is_shown(tmp_path: Path) -> None:
    active = _environment(tmp_path.parent / f"{tmp_path.name}-active")
    found = _find(tmp_path, VIRTUAL_ENV=str(active))
    assert (active, str(active)) in found.read_only
    assert "VIRTUAL_ENV" in found.described


def test_an_environment_of_the_workspace_cannot_show_folders_that_hold_no_python(tmp_path: Path) -> None:
    secret = tmp_path.parent / f"{tmp_path.name}-secret"
    (secret / "bin").mkdir(parents=True)
    (secret / "bin" / "python3").write_text("#!/bin/sh\n")
    _environment(tmp_path / ".venv", secret / "bin" / "python3")
    found = _find(tmp_path)
    assert found.inside == ""
    assert all(secret not in (source, *source.parents) for source, _ in found.read_only)


def test_of_an_interpreter_nothing_is_shown_but_programs_and_libraries(tmp_path: Path) -> None:
    base = tmp_path.parent / f"{tmp_path.name}-home"
    (base / "bin").mkdir(parents=True)
    (base / "lib" / VERSION).mkdir(parents=True)
    (base / "lib" / VERSION / "os.py").touch()
    (base / "bin" / VERSION).touch()
    (base / "secret").touch()
    _environment(tmp_path / ".venv", base / "bin" / VERSION)
    assert {source for source, _ in _find(tmp_path).read_only} == {base / "bin", base / "lib"}


def test_a_configured_interpreter_must_be_one(tmp_path: Path) -> None:
    with pytest.raises(RunnerLacks, match="is no Python"):
        _find(tmp_path, configured=str(tmp_path))
    assert "from your settings" in _find(tmp_path, configured=sys.executable).described
