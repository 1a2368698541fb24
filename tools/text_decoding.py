"""Bytes of a file → text → lines. This module owns what a line is and which encoding a file is read in.

Only `\n` ends a line, and one `\r` before it belongs to the ending: the same lines that ripgrep, git and editors
count. `str.splitlines` and text-mode `open` count form feeds, U+2028 and lone `\r` too, so neither is used.
UTF-16 and UTF-32 are decoded first and split after.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import Literal, TypeAlias

Newline: TypeAlias = Literal["\n", "\r\n", "mixed"]

# UTF-32 comes first: its little-endian mark begins with that of UTF-16.
_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_BINARY_PROBE_BYTES = 8192
_GUESS_SAMPLE_BYTES = 16 * 1024
_MULTIBYTE = ("cp932", "euc_jp", "gb18030", "big5", "cp949")
_SINGLE_BYTE = ("cp1251",)
_MIN_GUESSED_BYTES = 12


class NotText(Exception):
    """The bytes are no text in any encoding that is read here."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text of a file, its byte order mark removed, and the encoding it was read in."""

    text: str
    encoding: str


def decode(data: bytes) -> Decoded:
    """Decode by byte order mark, else as UTF-8, else by a confident guess, else as Latin-1 (which cannot fail).

    Raises: NotText for what holds a NUL byte early on, or breaks the encoding that its own mark names.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            try:
                return Decoded(data.decode(encoding), encoding)
            except UnicodeDecodeError as error:
                raise NotText(f"not valid {encoding}") from error
    if b"\0" in data[:_BINARY_PROBE_BYTES]:
        raise NotText("binary")
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        return _decode_legacy(data)


def split_lines(text: str) -> list[str]:
    """The lines of a text, without their endings; a final newline opens no further line."""
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    elif lines[-1].endswith("\r"):
        return [*(line.removesuffix("\r") for line in lines[:-1]), lines[-1]]
    return [line.removesuffix("\r") for line in lines] if "\r" in text else lines


def newline_of(text: str) -> Newline:
    """Which line ending a text uses; "\\n" where it has none."""
    windows = text.count("\r\n")
    if not windows:
        return "\n"
    return "\r\n" if windows == text.count("\n") else "mixed"


def _decode_legacy(data: bytes) -> Decoded:
    encoding = _guess(data)
    if encoding:
        try:
            return Decoded(data.decode(encoding), encoding)
        except UnicodeDecodeError:
            pass  # the sample fitted, the rest does not
    return Decoded(data.decode("latin-1"), "latin-1")


def _guess(data: bytes) -> str:
    """The encoding that a sample of the bytes clearly speaks for, or ""."""
    sample = _non_ascii_sample(data)
    if sum(byte >= 0x80 for byte in sample) < _MIN_GUESSED_BYTES:
        return ""
    from charset_normalizer import from_bytes  # 40 ms to import, and few workspaces need it

    best = from_bytes(sample, cp_isolation=[*_MULTIBYTE, *_SINGLE_BYTE], threshold=0.1).best()
    if best is None:
        return ""
    # Bytes that form valid pairs without any disorder are evidence enough; a single-byte table decodes anything,
    # so it must also read like a language.
    confident = (
        best.chaos == 0 and not _is_kana_noise(str(best))
        if best.encoding in _MULTIBYTE
        else best.coherence > 0.3
    )
    return best.encoding if confident else ""


def _is_kana_noise(text: str) -> bool:
    """Half-width kana without end: what other 8-bit alphabets look like when they are read as Shift-JIS."""
    wide = [character for character in text if character > "\x7f"]
    return 3 * sum("\uff61" <= character <= "\uff9f" for character in wide) > len(wide)


def _non_ascii_sample(data: bytes) -> bytes:
    """The lines that hold other bytes than ASCII, joined, up to a limit: the rest says nothing about the encoding."""
    sample = bytearray()
    for line in data.split(b"\n"):
        if not line.isascii():
            sample += line + b"\n"
        if len(sample) > _GUESS_SAMPLE_BYTES:
            break
    return bytes(sample[:_GUESS_SAMPLE_BYTES])
