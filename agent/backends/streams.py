"""Streams from a model server, read line by line over httpx, whole or not at all.

Own rules: proxies and `.netrc` are never used, redirects never followed, only `\\n` ends a line (httpx's own line
reader also ends one at U+0085 and U+2028, which may stand inside JSON). Headers come with the first line, after
the model is loaded and has read the prompt, so the wait for that line has its own, long limit.
Retries happen before the first line only. Whoever stops iterating closes the iterator, and that closes the socket.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, TypedDict, cast

import httpx
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, wait_exponential, wait_random

from agent.backends.runaway import Endless
from agent.errors import ModelUnavailable

_MAX_LINE_BYTES = 16 * 1024 * 1024
_MAX_ERROR_BYTES = 64 * 1024
_ATTEMPTS = 3
CONNECTION_REFUSED = "connection refused"
"""The cause of a failure where nothing listens."""


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long what may take, in seconds."""

    connect: float = 5.0
    first_token: float = 600.0
    """Loading the model and reading the prompt are in this."""
    between_tokens: float = 60.0
    whole_reply: float = 1_800.0
    """From the first word to the last."""
    retry_pause: float = 0.5
    """Before the first retry; the second waits longer."""


@dataclass(frozen=True, slots=True)
class ServerName:
    """What a person is told about the server when it fails."""

    url: str
    host: str
    """As the status line shows it."""
    kind: str
    """`an Ollama server`, …"""
    start_hint: str


Speaks = Callable[[bytes], bool]


class ServerSaid(Exception):
    """The server's own error. `status` is 200 when it came in the middle of a stream."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(f"{status}: {text}")
        self.status = status
        self.text = text


class _Transient(Exception):
    """Worth another try, as nothing of the reply has come yet; its cause is the real failure."""


@dataclass(frozen=True, slots=True)
class _Opened:
    response: httpx.Response
    lines: AsyncGenerator[bytes, None]
    first: bytes | None


class ServerConnection:
    """One model server: JSON in, JSON or lines of bytes out."""

    def __init__(self, base: httpx.URL, name: ServerName, timeouts: Timeouts, key: str = "") -> None:
        self.name = name
        self.timeouts = timeouts
        self.is_encrypted = base.scheme == "https"
        self._key = key
        self._client = httpx.AsyncClient(
            base_url=base,
            headers={"Authorization": f"Bearer {key}"} if key else None,
            trust_env=False,
            follow_redirects=False,
            verify=self.is_encrypted,  # reading the certificates takes a tenth of a second
            timeout=httpx.Timeout(connect=timeouts.connect, read=None, write=30.0, pool=5.0),
        )

    async def aclose(self) -> None:
        """Close every connection."""
        await self._client.aclose()

    async def json(self, method: str, path: str, body: object = None, *, seconds: float) -> dict[str, Any]:
        """One whole reply, an object.

        Raises: ServerSaid for an HTTP error, ModelUnavailable for everything else.
        """
        try:
            async with asyncio.timeout(seconds):
                response = await self._client.request(method, path, **_as_sent(body))
        except TimeoutError as problem:
            raise self._silent(seconds, f"when asked for `{path}`") from problem
        except httpx.RequestError as problem:
            raise self._unreachable(problem) from problem
        if response.status_code != HTTPStatus.OK:
            raise ServerSaid(response.status_code, self.without_key(error_text(response.content)))
        return self.object(response.content)

    async def lines(self, path: str, body: object, speaks: Speaks = bool) -> AsyncGenerator[bytes, None]:
        """The lines of a streamed reply, without their ends and without the empty ones.

        `speaks` tells a line that carries a token: some servers greet at once and then read the prompt.
        Raises: ServerSaid for an HTTP error, ModelUnavailable for a server that is silent or hangs up.
        """
        opened = await self._open_with_retries(path, body)
        try:
            if opened.first is None:
                return
            yield opened.first
            async with aclosing(self._within_limits(opened.lines, speaks(opened.first), speaks)) as lines:
                async for line in lines:
                    yield line
        finally:
            await opened.response.aclose()

    def object(self, text: bytes) -> dict[str, Any]:
        """`text` as a JSON object.

        Raises: ModelUnavailable: what answers here is no such server.
        """
        try:
            value: object = json.loads(text)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict):
            return cast(dict[str, Any], value)
        said = self.without_key(text.decode("utf-8", "replace")).strip()[:80]
        raise ModelUnavailable(
            f"what answers at `{self.name.url}` is not {self.name.kind}",
            cause=f"it said {json.dumps(said, ensure_ascii=False)}",
            hint="check the address in the settings (`codewitness config show`), and what else uses that port",
        )

    async def _open_with_retries(self, path: str, body: object) -> _Opened:
        pause = self.timeouts.retry_pause
        retrying = AsyncRetrying(
            stop=self._is_enough,
            wait=wait_exponential(multiplier=pause, max=4 * pause) + wait_random(0, pause),
            retry=retry_if_exception_type(_Transient),
            reraise=True,
        )
        try:
            return await retrying(self._open, path, body)
        except _Transient as given_up:
            cause = given_up.__cause__
            if isinstance(cause, ServerSaid):
                raise cause from None
            raise self._unreachable(cause) from cause

    def _is_enough(self, state: RetryCallState) -> bool:
        """Three tries; but a server that says that it is loading the model is waited for."""
        problem = state.outcome.exception() if state.outcome else None
        said = problem.__cause__ if problem else None
        if isinstance(said, ServerSaid) and "loading" in said.text.lower():
            return (state.seconds_since_start or 0.0) >= self.timeouts.first_token
        return state.attempt_number >= _ATTEMPTS

    async def _open(self, path: str, body: object) -> _Opened:
        """Send the request and wait for the first line."""
        response: httpx.Response | None = None
        try:
            async with asyncio.timeout(self.timeouts.first_token):
                response = await self._client.send(
                    self._client.build_request("POST", path, **_as_sent(body)), stream=True
                )
                if response.status_code != HTTPStatus.OK:
                    raise await self._said(response)
                lines = _split(response.aiter_bytes())
                return _Opened(response, lines, await anext(lines, None))
        except BaseException as problem:
            if response is not None:
                await response.aclose()
            judged = self._judged(problem)
            if judged is problem:
                raise
            raise judged from problem

    def _judged(self, problem: BaseException) -> BaseException:
        """What a failure before the first line is: worth a retry, final, or not ours."""
        if isinstance(problem, ServerSaid):
            return _Transient() if problem.status == HTTPStatus.SERVICE_UNAVAILABLE else problem
        if isinstance(problem, (httpx.NetworkError, httpx.RemoteProtocolError)):
            return _Transient()
        if isinstance(problem, (httpx.RequestError, TimeoutError)):
            return self._unreachable(problem)
        return problem

    async def _within_limits(
        self, lines: AsyncGenerator[bytes, None], spoken: bool, speaks: Speaks
    ) -> AsyncGenerator[bytes, None]:
        clock = asyncio.get_running_loop().time
        end = clock() + self.timeouts.whole_reply
        while True:
            limit = self.timeouts.between_tokens if spoken else self.timeouts.first_token
            try:
                async with asyncio.timeout(min(limit, end - clock())):
                    line = await anext(lines)
            except StopAsyncIteration:
                return
            except TimeoutError as problem:
                if clock() >= end:
                    raise Endless(f"a reply of more than {self.timeouts.whole_reply:g} seconds") from problem
                raise self._silent(
                    limit, "between two words" if spoken else "before the first word"
                ) from problem
            except httpx.RequestError as problem:
                raise ModelUnavailable(
                    f"the model server at `{self.name.url}` hung up in the middle of a reply",
                    cause=_said_by(problem),
                    hint="look at the server's log: it may have crashed or run out of memory; then ask again",
                ) from problem
            spoken = spoken or speaks(line)
            yield line

    async def _said(self, response: httpx.Response) -> ServerSaid:
        body = b""
        async for piece in response.aiter_bytes():
            body += piece
            if len(body) > _MAX_ERROR_BYTES:
                break
        if response.is_redirect:
            return ServerSaid(
                response.status_code, "it redirects to another address, which is never followed"
            )
        return ServerSaid(response.status_code, self.without_key(error_text(body)))

    def without_key(self, text: str) -> str:
        """A server's text as it may be shown: some repeat the key that they refuse."""
        return text.replace(self._key, "…") if self._key else text

    def _silent(self, seconds: float, when: str) -> ModelUnavailable:
        return ModelUnavailable(
            f"the model server at `{self.name.url}` went silent",
            cause=f"nothing came for {seconds:g} seconds {when}",
            hint="use a smaller model, or raise `model.first_token_seconds` or `model.between_tokens_seconds`",
        )

    def _unreachable(self, problem: BaseException | None) -> ModelUnavailable:
        if isinstance(problem, TimeoutError):
            return self._silent(self.timeouts.first_token, "before the first word")
        return ModelUnavailable(
            f"the model server at `{self.name.url}` does not answer",
            cause=_said_by(problem),
            hint=f"{self.name.start_hint}; `--backend extractive` answers without a model",
        )


async def _split(pieces: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
    rest = b""
    async for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            if line.strip():
                yield line
        if len(rest) > _MAX_LINE_BYTES:
            raise httpx.RemoteProtocolError("a line without an end")
    if rest.strip():
        yield rest


def error_text(body: object) -> str:
    """The words in a server's error, however deep they are wrapped: objects, and JSON inside of strings."""
    if isinstance(body, bytes):
        body = body.decode("utf-8", "replace").strip()
    if isinstance(body, str) and body.startswith("{"):
        try:
            body = cast(object, json.loads(body))
        except (ValueError, RecursionError):
            return body
    if isinstance(body, Mapping):
        entries = cast(Mapping[str, object], body)
        inner = next((entries[key] for key in ("error", "message", "detail") if entries.get(key)), None)
        return _with_code(error_text(inner), entries) if inner is not None else json.dumps(entries)
    return body if isinstance(body, str) else json.dumps(body)


def _with_code(text: str, entries: Mapping[str, object]) -> str:
    """Some servers explain themselves by a word beside the message (`context_length_exceeded`) alone."""
    code = entries.get("code")
    return f"{text} ({code})" if isinstance(code, str) and code and code not in text else text


def _said_by(problem: BaseException | None) -> str:
    if isinstance(problem, httpx.ConnectTimeout):
        return "no connection in time"
    text = str(problem or "").lower()
    if "connection attempts failed" in text or "refused" in text:
        return CONNECTION_REFUSED
    return text or type(problem).__name__


class _Sent(TypedDict, total=False):
    content: bytes
    headers: dict[str, str]


def _as_sent(body: object) -> _Sent:
    """A request's body. Halves of a character that a model or a server parted are joined, lone ones replaced."""
    if body is None:
        return {}
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return {"content": whole.encode(), "headers": {"content-type": "application/json"}}
