"""Nothing leaves the machine, and nothing asks to: every command with the network watched from inside."""

import json
import os
import subprocess
import sys

from support.program import environment
from support.small_workspace import small_workspace

PATIENCE_SECONDS = 60
WATCHED = """
import json, os, socket, sys
seen = []

def watch(event, arguments):
    if event in ("socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname"):
        seen.append([event, str(arguments[1] if event in ("socket.connect", "socket.sendto") else arguments[0])])

sys.addaudithook(watch)
from tui.cli import run
codes = [int(run(command)) for command in json.loads(sys.argv[2])]
with open(sys.argv[1], "w") as file:
    json.dump([codes, seen], file)
"""
"""The audit hook sees every connection that Python opens, in each library; the extensions in Rust open none."""


def _leaves(target):
    return not any(name in target for name in ("127.0.0.1", "::1", "localhost"))


def test_no_command_reaches_beyond_this_machine(tmp_path):
    commands = (
        ["index"],
        ["search", "gross price"],
        ["ask", "Where is `gross_price` defined?"],
        ["--backend", "auto", "ask", "Where is `gross_price` defined?"],
    )
    report, proxy = tmp_path / "reached.json", "http://203.0.113.9:3128"
    done = subprocess.run(
        [sys.executable, "-P", "-c", WATCHED, str(report), json.dumps(commands)],
        cwd=small_workspace(tmp_path / "shop"),
        env=environment(tmp_path / "home", HTTP_PROXY=proxy, HTTPS_PROXY=proxy),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
    )
    assert done.returncode == 0, done.stderr
    codes, reached = json.loads(report.read_text())
    assert codes == [0] * len(commands), done.stderr
    assert any("127.0.0.1" in target for _, target in reached), "the watch sees what is tried"
    assert [target for _, target in reached if _leaves(target)] == []


def test_the_vector_store_sends_no_telemetry(tmp_path):
    script = (
        "import sys; seen = []\n"
        "sys.addaudithook(lambda event, a: seen.append(str(a)) if event in ('socket.connect', 'socket.getaddrinfo') else None)\n"
        "from pathlib import Path; from tools.index.store import ChromaVectors\n"
        "ChromaVectors(Path(sys.argv[1]), index_name='one', fingerprint='x').close()\n"
        "print(seen)\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", script, str(tmp_path)],
        env=environment(tmp_path / "home") | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
    )
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr
