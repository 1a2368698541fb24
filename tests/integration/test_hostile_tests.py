"""Test suites that cheat, hang, flood and dig: the right verdict, an identical tree, and nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from support.boxed import named, sandboxes, tree
from support.git_repositories import git, new_repository
from support.suites import opened_suite

from tools.run_tests import TestsRan
from tools.sandbox.tiers import Sandbox, Tier
from tools.suite import SuiteOptions

SANDBOXES = sandboxes()
PASSES = "def test_fine():\n    assert True\n"


async def run_hostile(
    tmp_path: Path, sandbox: Sandbox, files: dict[str, str], seconds: float = 30, **arguments: object
) -> TestsRan:
    """Run the suite; whatever it does, the tree stays and no process of it does."""
    root = tmp_path / "workspace"
    mine = {process.pid for process in psutil.Process().children(recursive=True)}
    with opened_suite(root, tmp_path / "data", files, sandbox=sandbox, options=_options(seconds)) as opened:
        before, folders = tree(root), _scratch_folders()
        ran = await opened.run(**arguments)
        assert tree(root) == before
        assert _scratch_folders() <= folders
    assert {process.pid for process in psutil.Process().children(recursive=True)} <= mine
    return ran


def _options(seconds: float) -> SuiteOptions:
    return SuiteOptions(seconds=seconds, python=sys.executable, scratch_mib=64)


def _scratch_folders() -> set[str]:
    return {place.name for place in Path(tempfile.gettempdir()).glob(f"codewitness-{os.getpid()}-*")}


@pytest.mark.parametrize("sandbox", SANDBOXES, ids=named)
async def test_an_honest_suite_is_reported_as_it_went(sandbox: Sandbox, tmp_path: Path) -> None:
    files = {
        "shop/__init__.py": "",
        "shop/cart.py": "def total(prices):\n    return sum(prices[1:])\n",
        "test_cart.py": """import pytest
from shop.cart import total

def test_total():
    print("printed by the test")
    assert total([1, 2]) == 3

def test_empty():
    assert total([]) == 0

@pytest.mark.skip
def test_later(): ...

@pytest.mark.xfail
def test_known(): assert False

def test_fixture(nothing): ...
""",
        "conftest.py": "import sys\nsys.path.insert(0, '.')\n",
    }
    ran = await run_hostile(tmp_path, sandbox, files)
    outcomes = {test.id.rpartition("::")[2]: test.outcome for test in ran.tests}
    assert outcomes == {
        "test_total": "failed",
        "test_empty": "passed",
        "test_later": "skipped",
        "test_known": "xfailed",
        "test_fixture": "error",
    }
    assert ran.test_run.verdict == "failed"
    assert [(lines.path, lines.symbol) for lines in ran.failures[0].lines] == [("test_cart.py", "test_total")]
    assert "printed by the test" in ran.failures[0].test.output
    assert "assert 2 == 3" in ran.test_run.summary


CHEATS = {
    "leaves with exit status 0": "import os\ndef test_bad():\n    os._exit(0)\n",
    "leaves while collected": "import os\nos._exit(0)\n",
    "prints a summary and leaves": "import os, sys\ndef test_bad():\n"
    "    sys.__stdout__.write('\\n===== 1 passed in 0.01s =====\\n')\n    sys.__stdout__.flush()\n    os._exit(0)\n",
    "changes the exit status at the end": "import atexit, os\natexit.register(lambda: os._exit(0))\n"
    "def test_bad():\n    assert False\n",
    "kills its own process": "import os, signal\ndef test_bad():\n    os.kill(os.getpid(), signal.SIGKILL)\n",
}


@pytest.mark.parametrize("cheat", CHEATS)
async def test_a_suite_that_cheats_has_no_verdict(cheat: str, tmp_path: Path) -> None:
    files = {"test_a.py": PASSES, "test_b.py": CHEATS[cheat]}
    ran = await run_hostile(tmp_path, SANDBOXES[0], files)
    assert ran.test_run.verdict == "incomplete"
    assert ran.run.report.problem


async def test_a_module_named_pytest_is_not_run(tmp_path: Path) -> None:
    files = {
        "pytest.py": "print('planted')\nraise SystemExit(0)\n",
        "test_a.py": "def test_bad():\n    assert 0\n",
    }
    ran = await run_hostile(tmp_path, SANDBOXES[0], files)
    assert (ran.test_run.verdict, b"planted" in ran.run.ended.output) == ("failed", False)


async def test_a_conftest_that_hides_failures_has_no_verdict(tmp_path: Path) -> None:
    conftest = "def pytest_sessionfinish(session, exitstatus):\n    session.exitstatus = 0\n"
    files = {"conftest.py": conftest, "test_a.py": "def test_bad():\n    assert 0\n"}
    ran = await run_hostile(tmp_path, SANDBOXES[0], files)
    assert ran.test_run.verdict in ("failed", "incomplete")


async def test_a_conftest_that_keeps_the_reporter_out_has_no_verdict(tmp_path: Path) -> None:
    conftest = "def pytest_sessionstart(session):\n    session.config.pluginmanager.unregister(name='codewitness_reports')\n"
    files = {"conftest.py": conftest, "test_a.py": PASSES}
    ran = await run_hostile(tmp_path, SANDBOXES[0], files)
    assert ran.test_run.verdict == "incomplete"
    assert "reporter" in ran.run.report.problem


async def test_tests_that_are_left_out_of_the_run_are_missed(tmp_path: Path) -> None:
    conftest = "def pytest_runtestloop(session):\n    return True\n"
    ran = await run_hostile(tmp_path, SANDBOXES[0], {"conftest.py": conftest, "test_a.py": PASSES})
    assert (ran.test_run.verdict, ran.run.report.problem) == ("incomplete", "0 of 1 tests were reported")


HANGS = {
    "loops": "def test_bad():\n    while True: pass\n",
    "hangs at import": "import time\ntime.sleep(600)\n",
    "hangs at exit": "import atexit, time\natexit.register(time.sleep, 600)\ndef test_fine(): ...\n",
    "ignores to be told": "import signal, time\ndef test_bad():\n"
    "    for one in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):\n        signal.signal(one, signal.SIG_IGN)\n"
    "    time.sleep(600)\n",
}


@pytest.mark.parametrize("hang", HANGS)
async def test_a_suite_that_hangs_is_ended_in_time(hang: str, tmp_path: Path) -> None:
    started = time.monotonic()
    ran = await run_hostile(tmp_path, SANDBOXES[0], {"test_a.py": HANGS[hang]}, seconds=2)
    assert (ran.run.ended.reason, ran.test_run.verdict) == ("timeout", "incomplete")
    assert time.monotonic() - started < 30


async def test_a_flood_of_output_is_cut(tmp_path: Path) -> None:
    code = "import os\ndef test_bad():\n    while True: os.write(2, b'x' * 65536)\n"
    ran = await run_hostile(
        tmp_path, SANDBOXES[0], {"test_a.py": code, "pytest.ini": "[pytest]\naddopts = -s\n"}
    )
    assert (ran.run.ended.reason, ran.test_run.verdict) == ("output_limit", "incomplete")
    assert len(ran.run.ended.output) < 250_000


async def test_the_terminal_cannot_be_written_to(tmp_path: Path) -> None:
    code = "def test_tty():\n    open('/dev/tty', 'w').write('\\x1b]52;c;planted\\x07')\n"
    ran = await run_hostile(tmp_path, SANDBOXES[0], {"test_a.py": code})
    assert ran.test_run.verdict == "failed"


@pytest.mark.parametrize("sandbox", SANDBOXES, ids=named)
async def test_a_suite_that_tampers_changes_only_its_own_view(sandbox: Sandbox, tmp_path: Path) -> None:
    code = f"""import os, pathlib, shutil, subprocess, sys
def test_tampers():
    pathlib.Path("source.py").write_text("planted")
    pathlib.Path("new.txt").write_text("planted")
    shutil.rmtree("folder")
    os.symlink("/etc/passwd", "link")
    assert not pathlib.Path({str(tmp_path / "outside.txt")!r}).exists()
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=True)
"""
    (tmp_path / "outside.txt").write_text("outside")
    files = {"test_a.py": code, "source.py": "a = 1\n", "folder/kept.py": "b = 2\n"}
    ran = await run_hostile(tmp_path, sandbox, files)
    # With Landlock a file outside cannot be looked into, but whether it is there can still be asked.
    assert ran.test_run.verdict == ("failed" if sandbox.tier is Tier.LANDLOCK else "passed")
    assert (tmp_path / "outside.txt").read_text() == "outside"


@pytest.mark.parametrize("sandbox", SANDBOXES, ids=named)
async def test_links_out_of_the_workspace_lead_nowhere(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    root = tmp_path / "workspace"
    root.mkdir()
    (root / "link").symlink_to(tmp_path / "secret")
    (root / "folder").symlink_to(tmp_path, target_is_directory=True)
    code = """import pytest
@pytest.mark.parametrize("path", ["link", "folder/secret"])
def test_link(path):
    with pytest.raises(OSError):
        open(path).read()
"""
    ran = await run_hostile(tmp_path, sandbox, {"test_a.py": code})
    assert ran.test_run.verdict == "passed", ran.test_run.summary


async def test_masked_secrets_are_neither_read_nor_shown(tmp_path: Path) -> None:
    code = """import os
def test_env():
    assert open(".env").read() == ""
    assert os.listdir(".git") == []
    token = "ghp_" + "a1B2" * 9
    print(token)
    assert token == 1
"""
    files = {"test_a.py": code, ".env": "TOKEN=secret\n", ".git/config": "[core]\n"}
    ran = await run_hostile(tmp_path, SANDBOXES[0], files)
    assert ran.tests[0].outcome == "failed"
    told = (
        ran.test_run.summary
        + ran.failures[0].test.output
        + ran.for_model([f"E{n}" for n in range(1, 9)][: len(ran.evidence)])
    )
    assert "ghp_a1B2" not in told
    assert "REDACTED" in told


@pytest.mark.parametrize("sandbox", SANDBOXES, ids=named)
async def test_a_linked_worktree_is_a_workspace_like_others(sandbox: Sandbox, tmp_path: Path) -> None:
    """Its `.git` is a file that names a folder elsewhere, which the tests have no business with."""
    code = f"""from pathlib import Path
def test_worktree():
    assert open(".git").read() == ""
    try:
        assert not list(Path({str(tmp_path / "main")!r}).iterdir())
    except OSError:
        pass
"""
    main = new_repository(tmp_path / "main", {"test_a.py": code})
    git(main, "worktree", "add", "-q", "-b", "side", str(tmp_path / "workspace"))
    ran = await run_hostile(tmp_path, sandbox, {}, seconds=120)
    assert ran.test_run.verdict == "passed", ran.test_run.summary
    assert git(tmp_path / "workspace", "status", "--porcelain") == ""


@pytest.fixture
def crowd() -> Iterator[int]:
    """Three hundred processes of the person who runs the tests."""
    shell = subprocess.Popen(
        ["/bin/sh", "-c", "for n in $(seq 300); do sleep 600 & done; echo; wait"],
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert shell.stdout is not None
    shell.stdout.readline()
    yield 300
    os.killpg(shell.pid, signal.SIGKILL)
    shell.communicate()


@pytest.mark.slow
@pytest.mark.usefixtures("crowd")
@pytest.mark.parametrize("sandbox", SANDBOXES, ids=named)
async def test_other_processes_of_the_same_person_do_not_count(sandbox: Sandbox, tmp_path: Path) -> None:
    code = "import subprocess\ndef test_start():\n    assert subprocess.run(['true']).returncode == 0\n"
    ran = await run_hostile(tmp_path, sandbox, {"test_a.py": code}, seconds=120)
    assert ran.test_run.verdict == "passed", ran.test_run.summary


@pytest.mark.slow
@pytest.mark.parametrize("sandbox", SANDBOXES, ids=named)
async def test_a_fork_bomb_is_ended(sandbox: Sandbox, tmp_path: Path) -> None:
    code = "import os, time\ndef test_bomb():\n    while True:\n        try: os.fork()\n        except OSError: time.sleep(1)\n"
    ran = await run_hostile(tmp_path, sandbox, {"test_a.py": code}, seconds=10)
    assert ran.run.ended.reason in ("process_limit", "timeout", "memory_limit")
    assert ran.test_run.verdict == "incomplete"


@pytest.mark.slow
@pytest.mark.parametrize("sandbox", SANDBOXES, ids=named)
async def test_who_takes_all_memory_is_ended(sandbox: Sandbox, tmp_path: Path) -> None:
    code = """import os, time
def test_hog():
    for _ in range(4):
        if os.fork() == 0:
            hog = bytearray(os.urandom(1 << 20) * 1200)
            time.sleep(60)
    time.sleep(60)
"""
    ran = await run_hostile(tmp_path, sandbox, {"test_a.py": code}, seconds=40)
    assert (ran.run.ended.reason, ran.test_run.verdict) == ("memory_limit", "incomplete")


@pytest.mark.slow
@pytest.mark.parametrize("sandbox", SANDBOXES, ids=named)
async def test_who_fills_the_disk_is_stopped(sandbox: Sandbox, tmp_path: Path) -> None:
    code = """import os, time
def test_filler(tmp_path):
    for number in range(200):
        for folder in (".", str(tmp_path)):
            with open(f"{folder}/{number}", "wb") as file:
                file.write(bytes(8 << 20))
        time.sleep(0.05)
"""
    ran = await run_hostile(tmp_path, sandbox, {"test_a.py": code}, seconds=60)
    reason = "disk_limit" if sandbox.tier is Tier.LANDLOCK else "exit"
    assert (ran.run.ended.reason, ran.test_run.verdict == "passed") == (reason, False)
