"""The system call filter, built as a classic BPF program: what an isolated test has no use for, and an attacker has.

Sources: the numbers are those of Linux's `unistd.h` for each architecture; the layout of `struct seccomp_data` and the
return values are those of `seccomp(2)`. Forbidden calls fail with EPERM, so a program can say what it misses.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _JUMP_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL = 0x7FFF_0000, 0x8000_0000
_EPERM, _ENOSYS = 0x0005_0001, 0x0005_0026
_NUMBER_AT, _ARCHITECTURE_AT, _FIRST_ARGUMENT_AT, _SECOND_ARGUMENT_AT = 0, 4, 16, 24
_X32_CALLS = 0x4000_0000
_PUSH_INTO_TERMINAL, _TERMINAL_CONSOLE = 0x5412, 0x541C
_NEW_USER_NAMESPACE = 0x1000_0000

# The same on every architecture: they were added after the numbers were made common.
_COMMON = {
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "pidfd_getfd": 438,
    "mount_setattr": 442,
}


@dataclass(frozen=True, slots=True)
class _Architecture:
    audit: int
    denied: dict[str, int]
    ioctl: int
    clone: int
    socket: int
    clone3: int = 435
    has_x32: bool = False


_ARCHITECTURES = {
    "x86_64": _Architecture(
        audit=0xC000_003E,
        denied={
            "ptrace": 101,
            "pivot_root": 155,
            "mount": 165,
            "umount2": 166,
            "kexec_load": 246,
            "add_key": 248,
            "request_key": 249,
            "keyctl": 250,
            "unshare": 272,
            "perf_event_open": 298,
            "open_by_handle_at": 304,
            "setns": 308,
            "process_vm_readv": 310,
            "process_vm_writev": 311,
            "bpf": 321,
            "userfaultfd": 323,
            **_COMMON,
        },
        ioctl=16,
        clone=56,
        socket=41,
        has_x32=True,
    ),
    "aarch64": _Architecture(
        audit=0xC000_00B7,
        denied={
            "umount2": 39,
            "mount": 40,
            "pivot_root": 41,
            "unshare": 97,
            "kexec_load": 104,
            "ptrace": 117,
            "add_key": 217,
            "request_key": 218,
            "keyctl": 219,
            "perf_event_open": 241,
            "open_by_handle_at": 265,
            "setns": 268,
            "process_vm_readv": 270,
            "process_vm_writev": 271,
            "bpf": 280,
            "userfaultfd": 282,
            **_COMMON,
        },
        ioctl=29,
        clone=220,
        socket=198,
    ),
}


class ArchitectureUnknown(Exception):
    """There is no table of system calls for this machine."""


def filter_program(machine: str, *, deny_sockets: bool = False) -> bytes:
    """The filter for `platform.machine()`, as `struct sock_filter` after `struct sock_filter`.

    `deny_sockets` is for the tier that has no network namespace. Raises: ArchitectureUnknown.
    """
    architecture = _ARCHITECTURES.get(machine)
    if architecture is None:
        known = " and ".join(_ARCHITECTURES)
        raise ArchitectureUnknown(f"the system call filter is known for {known}, not for {machine}")
    program = [
        _statement(_LOAD, _ARCHITECTURE_AT),
        *_unless(_JUMP_EQUAL, architecture.audit, _KILL),
        _statement(_LOAD, _NUMBER_AT),
    ]
    if architecture.has_x32:
        program += _if(_JUMP_AT_LEAST, _X32_CALLS, _ENOSYS)
    for number in sorted(architecture.denied.values()):
        program += _if(_JUMP_EQUAL, number, _EPERM)
    if deny_sockets:
        program += _if(_JUMP_EQUAL, architecture.socket, _EPERM)
    # Its flags lie in memory, where a filter cannot look: the C library falls back to `clone`.
    program += _if(_JUMP_EQUAL, architecture.clone3, _ENOSYS)
    program += _argument_check(
        architecture.clone, _FIRST_ARGUMENT_AT, _if(_JUMP_ANY_BIT, _NEW_USER_NAMESPACE, _EPERM)
    )
    program += _argument_check(
        architecture.ioctl,
        _SECOND_ARGUMENT_AT,
        _if(_JUMP_EQUAL, _PUSH_INTO_TERMINAL, _EPERM) + _if(_JUMP_EQUAL, _TERMINAL_CONSOLE, _EPERM),
    )
    return b"".join([*program, _statement(_RETURN, _ALLOW)])


def _statement(code: int, value: int, jump_true: int = 0, jump_false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, jump_true, jump_false, value)


def _if(jump: int, value: int, verdict: int) -> list[bytes]:
    return [_statement(jump, value, 0, 1), _statement(_RETURN, verdict)]


def _unless(jump: int, value: int, verdict: int) -> list[bytes]:
    return [_statement(jump, value, 1, 0), _statement(_RETURN, verdict)]


def _argument_check(number: int, argument_at: int, checks: list[bytes]) -> list[bytes]:
    """Checks of one argument of one call; every other call goes past them. The number is loaded again behind them."""
    body = [_statement(_LOAD, argument_at), *checks, _statement(_LOAD, _NUMBER_AT)]
    return [_statement(_JUMP_EQUAL, number, 0, len(body)), *body]
