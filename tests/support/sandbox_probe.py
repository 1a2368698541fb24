"""Run inside a sandbox: tries what must not work there, and writes what happened as JSON to the report.

A script of its own on the standard library. Each attempt is "" where it worked, else the name of the error.
"""

import contextlib
import ctypes
import errno
import json
import mmap
import os
import resource
import socket
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

LIBC = ctypes.CDLL(None, use_errno=True)
WANTED = json.loads(sys.argv[1])
REPORT = int(sys.argv[2])
CALLS = {
    "x86_64": {"ptrace": 101, "mount": 165, "unshare": 272, "keyctl": 250, "bpf": 321, "setns": 308},
    "aarch64": {"ptrace": 117, "mount": 40, "unshare": 97, "keyctl": 219, "bpf": 280, "setns": 268},
}[os.uname().machine]


def attempt(action: Callable[[], object]) -> str:
    try:
        action()
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, type(error).__name__)
    except Exception as error:
        return type(error).__name__
    return ""


def call(number: int, *arguments: object) -> str:
    if LIBC.syscall(number, *arguments) < 0:
        return errno.errorcode[ctypes.get_errno()]
    return ""


def connect(family: int, address: Any, kind: int = socket.SOCK_STREAM) -> str:
    def action() -> None:
        with socket.socket(family, kind) as one:
            one.settimeout(3)
            one.connect(address)
            one.send(b"x")

    return attempt(action)


def own_loopback() -> str:
    def action() -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(3)
            with socket.create_connection(server.getsockname(), 3):
                server.accept()[0].close()

    return attempt(action)


def environments() -> str:
    texts: list[str] = []
    for place in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            texts.append(place.read_bytes().decode("utf-8", "replace"))
    return "\n".join([*texts, repr(dict(os.environ))])


def status() -> dict[str, str]:
    lines = Path("/proc/self/status").read_text().splitlines()
    return dict(line.split(":\t", 1) for line in lines if ":\t" in line)


def fill(folder: str) -> int:
    """How many MiB fit there."""
    written = 0
    block = b"x" * (1 << 20)
    with tempfile.NamedTemporaryFile(dir=folder) as file, contextlib.suppress(OSError):
        while written < 700:
            os.write(file.fileno(), block)
            written += 1
    return written


def children() -> tuple[int, str]:
    """How many processes can be made at once, and what stopped it."""
    pids: list[int] = []
    stopped = ""
    reader, writer = os.pipe()
    while len(pids) < 200 and not stopped:
        try:
            pid = os.fork()
        except OSError as error:
            stopped = errno.errorcode[error.errno or 0]
            break
        if pid == 0:
            os.close(writer)
            os.read(reader, 1)
            os._exit(0)
        pids.append(pid)
    os.close(writer)
    for pid in pids:
        os.waitpid(pid, 0)
    return len(pids), stopped


def processes() -> list[int]:
    with contextlib.suppress(OSError):
        return [int(place.name) for place in Path("/proc").iterdir() if place.name.isdecimal()]
    return []


def write_at(path: str) -> str:
    return attempt(lambda: Path(path).write_text("x"))


def results() -> dict[str, object]:
    inet, unix = socket.AF_INET, socket.AF_UNIX
    me = status()
    n_children, stopped = children()
    return {
        "external tcp": connect(inet, ("198.51.100.7", 80)),
        "external udp": connect(inet, ("198.51.100.7", 53), socket.SOCK_DGRAM),
        "dns": attempt(lambda: socket.getaddrinfo("example.org", 80)),
        "host loopback": connect(inet, ("127.0.0.1", WANTED["port"])),
        "abstract socket": connect(unix, "\0" + WANTED["abstract"]),
        "pathname socket": connect(unix, WANTED["pathname"]),
        "own loopback": own_loopback(),
        "home secret": attempt(lambda: Path(WANTED["secret"]).read_text()),
        "home listing": attempt(lambda: list(Path(WANTED["secret"]).parent.iterdir())),
        "environments": environments(),
        "processes": processes(),
        "masked": {path: attempt(lambda p=path: masked(p)) for path in WANTED["masked"]},
        "capabilities": [me["CapEff"], me["CapPrm"], me["CapBnd"], me["CapAmb"]],
        "no new privileges": me["NoNewPrivs"],
        "seccomp": me["Seccomp"],
        "2 GiB": attempt(lambda: mmap.mmap(-1, 2 << 30).close()),
        "temporary MiB": fill(os.environ["TMPDIR"]) if WANTED["fill"] else 0,
        "workspace MiB": fill(".") if WANTED["fill"] else 0,
        "children": n_children,
        "children stopped by": stopped,
        "mount": call(CALLS["mount"], b"none", b"/tmp", b"tmpfs", 0, None),
        "unshare": call(CALLS["unshare"], 0x10000000),
        "clone into a user namespace": call(
            {"x86_64": 56, "aarch64": 220}[os.uname().machine], 0x10000011, 0
        ),
        "setns": call(CALLS["setns"], 0, 0),
        "ptrace": call(CALLS["ptrace"], 16, 1, 0, 0),
        "io_uring": call(425, 1, None),
        "keyctl": call(CALLS["keyctl"], 0, 0, 0),
        "bpf": call(CALLS["bpf"], 0, None, 0),
        "write /etc": write_at("/etc/planted"),
        "write /": write_at("/planted"),
        "write /usr": write_at("/usr/planted"),
        "write support": write_at(f"{WANTED['support']}/planted"),
        "terminal": attempt(lambda: os.close(os.open("/dev/tty", os.O_RDWR))),
        "push into terminal": call({"x86_64": 16, "aarch64": 29}[os.uname().machine], 0, 0x5412, b"x"),
        "core": resource.getrlimit(resource.RLIMIT_CORE)[0],
        "user": os.getuid(),
    }


def masked(path: str) -> None:
    """Raises where a masked place holds anything."""
    place = Path(path)
    if (place.is_dir() and list(place.iterdir())) or (not place.is_dir() and place.read_bytes()):
        raise ValueError(path)


if __name__ == "__main__":
    found = results()
    Path("written_by_the_probe.txt").write_text("x")
    Path("source.py").write_text("changed")
    os.write(REPORT, json.dumps(found).encode())
