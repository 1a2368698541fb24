"""Sees what a test reaches for besides its own values: the home, the network, the tree, the clock, randomness.

It is loaded into the test process, on whatever Python the project uses: standard library only, and nothing newer
than Python 3.8 knows. What it sees is a fact about the code that was run, never a barrier: that is the sandbox's task.
Hooks of this kind cannot be taken out again, so a process that has them is a fork made for one round.
"""

import datetime
import functools
import inspect
import os
import random
import sys
import time
from typing import Any, Callable, Dict, List, Optional, Sequence, Set, Tuple

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_OWN_MACHINE = ("localhost", "ip6-localhost", "127.", "::1", "0.0.0.0", "::ffff:127.")
_MAX_NOTES = 200


class Witness:
    """Notes for one round. `test` is the one that runs; "" while tests are collected."""

    def __init__(
        self, roots: Sequence[str], homes: Sequence[str], allowed: Sequence[str], draft: str
    ) -> None:
        """`roots`: the workspace by each of its names; `allowed`: what may be read although it lies in a home."""
        self.test = ""
        self.on = False
        self.seeded = False
        """Whether the test that runs has seeded the randomness that it draws on."""
        self.notes: Set[Tuple[str, str, str]] = set()
        self._roots = tuple(f"{root}/" for root in roots)
        self._homes = tuple(homes)
        self._allowed = tuple(allowed) + tuple(roots)
        self._draft = draft
        self._busy = False

    def note(self, what: str, detail: str = "") -> None:
        if self.on and len(self.notes) < _MAX_NOTES:
            self.notes.add((self.test, what, detail))

    def tests_with(self, kind: str) -> List[str]:
        """The tests that have a note of this kind."""
        return [test for test, what, _ in self.notes if what == kind]

    def watch(self) -> None:
        """From here on, files, sockets and sources of randomness are seen."""
        sys.addaudithook(self._audit)
        for name in ("stat", "lstat", "access"):
            self._watch_looking(name)
        os.urandom = random._urandom = self._noting("random", os.urandom)  # type: ignore[attr-defined]
        random.seed = self._seeding(random.seed)  # type: ignore[assignment]

    # -- files and sockets ---------------------------------------------------------------------------------------------

    def _audit(self, event: str, arguments: Tuple[Any, ...]) -> None:
        look = _LOOKS.get(event)
        if look is None or not self.on or self._busy:
            return
        self._busy = True
        try:
            look(self, arguments)
        except (TypeError, ValueError, OSError):
            pass  # an argument that the call itself will refuse
        finally:
            self._busy = False

    def _watch_looking(self, name: str) -> None:
        """Looking at a file's status raises no event."""
        real: Callable[..., Any] = getattr(os, name)

        @functools.wraps(real)
        def looking(path: Any, *arguments: Any, **named: Any) -> Any:
            self._audit(name, (path,))
            return real(path, *arguments, **named)

        for able in (
            os.supports_dir_fd,
            os.supports_effective_ids,
            os.supports_fd,
            os.supports_follow_symlinks,
        ):
            if real in able:
                able.add(looking)
        setattr(os, name, looking)

    def _noting(self, what: str, real: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(real)
        def noting(*arguments: Any, **named: Any) -> Any:
            self.note(what)
            return real(*arguments, **named)

        return noting

    def _seeding(self, real: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(real)
        def seeding(*arguments: Any, **named: Any) -> Any:
            self.seeded = bool(arguments or named)
            return real(*arguments, **named)

        return seeding

    def opened(self, arguments: Tuple[Any, ...]) -> None:
        path, _, flags = arguments
        if isinstance(flags, int) and flags & _WRITES:
            self.changed((path,))
        else:
            self.looked(arguments)

    def looked(self, arguments: Tuple[Any, ...]) -> None:
        place = _place(arguments[0])
        if place and self._in_home(place) and self._is_ours():
            self.note("home", place)

    def changed(self, arguments: Tuple[Any, ...]) -> None:
        for path in arguments[:2]:
            place = _place(path)
            inside = self._in_workspace(place)
            if inside and self._is_ours():
                self.note("tree", inside)
            elif place and self._in_home(place) and self._is_ours():
                self.note("home", place)

    def reached(self, arguments: Tuple[Any, ...]) -> None:
        address = (
            arguments[1] if len(arguments) > 1 and not isinstance(arguments[0], (str, bytes)) else arguments
        )
        if not isinstance(address, tuple) or not address or address[0] is None:
            return  # a socket of this machine, named by a path
        host = os.fsdecode(address[0]) if isinstance(address[0], (str, bytes)) else ""
        if host and not host.startswith(_OWN_MACHINE) and self._is_ours():
            self.note("network", host)

    def _in_home(self, place: str) -> bool:
        return _under(place, self._homes) and not _under(place, self._allowed)

    def _in_workspace(self, place: str) -> str:
        for root in self._roots:
            if place.startswith(root):
                return place[len(root) :]
        return ""

    def _is_ours(self) -> bool:
        """Whether code of the workspace is at work; while tests are collected, the draft's own."""
        frame: Any = inspect.currentframe()
        while frame is not None:
            inside = self._in_workspace(frame.f_code.co_filename)
            if inside:
                return bool(self.test) or inside == self._draft
            frame = frame.f_back
        return False

    # -- the clock -----------------------------------------------------------------------------------------------------

    def move_clock(self, seconds: float) -> None:
        """From here on, whoever asks is told another time. What was imported before keeps the real one."""
        real = time.time

        def now() -> float:
            self.note("clock")
            return real() + seconds

        self._replace(time, "time", now)
        self._replace(time, "time_ns", lambda: int(now() * 1e9))
        for name in ("localtime", "gmtime", "ctime"):
            self._replace(time, name, _defaulting(getattr(time, name), now))
        self._replace(time, "strftime", _telling(time.strftime, time.localtime))
        date, moment = _moved_classes(now)
        self._replace(datetime, "date", date)
        self._replace(datetime, "datetime", moment)

    def _replace(self, module: Any, name: str, other: Any) -> None:
        setattr(module, name, other)


class _Alike(type):
    """The real class's instances are instances of the moved one: arithmetic goes on making the real ones."""

    real: Any = None

    def __instancecheck__(cls, instance: Any) -> bool:
        real = cls.__dict__.get("real")
        return isinstance(instance, real) if real else type.__instancecheck__(cls, instance)

    def __subclasscheck__(cls, subclass: type) -> bool:
        real = cls.__dict__.get("real")
        return issubclass(subclass, real) if real else type.__subclasscheck__(cls, subclass)


def _moved_classes(now: Callable[[], float]) -> Tuple[Any, Any]:
    """Of dates and of moments. A class that is derived from one of them is told from it as ever."""
    real_date: Any = datetime.date
    real_datetime: Any = datetime.datetime

    def named(one: Any) -> str:
        real = real_datetime if isinstance(one, real_datetime) else real_date
        text: str = real.__repr__(one)
        return text if text.startswith("datetime.") else f"datetime.{text}"

    def this_day(cls: Any) -> Any:
        when = real_datetime.fromtimestamp(now())
        return cls(when.year, when.month, when.day)

    def this_moment(cls: Any, tz: Any = None) -> Any:
        return cls.fromtimestamp(now(), tz)

    def in_utc(cls: Any) -> Any:
        return cls.fromtimestamp(now(), datetime.timezone.utc).replace(tzinfo=None)

    body: Dict[str, Any] = {"__module__": "datetime", "__repr__": named}
    moments = {
        "now": classmethod(this_moment),
        "today": classmethod(this_moment),
        "utcnow": classmethod(in_utc),
    }
    date = _Alike("date", (real_date,), {**body, "real": real_date, "today": classmethod(this_day)})
    moment = _Alike("datetime", (real_datetime,), {**body, "real": real_datetime, **moments})
    return date, moment


def _defaulting(real: Callable[..., Any], now: Callable[[], float]) -> Callable[..., Any]:
    def defaulting(seconds: Optional[float] = None) -> Any:
        return real(now() if seconds is None else seconds)

    return defaulting


def _telling(real: Callable[..., str], local: Callable[..., Any]) -> Callable[..., str]:
    def telling(form: str, when: Any = None) -> str:
        return real(form, local() if when is None else when)

    return telling


_told_of_calls: List[Witness] = []


def report_calls_to(witness: Witness) -> None:
    """Who is told when the code under test is called: a statement put into it calls `called`."""
    _told_of_calls[:] = [witness]


def called() -> None:
    for witness in _told_of_calls:
        witness.note("called")


def drawn() -> List[Any]:
    """The state of the sources of randomness that a whole process shares."""
    numpy: Any = sys.modules.get("numpy.random")
    state = numpy.get_state() if numpy is not None else ()
    return [random.getstate(), *(str(part) for part in state)]


def draw_anew() -> None:
    """Forks begin with the same state."""
    random.seed()
    numpy: Any = sys.modules.get("numpy.random")
    if numpy is not None:
        numpy.seed()


def snapshot(root: str, left_out: Sequence[str], limit: int = 20000) -> Optional[Dict[str, Tuple[int, ...]]]:
    """What lies in a folder, by when it was last changed; None where that is too much to look at."""
    found: Dict[str, Tuple[int, ...]] = {}
    for folder, folders, files in os.walk(root):
        inside = os.path.relpath(folder, root)
        folders[:] = [
            name
            for name in folders
            if name not in (".git", "__pycache__") and os.path.normpath(f"{inside}/{name}") not in left_out
        ]
        for name in (*folders, *files):
            place = os.path.join(folder, name)
            try:
                status = os.lstat(place)
            except OSError:
                continue
            times = (status.st_mtime_ns, status.st_size) if name in files else ()
            found[os.path.relpath(place, root)] = (status.st_mode, *times)
        if len(found) > limit:
            return None
    return found


def _place(path: Any) -> str:
    named = isinstance(path, (str, bytes)) or hasattr(path, "__fspath__")
    return os.path.abspath(os.fsdecode(path)) if named else ""


def _under(place: str, folders: Sequence[str]) -> bool:
    return any(place == folder or place.startswith(f"{folder}/") for folder in folders)


_CHANGES = (
    *("os.mkdir", "os.remove", "os.rmdir", "os.rename", "os.truncate", "os.link", "os.symlink"),
    *("os.chmod", "os.utime", "sqlite3.connect"),
)
_LOOKS: Dict[str, Callable[[Witness, Tuple[Any, ...]], None]] = {
    "open": Witness.opened,
    **dict.fromkeys(("stat", "lstat", "access", "os.listdir", "os.scandir", "os.chdir"), Witness.looked),
    **dict.fromkeys(
        _CHANGES,
        Witness.changed,
    ),
    **dict.fromkeys(
        ("socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname"), Witness.reached
    ),
}
