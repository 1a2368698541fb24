"""Runs one program confined by the kernel where bubblewrap is not there: a script of its own, on the standard library.

Started as `python -I -S launcher.py FD`; the descriptor holds the orders as JSON, whose keys are those of `_Orders`.
It runs before any code of the workspace does and ends as the program ended (128 + n after signal n).

With namespaces it builds a new root that holds only what is listed, and becomes the first process in it. Without, it
takes Landlock, stays outside, adopts what the program leaves behind, and ends that too.
"""

import contextlib
import ctypes
import fcntl
import io
import json
import os
import platform
import resource
import signal
import socket
import struct
import sys
import tarfile
from types import FrameType
from typing import Any, NoReturn, TypedDict


class _Orders(TypedDict):
    argv: list[str]
    environment: dict[str, str]
    folder: str
    """Where the program starts, as it sees it."""
    limits: dict[str, int]
    """`resource` names (`RLIMIT_AS`) and values."""
    seccomp: int
    """Descriptor of the filter."""
    namespaces: dict[str, Any] | None
    """base, mounts [[kind, source or size, target]], archive (descriptor), workspace."""
    landlock: dict[str, list[str]] | None
    """read and write: what lies beneath these paths."""


_libc = ctypes.CDLL(None, use_errno=True)
_SET_DEATH_SIGNAL, _SET_SECCOMP, _DROP_BOUNDING, _ADOPT_ORPHANS, _NO_NEW_PRIVILEGES, _AMBIENT = (
    1,
    22,
    24,
    36,
    38,
    47,
)
_NEW_NAMESPACES = 0x0002_0000 | 0x1000_0000 | 0x2000_0000 | 0x4000_0000 | 0x0800_0000 | 0x0400_0000
_PRIVATE, _RECURSIVE, _BIND, _NO_SUID, _NO_DEVICES = 0x4_0000, 0x4000, 0x1000, 0x2, 0x4
_DETACH = 2
_DEVICES = ("null", "zero", "full", "random", "urandom")
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_CAPSET = {"x86_64": 126, "aarch64": 91}
_MOUNT_SETATTR, _AT_RECURSIVE, _AT_HERE = 442, 0x8000, -100
_READ_ONLY_ATTRIBUTE = 1
_LAST_CAPABILITY = 63
_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446
_LANDLOCK_READ = (1 << 0) | (1 << 2) | (1 << 3)  # execute, read a file, list a folder
_LANDLOCK_FILE_ONLY = (1 << 0) | (1 << 1) | (1 << 2) | (1 << 14)
_LANDLOCK_ALL = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1}
_INTERFACE_FLAGS, _SET_INTERFACE_FLAGS, _UP = 0x8913, 0x8914, 1


def main() -> NoReturn:
    parent = os.getppid()
    with open(int(sys.argv[1]), encoding="utf-8") as file:  # noqa: PTH123  (a descriptor)
        orders: _Orders = json.load(file)
    if orders["namespaces"] is not None:
        _unshare()
        _die_with(parent)
        child = os.fork()
        if child == 0:
            _first_process(orders, orders["namespaces"])
        _exit_as(_wait_for(child))
    _check(_libc.prctl(_ADOPT_ORPHANS, 1, 0, 0, 0), "adopt orphans")
    _supervise(orders, parent)


# -- namespaces ------------------------------------------------------------------------------------------------------


def _unshare() -> None:
    user, group = os.getuid(), os.getgid()
    _check(_libc.unshare(_NEW_NAMESPACES), "new namespaces")
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as file:  # noqa: PTH123
            file.write(text)


def _die_with(parent: int) -> None:
    """End when the parent does. Entering a user namespace forgets it, so this comes after."""
    _check(_libc.prctl(_SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0), "death signal")
    if os.getppid() != parent:
        os._exit(1)


def _first_process(orders: _Orders, space: dict[str, Any]) -> NoReturn:
    """Be process 1 of the new namespaces: the kernel ends all others when it ends. It reaps what is left to it."""
    _libc.prctl(_SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    socket.sethostname("sandbox")
    _loopback_up()
    _new_root(space)
    child = os.fork()
    if child == 0:
        _become(orders)
    _exit_as(_wait_for(child))


def _loopback_up() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        request = struct.pack("16sH14x", b"lo", 0)
        flags = struct.unpack("16sH14x", fcntl.ioctl(control, _INTERFACE_FLAGS, request))[1]
        fcntl.ioctl(control, _SET_INTERFACE_FLAGS, struct.pack("16sH14x", b"lo", flags | _UP))


def _new_root(space: dict[str, Any]) -> None:
    """Everything that the program will see, mounted under `base`, which then becomes the root; the old one goes."""
    base: str = space["base"]
    _mount("none", "/", "", _PRIVATE | _RECURSIVE)
    _mount("tmpfs", base, "tmpfs", _NO_SUID | _NO_DEVICES, "size=1m,mode=755")
    for kind, source, target in space["mounts"]:
        _MOUNTS[kind](source, base + target)
    _unpack(int(space["archive"]), base + space["workspace"])
    for source, target in space["over_workspace"]:
        _bind_read_only(source, base + target)
    os.chdir(base)
    _check(_libc.syscall(_PIVOT_ROOT[platform.machine()], b".", b"."), "new root")
    _check(_libc.umount2(b".", _DETACH), "leave the old root")
    os.chdir("/")
    _read_only("/", recursive=False)


def _temporary(size: str, target: str) -> None:
    os.makedirs(target, exist_ok=True)  # noqa: PTH103
    _mount("tmpfs", target, "tmpfs", _NO_SUID | _NO_DEVICES, f"size={size},mode=777")


def _folder(_source: str, target: str) -> None:
    os.makedirs(target, exist_ok=True)  # noqa: PTH103


def _link(source: str, target: str) -> None:
    os.makedirs(os.path.dirname(target), exist_ok=True)  # noqa: PTH103, PTH120
    os.symlink(source, target)  # noqa: PTH211


def _processes(_source: str, target: str) -> None:
    os.makedirs(target, exist_ok=True)  # noqa: PTH103
    _mount("proc", target, "proc", _NO_SUID | _NO_DEVICES)


def _devices(_source: str, target: str) -> None:
    _temporary("64k", target)
    for name in _DEVICES:
        _bind(f"/dev/{name}", f"{target}/{name}")
    for name, source in (("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")):
        os.symlink(f"/proc/self/fd{source}", f"{target}/{name}")  # noqa: PTH211


def _bind(source: str, target: str) -> None:
    if os.path.isdir(source):  # noqa: PTH112
        os.makedirs(target, exist_ok=True)  # noqa: PTH103
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)  # noqa: PTH103, PTH120
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
    _mount(source, target, "", _BIND | _RECURSIVE)


def _bind_read_only(source: str, target: str) -> None:
    _bind(source, target)
    _read_only(target, recursive=True)


_MOUNTS = {
    "temporary": _temporary,
    "folder": _folder,
    "link": _link,
    "processes": _processes,
    "devices": _devices,
    "read_only": _bind_read_only,
}


def _read_only(target: str, *, recursive: bool) -> None:
    # Unlike a remount, this keeps the flags that a user namespace may not change, and takes what is mounted below.
    attributes = struct.pack("QQQQ", _READ_ONLY_ATTRIBUTE, 0, 0, 0)
    flags = _AT_RECURSIVE if recursive else 0
    done = _libc.syscall(_MOUNT_SETATTR, _AT_HERE, os.fsencode(target), flags, attributes, len(attributes))
    _check(done, f"make {target} read-only")


def _mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    texts = (source, target, kind)
    done = _libc.mount(*map(os.fsencode, texts), ctypes.c_ulong(flags), options.encode() or None)
    _check(done, f"mount {target}")


def _unpack(descriptor: int, workspace: str) -> None:
    with (
        io.BufferedReader(io.FileIO(descriptor)) as stream,
        tarfile.open(fileobj=stream, mode="r|") as archive,
    ):
        for member in archive:
            archive.extract(member, workspace, set_attrs=not member.issym())


# -- without namespaces ----------------------------------------------------------------------------------------------


def _supervise(orders: _Orders, parent: int) -> NoReturn:
    """Run the program, then end everything that it started: an orphan, also of a new session, comes back here."""

    def end(_signal: int, _frame: FrameType | None) -> NoReturn:
        _end_children()
        os._exit(128 + signal.SIGTERM)

    signal.signal(signal.SIGTERM, end)
    _check(_libc.prctl(_SET_DEATH_SIGNAL, signal.SIGTERM, 0, 0, 0), "death signal")
    if os.getppid() != parent:
        os._exit(1)
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        _take_landlock(orders["landlock"] or {})
        _become(orders)
    status = _wait_for(child)
    _end_children()
    _exit_as(status)


def _end_children() -> None:
    while True:
        for process in _children():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _children() -> list[int]:
    me = os.getpid()
    with open(f"/proc/{me}/task/{me}/children") as file:  # noqa: PTH123
        return [int(word) for word in file.read().split()]


def _take_landlock(paths: dict[str, list[str]]) -> None:
    """Nothing but these paths can be opened, no port bound or reached, no process outside signalled.

    Source: `landlock(7)`; what an older kernel does not know yet is left out, the files never.
    """
    version: int = _libc.syscall(_LANDLOCK_CREATE, None, 0, 1)
    _check(version, "Landlock")
    handled = _LANDLOCK_ALL[min(version, 3)]
    network = 3 if version >= 4 else 0
    scopes = 3 if version >= 6 else 0
    attributes = struct.pack("QQQ", handled, network, scopes)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    ruleset: int = _libc.syscall(_LANDLOCK_CREATE, attributes, size, 0)
    _check(ruleset, "Landlock rules")
    for path in paths.get("read", []):
        _allow(ruleset, path, _LANDLOCK_READ)
    for path in paths.get("write", []):
        _allow(ruleset, path, handled)
    _no_new_privileges()
    _check(_libc.syscall(_LANDLOCK_RESTRICT, ruleset, 0), "take Landlock")
    os.close(ruleset)


def _allow(ruleset: int, path: str, access: int) -> None:
    try:
        beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # what is not there needs no right
    if not os.path.isdir(path):  # noqa: PTH112
        access &= _LANDLOCK_FILE_ONLY
    rule = struct.pack("=Qi", access, beneath)
    _check(_libc.syscall(_LANDLOCK_ADD, ruleset, 1, rule, 0), f"allow {path}")
    os.close(beneath)


# -- both --------------------------------------------------------------------------------------------------------------


def _become(orders: _Orders) -> NoReturn:
    os.chdir(orders["folder"])
    for name, value in orders["limits"].items():
        resource.setrlimit(getattr(resource, name), (value, value))
    _drop_capabilities()
    _no_new_privileges()
    _take_filter(orders["seccomp"])
    try:
        os.execvpe(orders["argv"][0], orders["argv"], orders["environment"])
    except OSError as error:
        print(f"{orders['argv'][0]}: {error.strerror}", file=sys.stderr, flush=True)
        os._exit(127)


def _drop_capabilities() -> None:
    for capability in range(_LAST_CAPABILITY + 1):
        _libc.prctl(_DROP_BOUNDING, capability, 0, 0, 0)  # fails for those that this kernel does not have
    _libc.prctl(_AMBIENT, 4, 0, 0, 0)
    header = struct.pack("Ii", 0x2008_0522, 0)
    _check(
        _libc.syscall(_CAPSET[platform.machine()], header, struct.pack("6I", *[0] * 6)), "drop capabilities"
    )


def _no_new_privileges() -> None:
    _check(_libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0), "no new privileges")


def _take_filter(descriptor: int) -> None:
    program = os.pread(descriptor, 1 << 16, 0)
    held = ctypes.create_string_buffer(program, len(program))
    # struct sock_fprog: a count, and a pointer at its natural alignment.
    head = struct.pack("@HP", len(program) // 8, ctypes.addressof(held))
    _check(_libc.prctl(_SET_SECCOMP, 2, head, 0, 0), "system call filter")


def _wait_for(child: int) -> int:
    while True:
        try:
            process, status = os.waitpid(-1, 0)
        except ChildProcessError:
            return 1 << 8
        if process == child:
            return status


def _exit_as(status: int) -> NoReturn:
    code = os.waitstatus_to_exitcode(status)
    os._exit(code if code >= 0 else 128 - code)


def _check(result: int, what: str) -> None:
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


if __name__ == "__main__":
    try:
        main()
    except OSError as problem:
        print(f"sandbox: {problem.strerror or problem}", file=sys.stderr, flush=True)
        os._exit(125)
