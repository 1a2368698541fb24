from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from tools.subprocesses import Finished, built_environment, find_program, run

PLENTY = 10_000_000
UTF_8 = built_environment(LC_ALL="C.UTF-8")
"""Python reads its own .pth files in the locale's encoding: a checkout may lie in a folder of any name."""


def _python(code: str, *, timeout_seconds: float = 20.0, max_stdout_bytes: int = PLENTY) -> Finished:
    return run(
        [sys.executable, "-I", "-c", code],
        environment=UTF_8,
        timeout_seconds=timeout_seconds,
        max_stdout_bytes=max_stdout_bytes,
    )


def _is_gone(pid: int) -> bool:
    """Whether a process has ended, waiting a little for the kernel to say so."""
    try:
        process = psutil.Process(pid)
        return process.status() == psutil.STATUS_ZOMBIE or process.wait(timeout=5) is not False
    except psutil.NoSuchProcess:
        return True


def test_output_errors_and_exit_code_come_back() -> None:
    finished = _python("import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)")
    assert finished == Finished("exit", 3, b"out\n", b"err\n")


def test_the_child_inherits_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "/planted")
    monkeypatch.setenv("RIPGREP_CONFIG_PATH", "/planted")
    finished = _python(
        "import os; print(os.getcwd(), 'RIPGREP_CONFIG_PATH' in os.environ, 'PYTHONPATH' in os.environ)"
    )
    assert finished.stdout.split() == [os.sep.encode(), b"False", b"False"]


def test_the_child_has_no_input() -> None:
    assert _python("import sys; print(repr(sys.stdin.read()))").stdout.strip() == b"''"


def test_a_program_that_hangs_is_ended_in_time() -> None:
    started = time.monotonic()
    assert _python("import time; time.sleep(60)", timeout_seconds=0.3).reason == "timeout"
    assert time.monotonic() - started < 10


def test_a_program_that_closes_its_output_and_hangs_is_ended_in_time() -> None:
    code = "import os, time; os.close(1); os.close(2); time.sleep(60)"
    assert _python(code, timeout_seconds=0.5).reason == "timeout"


def test_what_the_program_started_ends_with_it() -> None:
    code = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-I', '-c', 'import time; time.sleep(60)'])\n"
        "print(child.pid, flush=True)\n"
        "time.sleep(60)"
    )
    pids: list[int] = []

    def take(line: bytes) -> bool:
        pids.append(int(line))
        return False

    argv = [sys.executable, "-I", "-c", code]
    run(argv, environment=UTF_8, timeout_seconds=30, max_stdout_bytes=PLENTY, on_line=take)
    assert _is_gone(pids[0])


def test_a_child_left_behind_by_an_orderly_exit_is_ended_too() -> None:
    code = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-I', '-c', 'import time; time.sleep(60)'], stdout=subprocess.DEVNULL)\n"
        "print(child.pid)"
    )
    finished = _python(code)
    assert finished.exit_code == 0
    assert _is_gone(int(finished.stdout))


def test_a_process_that_left_the_group_and_holds_the_pipe_keeps_nobody_waiting() -> None:
    code = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-I', '-c', 'import time; time.sleep(60)'], start_new_session=True)\n"
        "print(child.pid, flush=True)"
    )
    started = time.monotonic()
    finished = _python(code, timeout_seconds=1)
    psutil.Process(int(finished.stdout)).kill()
    assert finished.reason == "timeout"
    assert time.monotonic() - started < 15


def test_a_flood_of_output_is_cut_off() -> None:
    finished = _python("while True: print('x' * 1000)", max_stdout_bytes=100_000)
    assert finished.reason == "output limit"
    assert len(finished.stdout) <= 100_000


def test_a_flood_of_errors_blocks_nothing_and_is_capped() -> None:
    finished = _python("import sys; sys.stderr.write('e' * 3_000_000); print('done')")
    assert finished.stdout == b"done\n"
    assert len(finished.stderr) == 64 * 1024


def test_lines_are_handed_on_one_by_one() -> None:
    lines: list[bytes] = []

    def take(line: bytes) -> bool:
        lines.append(line)
        return True

    code = "import sys; sys.stdout.write('a\\n\\n' + 'b' * 200_000 + '\\nrest')"
    argv = [sys.executable, "-I", "-c", code]
    finished = run(argv, environment=UTF_8, timeout_seconds=20, max_stdout_bytes=PLENTY, on_line=take)
    assert finished.reason == "exit"
    assert lines == [b"a", b"", b"b" * 200_000, b"rest"]


def test_who_has_enough_lines_ends_the_program() -> None:
    lines: list[bytes] = []

    def take(line: bytes) -> bool:
        lines.append(line)
        return len(lines) < 5

    argv = [sys.executable, "-I", "-c", "while True: print('line')"]
    finished = run(argv, environment=UTF_8, timeout_seconds=20, max_stdout_bytes=PLENTY, on_line=take)
    assert finished.reason == "enough"
    assert lines == [b"line"] * 5


def test_a_program_can_be_stopped_from_another_thread() -> None:
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    argv = [sys.executable, "-I", "-c", "import time; time.sleep(60)"]
    finished = run(argv, environment=UTF_8, timeout_seconds=30, max_stdout_bytes=PLENTY, stop=stop.is_set)
    assert finished.reason == "stopped"


def test_what_cannot_be_started_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        run([str(tmp_path / "gone")], environment={}, timeout_seconds=1, max_stdout_bytes=1)


def _plant_program(folder: Path, name: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("#!/bin/sh\n")
    (folder / name).chmod(0o755)
    return folder / name


def test_a_program_is_found_on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = _plant_program(tmp_path / "bin", "tool")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert find_program("tool", outside=tmp_path / "workspace") == planted
    assert find_program("other", outside=tmp_path / "workspace") is None


def test_a_program_of_the_workspace_is_never_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = tmp_path / "workspace"
    planted = _plant_program(workspace / "bin", "tool")
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "tool").symlink_to(planted)
    (tmp_path / "folder").symlink_to(workspace / "bin")
    good = _plant_program(tmp_path / "good", "tool")
    monkeypatch.chdir(workspace)
    places = ["", ".", "bin", str(workspace / "bin"), str(tmp_path / "links"), str(tmp_path / "folder")]
    monkeypatch.setenv("PATH", os.pathsep.join(places))
    assert find_program("tool", outside=workspace) is None
    monkeypatch.setenv("PATH", os.pathsep.join([*places, str(good.parent)]))
    assert find_program("tool", outside=workspace) == good
