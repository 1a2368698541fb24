"""Each promise of a tier is one parameter, for every tier that works on this machine."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from support.boxed import ON_LINUX, SUPPORT, named, run_code, sandboxes, tree, why_missing

from tools.sandbox.job import Limits
from tools.sandbox.tiers import Sandbox, Tier

ROOT = Path(__file__).parents[4]
PROBE = (Path(__file__).parents[3] / "support" / "sandbox_probe.py").read_text(encoding="utf-8")
SANDBOXES = sandboxes()
Found = dict[str, Any]

ERRORS: dict[str, set[str]] = {
    "external tcp": {"ENETUNREACH", "EPERM"},
    "external udp": {"ENETUNREACH", "EPERM"},
    "dns": {"gaierror"},
    "host loopback": {"ECONNREFUSED", "EPERM"},
    "abstract socket": {"ECONNREFUSED", "EPERM"},
    "pathname socket": {"ENOENT", "EPERM", "EACCES"},
    "home secret": {"ENOENT", "EACCES"},
    "home listing": {"ENOENT", "EACCES"},
    "2 GiB": {"ENOMEM"},
    "mount": {"EPERM"},
    "unshare": {"EPERM"},
    "clone into a user namespace": {"EPERM"},
    "setns": {"EPERM"},
    "ptrace": {"EPERM"},
    "io_uring": {"EPERM"},
    "keyctl": {"EPERM"},
    "bpf": {"EPERM"},
    "write /etc": {"EROFS", "EACCES"},
    "write /": {"EROFS", "EACCES"},
    "write /usr": {"EROFS", "EACCES"},
    "write support": {"EROFS", "EACCES"},
    "terminal": {"ENXIO", "ENOENT", "EACCES"},
    "push into terminal": {"EPERM"},
}


@cache
def _sockets() -> tuple[socket.socket, socket.socket, socket.socket, Path]:
    """Listening outside the sandboxes, for as long as the tests run."""
    folder = Path(f"/tmp/codewitness-test-{os.getpid()}")
    folder.mkdir(exist_ok=True)
    tcp = socket.create_server(("127.0.0.1", 0))
    abstract, pathname = (socket.socket(socket.AF_UNIX) for _ in range(2))
    abstract.bind(f"\0codewitness-test-{os.getpid()}")
    pathname.bind(str(folder / "socket"))
    abstract.listen()
    pathname.listen()
    return tcp, abstract, pathname, folder


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    tcp, abstract, pathname, folder = _sockets()
    home = tmp_path_factory.mktemp("home")
    (home / "secret").write_text("secret")
    yield {
        "port": tcp.getsockname()[1],
        "abstract": f"codewitness-test-{os.getpid()}",
        "pathname": str(folder / "socket"),
        "secret": str(home / "secret"),
        "masked": [".env", ".git", "keys/server.key"],
        "fill": False,
    }
    for one in (tcp, abstract, pathname):
        one.close()
    _sockets.cache_clear()
    shutil.rmtree(folder)


@pytest.fixture(scope="module", params=SANDBOXES, ids=named)
def probed(
    request: pytest.FixtureRequest, wanted: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Sandbox, Found]:
    """What a probe found that ran in one tier; the workspace is looked at before and after."""
    sandbox: Sandbox = request.param
    root = tmp_path_factory.mktemp("with space, 'comma': and colon")
    (root / ".git").mkdir()
    (root / "keys").mkdir()
    for path in (".env", ".git/config", "keys/server.key", "source.py"):
        (root / path).write_text("SECRET=1")
    before = tree(root)
    support = str(SUPPORT) if sandbox.tier is Tier.LANDLOCK else "/opt/codewitness"
    arguments = json.dumps({**wanted, "support": support})
    masked = (".env", ".git", "keys/server.key")
    ended = run_code(sandbox, root, PROBE, arguments, "{report}", masked=masked)
    assert (ended.reason, ended.exit_code) == ("exit", 0), ended.output.decode()
    assert tree(root) == before, "the workspace changed"
    return sandbox, json.loads(ended.report)


@pytest.mark.parametrize("what", ERRORS)
def test_what_must_not_work_fails(probed: tuple[Sandbox, Found], what: str) -> None:
    assert probed[1][what] in ERRORS[what]


def test_own_loopback_works_where_there_is_a_network_of_its_own(probed: tuple[Sandbox, Found]) -> None:
    sandbox, found = probed
    assert found["own loopback"] == ("EPERM" if sandbox.tier is Tier.LANDLOCK else "")


def test_masked_files_are_there_and_empty(probed: tuple[Sandbox, Found]) -> None:
    assert probed[1]["masked"] == {".env": "", ".git": "", "keys/server.key": ""}


def test_no_variable_of_ours_is_seen_also_not_through_other_processes(probed: tuple[Sandbox, Found]) -> None:
    told = probed[1]["environments"]
    assert "HOME" in told
    for name in ("PYTEST_CURRENT_TEST", "VIRTUAL_ENV", "SHELL", "USER="):
        assert name not in told


def test_no_process_of_ours_is_seen(probed: tuple[Sandbox, Found]) -> None:
    assert all(pid < 10 for pid in probed[1]["processes"])


def test_no_capability_is_left(probed: tuple[Sandbox, Found]) -> None:
    sandbox, found = probed
    assert {int(kept, 16) for kept in found["capabilities"]} == {0}, sandbox.name


def test_privileges_cannot_be_gained_and_calls_are_filtered(probed: tuple[Sandbox, Found]) -> None:
    assert (probed[1]["no new privileges"], probed[1]["seccomp"]) == ("1", "2")


def test_no_core_is_dumped_and_the_user_stays_the_same(probed: tuple[Sandbox, Found]) -> None:
    assert (probed[1]["core"], probed[1]["user"]) == (0, os.getuid())


@pytest.mark.parametrize("sandbox", [one for one in SANDBOXES if one.tier is not Tier.LANDLOCK], ids=named)
def test_what_is_written_has_an_end(sandbox: Sandbox, tmp_path: Path) -> None:
    code = """
import contextlib, os, sys
for folder in (os.environ["TMPDIR"], "."):
    with contextlib.suppress(OSError), open(f"{folder}/filler", "wb", buffering=0) as file:
        for _ in range(64):
            file.write(bytes(1 << 20))
    print(os.path.getsize(f"{folder}/filler") >> 20)
"""
    limits = Limits(seconds=20, workspace_bytes=32 << 20, temporary_bytes=16 << 20)
    ended = run_code(sandbox, tmp_path, code, limits=limits)
    temporary, workspace = map(int, ended.output.split())
    assert 14 <= temporary <= 16
    assert 24 <= workspace <= 32
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("sandbox", SANDBOXES, ids=named)
def test_what_is_left_running_dies_with_the_run(sandbox: Sandbox, tmp_path: Path) -> None:
    mark = f"left-over-{os.getpid()}-{sandbox.tier.value}"
    code = f"""
import os, signal, sys, time
if os.fork() == 0:
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if os.fork() == 0:
        os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(60)", "{mark}"])
    os._exit(0)
time.sleep(0.3)
"""
    assert run_code(sandbox, tmp_path, code).reason == "exit"
    assert _running(mark) == []


@pytest.mark.parametrize("sandbox", SANDBOXES, ids=named)
def test_the_sandbox_dies_with_who_started_it(sandbox: Sandbox, tmp_path: Path) -> None:
    mark = f"orphan-{os.getpid()}-{sandbox.tier.value}"
    code = f"import os; os.write(int(__import__('sys').argv[1]), b'ready'); __import__('time').sleep(60)  # {mark}"
    program = f"""
import sys
sys.path[:0] = {[str(ROOT), str(ROOT / "tests")]!r}
from pathlib import Path
from support.boxed import run_code
from tools.sandbox.tiers import Tier, find_sandbox
sandbox = find_sandbox(Path("/nonexistent"), strongest=Tier({sandbox.tier.value}))
print("started", flush=True)
run_code(sandbox, Path({str(tmp_path)!r}), {code!r}, "{{report}}")
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        parent.stdout.readline()
        assert _until(lambda: bool(_running(mark)))
        parent.kill()
    assert _until(lambda: not _running(mark))


def _as_ordinary_user() -> list[str]:
    """How root starts our code as somebody else; nothing where it cannot be read by others, or we are not root."""
    if not ON_LINUX or os.geteuid() != 0:
        return []
    # Through `env`: what setpriv itself starts is still opened with root's rights.
    others = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/env"]
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for program in (sys.executable, f"/usr/bin/{version}"):
        argv = [*others, program]
        code = f"import sys; sys.path[:0] = {[str(ROOT), *sys.path]!r}; import tools.sandbox.tiers"
        with contextlib.suppress(OSError):
            if subprocess.run([*argv, "-c", code], capture_output=True, check=False, cwd="/").returncode == 0:
                return argv
    return []


AS_ORDINARY_USER = _as_ordinary_user()


@pytest.mark.parametrize("sandbox", SANDBOXES if AS_ORDINARY_USER else [], ids=named)
def test_an_ordinary_user_is_as_confined(sandbox: Sandbox) -> None:
    """As root most of these tests say less than they seem to: the kernel does not count root's processes."""
    code = """
import os
pids, stopped = [], 0
reader, writer = os.pipe()
while len(pids) < 200 and not stopped:
    try:
        pid = os.fork()
    except OSError as error:
        stopped = error.errno
        break
    if pid == 0:
        os.close(writer)
        os.read(reader, 1)
        os._exit(0)
    pids.append(pid)
os.close(writer)
print(os.getuid(), len(pids), stopped, os.listdir("/root") if os.access("/root", os.R_OK) else "hidden")
"""
    program = f"""
import sys
sys.path[:0] = {[str(ROOT), str(ROOT / "tests"), *sys.path]!r}
from pathlib import Path
from support.boxed import run_code
from tools.sandbox.tiers import Tier, find_sandbox
sandbox = find_sandbox(Path("/nonexistent"), strongest=Tier({sandbox.tier.value}))
assert sandbox.tier == {sandbox.tier.value}, sandbox.why
print(run_code(sandbox, Path(sys.argv[1]), {code!r}).output.decode(), end="")
"""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        done = subprocess.run(
            [*AS_ORDINARY_USER, "-c", program, folder],
            capture_output=True,
            text=True,
            check=False,
            env={"PATH": "/usr/bin:/bin"},
        )
    assert done.stdout, done.stderr
    user, count, stopped, root = done.stdout.split(maxsplit=3)
    assert (user, root.strip()) == ("65534", "hidden")
    if sandbox.tier is not Tier.LANDLOCK:
        assert int(count) < 128
        assert int(stopped) == errno.EAGAIN


def _until(happens: Callable[[], bool]) -> bool:
    """Wait for it, as long as a slow machine may take."""
    deadline = time.monotonic() + 10
    while not happens():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def test_every_tier_that_is_missing_says_why() -> None:
    assert len(SANDBOXES) == 4 or why_missing()


def _running(mark: str) -> list[str]:
    """Processes of this machine whose command line holds the mark, but for the one that looks."""
    found: list[str] = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = place.read_bytes()
        except OSError:
            continue
        if mark.encode() in line and b"sys.path[:0]" not in line:
            found.append(line.decode("utf-8", "replace"))
    return found
