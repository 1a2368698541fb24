"""How much memory a model may use on this machine, graphics cards included."""

from __future__ import annotations

from pathlib import Path

from agent.backends.recommend import Machine, this_machine
from tools.subprocesses import built_environment, find_program, run

_SECONDS = 5.0


def measured_machine() -> Machine:
    """The memory there is; an NVIDIA driver brings the program that tells its cards'."""
    program = find_program("nvidia-smi", outside=Path.cwd())
    if program is None:
        return this_machine()
    asked = [str(program), "--query-gpu=memory.total", "--format=csv,noheader,nounits"]
    told = run(asked, environment=built_environment(), timeout_seconds=_SECONDS, max_stdout_bytes=1_000)
    return this_machine(told.stdout.decode("ascii", "replace"))
