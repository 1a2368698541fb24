"""Children answer, die, hang and are replaced; they see nothing of the workspace and do not outlive us."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from support.children import python_path

from tools.worker import Worker, WorkerDied, WorkerTimedOut, built_environment

_LONG = 30.0


@pytest.fixture
def worker() -> Iterator[Worker]:
    with closing(Worker("support.odd_worker", environment=python_path())) as running:
        yield running


def _seen(worker: Worker) -> dict[str, object]:
    return json.loads(worker.call(b"environment", timeout_seconds=_LONG))


def test_a_child_answers_requests_of_any_size(worker: Worker) -> None:
    for payload in (b"", b"x", b"\0\xff" * 1_000_000):
        assert worker.call(b"echo " + payload, timeout_seconds=_LONG) == payload


def test_what_a_library_prints_does_not_break_into_the_frames(worker: Worker) -> None:
    assert worker.call(b"print hello", timeout_seconds=_LONG) == b"hello"
    assert worker.call(b"echo again", timeout_seconds=_LONG) == b"again"


def test_a_child_that_dies_says_its_last_words_and_is_replaced(worker: Worker) -> None:
    first = _seen(worker)["pid"]
    with pytest.raises(WorkerDied, match="exit code 7: the last words"):
        worker.call(b"die", timeout_seconds=_LONG)
    assert _seen(worker)["pid"] != first


def test_an_exception_in_the_child_is_told_in_its_last_words(worker: Worker) -> None:
    with pytest.raises(WorkerDied, match="RuntimeError: out of order"):
        worker.call(b"raise out of order", timeout_seconds=_LONG)


def test_a_child_that_hangs_is_killed_and_replaced(worker: Worker) -> None:
    first = _seen(worker)["pid"]
    with pytest.raises(WorkerTimedOut, match=r"did not answer in 0\.2 s"):
        worker.call(b"hang", timeout_seconds=0.2)
    assert _seen(worker)["pid"] != first


def test_closing_ends_a_call_that_waits_in_another_thread(worker: Worker) -> None:
    worker.call(b"echo", timeout_seconds=_LONG)
    ended: list[Exception] = []

    def wait() -> None:
        try:
            worker.call(b"hang", timeout_seconds=_LONG)
        except WorkerDied as died:
            ended.append(died)

    waiting = threading.Thread(target=wait)
    waiting.start()
    while not ended and waiting.is_alive():
        worker.close()
        waiting.join(0.05)
    assert len(ended) == 1


def test_a_module_that_is_not_there_is_told(tmp_path: Path) -> None:
    with closing(Worker("no_such_module")) as missing, pytest.raises(WorkerDied, match="no_such_module"):
        missing.call(b"", timeout_seconds=_LONG)


def test_a_child_imports_nothing_from_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap = "raise SystemExit('imported from the workspace')\n"
    for name in ("json.py", "socket.py", "tools.py", "support.py", "sitecustomize.py"):
        (tmp_path / name).write_text(trap)
    monkeypatch.chdir(tmp_path)
    with closing(Worker("support.odd_worker", environment=python_path())) as safe:
        seen = _seen(safe)
    assert str(tmp_path) not in str(seen["path"])
    assert seen["cwd"] == Path(sys.executable).anchor


def test_a_child_sees_neither_our_keys_nor_our_python_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "PYTHONSTARTUP", "PYTHONPATH", "VIRTUAL_ENV"):
        monkeypatch.setenv(name, "/evil")
    assert "/evil" not in built_environment().values()
    assert built_environment()["PYTHONSAFEPATH"] == "1"


def test_a_child_finds_our_own_packages_without_an_installation() -> None:
    code = "import tools.worker, agent; print(tools.worker.__file__)"
    run = subprocess.run(
        [sys.executable, "-S", "-P", "-c", code],
        env=built_environment(),
        cwd=Path(sys.executable).anchor,
        capture_output=True,
        text=True,
    )
    assert run.stdout.strip() == str(Path(__file__).resolve().parents[3] / "tools" / "worker.py")


_PARENT = """
import sys, threading
from tools.worker import Worker
worker = Worker("support.odd_worker", environment=dict([sys.argv[1].split("=", 1)]))
worker.call(b"connect " + sys.argv[2].encode(), timeout_seconds=30)
if sys.argv[3] == "busy":
    threading.Thread(target=worker.call, args=(b"hang",), kwargs={"timeout_seconds": 60}, daemon=True).start()
print("ready", flush=True)
threading.Event().wait()
"""


@pytest.mark.parametrize("state", ["idle", "busy"] if sys.platform == "linux" else ["idle"])
def test_a_child_does_not_outlive_a_parent_that_is_killed(state: str) -> None:
    paths = python_path()["PYTHONPATH"]
    with socket.create_server(("127.0.0.1", 0)) as server:
        arguments = [f"PYTHONPATH={paths}", str(server.getsockname()[1]), state]
        parent = subprocess.Popen(
            [sys.executable, "-c", _PARENT, *arguments],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": paths},
        )
        with parent, server.accept()[0] as line:
            line.settimeout(_LONG)
            assert line.recv(4) == b"here"
            assert parent.stdout is not None
            assert parent.stdout.readline() == b"ready\n"
            parent.kill()
            assert line.recv(1) == b""
