"""The wheel, installed and started inside a repository that has packages of the same names as ours."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest
from support.program import codewitness
from support.small_workspace import small_workspace

ROOT = Path(__file__).parents[2]
THEIRS = ("agent", "tools", "tui", "evals", "multiprocessing", "numpy", "tree_sitter", "json")


def run(*arguments, **options):
    done = subprocess.run(arguments, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder), cwd=ROOT)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """The program from the wheel, in an environment that has what it depends on but not this checkout."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    python = scripts / Path(sys.executable).name
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").stdout.strip())
    # Folders named in a .pth file are searched, their own .pth files (the editable checkout) are not read.
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    pip = (
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "--quiet",
        "--disable-pip-version-check",
    )
    run(*pip, "--no-deps", "--no-index", str(wheel))
    return scripts / "codewitness"


def test_the_wheel_holds_the_four_packages_with_their_data_and_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {
        "agent",
        "tools",
        "tui",
        "evals",
    }
    for package in ("agent", "tools", "tui"):
        data = [
            path
            for path in (ROOT / package).rglob("*")
            if path.suffix in (".md", ".tsv", ".json", ".scm", ".tcss")
        ]
        assert {path.relative_to(ROOT).as_posix() for path in data} <= set(names)
    assert "tui/schemas/answer.schema.json" in names


def test_inside_a_repository_with_packages_of_our_names_ours_run(installed, tmp_path):
    workspace = small_workspace(tmp_path / "shop")
    trap = f"import pathlib\npathlib.Path({str(tmp_path / 'sprung')!r}).touch()\nraise SystemExit('theirs ran')\n"
    for name in THEIRS:
        (workspace / name).mkdir()
        (workspace / name / "__init__.py").write_text(trap, encoding="utf-8")
        (workspace / f"{name}.py").write_text(trap, encoding="utf-8")
    asked = codewitness(
        "ask", "Where is `gross_price` defined?", program=installed, home=tmp_path / "home", here=workspace
    )
    assert asked.returncode == 0, asked.stderr
    assert "src/shop/prices.py:" in asked.stdout
    assert not (tmp_path / "sprung").exists()
