"""Parsed files and their records written by hand, for tests of whatever keeps or reads them."""

from __future__ import annotations

import hashlib

from tools.index.chunk import Chunk, Definition, Import, ParsedFile, Reference
from tools.index.records import FileRecord

SESSIONS = '''"""Sessions in cookies."""

from .wrappers import Request, Response

class SessionInterface:
    """Opens and saves sessions."""

    def get_cookie_domain(self, app):
        """The domain that the session cookie is for."""
        return app.config["SESSION_COOKIE_DOMAIN"]

def session_json_serializer():
    return SessionInterface().get_cookie_domain(None)
'''


def record_of(path: str, text: str, **more: object) -> FileRecord:
    """The record of a file with this text."""
    data = text.encode()
    known: dict[str, object] = {"mtime_ns": 1_000, "inode": 7, "n_lines": text.count("\n"), **more}
    return FileRecord(path=path, sha256=hashlib.sha256(data).hexdigest(), size=len(data), **known)


def sessions_parsed() -> ParsedFile:
    """`SESSIONS` as a chunker would hand it out."""
    lines = SESSIONS.split("\n")

    def chunk(first: int, last: int, kind: str, **names: str) -> Chunk:
        return Chunk(first, last, kind, "\n".join(lines[first - 1 : last]), **names)

    return ParsedFile(
        language="python",
        chunks=(
            chunk(1, 4, "module"),
            chunk(5, 7, "class", symbol="SessionInterface", qualified_name="SessionInterface"),
            chunk(
                8,
                11,
                "method",
                symbol="get_cookie_domain",
                qualified_name="SessionInterface.get_cookie_domain",
                signature="def get_cookie_domain(self, app)",
                docstring="The domain that the session cookie is for.",
            ),
            chunk(
                12, 13, "function", symbol="session_json_serializer", qualified_name="session_json_serializer"
            ),
        ),
        definitions=(
            Definition("SessionInterface", "SessionInterface", "class", 5, 10, "class SessionInterface"),
            Definition("get_cookie_domain", "SessionInterface.get_cookie_domain", "method", 8, 10),
            Definition("session_json_serializer", "session_json_serializer", "function", 12, 13),
        ),
        references=(
            Reference("Request", 3, "import"),
            Reference("Response", 3, "import"),
            Reference("SessionInterface", 13, "call", "session_json_serializer"),
            Reference("get_cookie_domain", 13, "call", "session_json_serializer"),
        ),
        imports=(Import(".wrappers", ("Request", "Response"), 3),),
    )


def parsed_lines(text: str, language: str = "text", note: str = "") -> ParsedFile:
    """A file in one chunk, whatever it holds."""
    return ParsedFile(language, (Chunk(1, max(text.count("\n"), 1), "module", text),), note=note)
