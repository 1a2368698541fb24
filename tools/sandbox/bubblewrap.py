"""The command lines of the tiers that use bubblewrap: on an overlay of the workspace, or on a copy in memory.

Each option is there for a reason that was measured: the root is made read-only last, since it is writable and has no
limit; every tmpfs has a size; the process limit is set inside, where the kernel counts per user namespace, since outside
it would count all of the person's processes. The environment is that of bubblewrap itself, as its first process
shows it in `/proc`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.sandbox.job import Job, Layout, Limits

SYSTEM_LINKS = ("bin", "lib", "lib32", "lib64", "sbin")
SYSTEM_FILES = ("ld.so.cache", "alternatives", "passwd", "group", "localtime", "nsswitch.conf")
_MASK_BYTES = "4096"

# The person's paths stand in arguments, never in the script. Bound to names of our own first: the overlay's options
# give commas and colons a meaning.
_OVERLAY = """
set -e
base=$1
mount -t tmpfs -o "size=$2,mode=700" t "$base"
shift 2
n=0
while [ "$1" != -- ]; do
  mkdir "$base/$n" "$base/$n/upper" "$base/$n/work" "$base/$n/lower" "$base/$n/merged"
  mount --rbind "$1" "$base/$n/lower"
  mount -t overlay overlay "$base/$n/merged" \
    -o "lowerdir=$base/$n/lower,upperdir=$base/$n/upper,workdir=$base/$n/work,userxattr"
  n=$((n + 1))
  shift
done
: > "$base/empty"
shift
exec "$@"
"""
_UNPACK = 'tar --extract --file=- --directory="$1" <"/dev/fd/$2" && cd "$3" && shift 3 && exec "$@"'


@dataclass(frozen=True, slots=True)
class Programs:
    """Full paths of what the command lines start; none lies in the workspace."""

    bwrap: Path
    prlimit: Path
    shell: Path
    unshare: Path | None = None


@dataclass(frozen=True, slots=True)
class Confinement:
    """What both command lines say about one run."""

    programs: Programs
    root: Path
    layout: Layout
    support: Path
    seccomp: int


def on_overlay(job: Job, confinement: Confinement, base: Path) -> list[str]:
    """Tier 1: the workspace is the lower layer of an overlay whose changes lie in memory."""
    programs = confinement.programs
    assert programs.unshare is not None
    layers = ((confinement.root, confinement.layout.workspace), *job.layered)
    size = str(job.limits.workspace_bytes)
    binds = [
        option
        for number, (_, inside) in enumerate(layers)
        for option in ("--bind", f"{base}/{number}/merged", inside)
    ]
    return [
        *(str(programs.unshare), "--user", "--map-root-user", "--mount"),
        *(str(programs.shell), "-c", _OVERLAY, "sh", str(base), size),
        *(*(str(place) for place, _ in layers), "--"),
        *_bubblewrap(job, confinement, binds),
        *(option for path in job.masked for option in _mask(confinement, path, base)),
        *_closing(confinement, confinement.layout.folder(job.folder)),
        *_limited(programs.prlimit, job.limits),
        *job.argv,
    ]


def on_copy(job: Job, confinement: Confinement, archive: int) -> list[str]:
    """Tier 2: a copy of the workspace is unpacked into memory from the descriptor `archive`."""
    programs, inside = confinement.programs, confinement.layout.workspace
    in_memory = ("--size", str(job.limits.workspace_bytes), "--tmpfs", inside)
    return [
        *_bubblewrap(job, confinement, in_memory),
        *_closing(confinement, inside),
        *_limited(programs.prlimit, job.limits),
        *(
            str(programs.shell),
            "-c",
            _UNPACK,
            "sh",
            inside,
            str(archive),
            confinement.layout.folder(job.folder),
        ),
        *job.argv,
    ]


def system_mounts() -> Iterator[tuple[str, str, str]]:
    """What of the system a program needs to run at all: ("read_only" | "link", source, target)."""
    yield "read_only", "/usr", "/usr"
    for name in SYSTEM_LINKS:
        place = f"/{name}"
        if os.path.islink(place):  # noqa: PTH114  (as text: where it leads to stays what it says)
            yield "link", os.readlink(place), place  # noqa: PTH115
        elif os.path.isdir(place):  # noqa: PTH112
            yield "read_only", place, place
    for name in SYSTEM_FILES:
        if os.path.exists(f"/etc/{name}"):  # noqa: PTH110
            yield "read_only", f"/etc/{name}", f"/etc/{name}"


def can_be_known_by(root: Path, taken: Iterable[str], layout: Layout) -> bool:
    """Whether the workspace can also be reached by its real path: installed packages may have that written down."""
    ours = ("/usr", "/etc", "/proc", "/dev", layout.home, layout.support, layout.workspace)
    places = [Path(place) for place in (*ours, *taken)]
    return not any(root.is_relative_to(place) or place.is_relative_to(root) for place in places)


def _bubblewrap(job: Job, confinement: Confinement, workspace: Sequence[str]) -> Iterator[str]:
    layout, limits = confinement.layout, job.limits
    yield str(confinement.programs.bwrap)
    yield from ("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts")
    yield from ("--unshare-cgroup-try", "--disable-userns", "--die-with-parent", "--new-session")
    yield from ("--cap-drop", "ALL", "--hostname", "sandbox")
    yield from ("--uid", str(os.getuid()), "--gid", str(os.getgid()))
    for kind, source, target in system_mounts():
        yield from ("--symlink" if kind == "link" else "--ro-bind", source, target)
    yield from ("--proc", "/proc", "--dev", "/dev")
    yield from ("--size", str(limits.temporary_bytes), "--tmpfs", layout.temporary, "--dir", layout.home)
    yield from ("--size", str(limits.shared_memory_bytes), "--tmpfs", "/dev/shm")
    yield from ("--ro-bind", str(confinement.support), layout.support)
    for source, target in job.read_only:
        yield from ("--ro-bind", str(source), target)
    yield from workspace
    for path in job.dependencies:
        yield from ("--ro-bind", f"{confinement.root}/{path}", f"{layout.workspace}/{path}")
    if can_be_known_by(confinement.root, (target for _, target in job.read_only), layout):
        yield from ("--symlink", layout.workspace, str(confinement.root))


def _mask(confinement: Confinement, path: str, base: Path) -> Iterator[str]:
    # An empty file, not `/dev/null`: no device can be opened on these mounts, and a test would stumble over that.
    inside = f"{confinement.layout.workspace}/{path}"
    if (confinement.root / path).is_dir():
        yield from ("--size", _MASK_BYTES, "--tmpfs", inside, "--remount-ro", inside)
    else:
        yield from ("--ro-bind", f"{base}/empty", inside)


def _closing(confinement: Confinement, folder: str) -> Iterator[str]:
    yield from ("--remount-ro", "/", "--chdir", folder)
    yield from ("--seccomp", str(confinement.seccomp), "--")


def _limited(prlimit: Path, limits: Limits) -> Iterator[str]:
    yield str(prlimit)
    for name, value in kernel_limits(limits).items():
        yield f"--{name}={value}:{value}"
    yield "--"


def kernel_limits(limits: Limits) -> dict[str, int]:
    """What the kernel itself holds a process to, by the names of `prlimit(1)`."""
    kept = {"nproc": limits.processes, "core": 0, "cpu": int(limits.seconds) + 1, "nofile": 1024}
    return kept | ({"as": limits.address_space_bytes} if limits.address_space_bytes else {})
