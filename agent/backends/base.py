"""All that the loop asks of a model, whoever serves it. A new backend is one file that fits this protocol."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import Protocol

from agent.messages import BackendInfo, JsonSchema, Message, Piece


class Backend(Protocol):
    """A model that can call tools and can answer by schema."""

    @property
    def info(self) -> BackendInfo:
        """Name, model and host, for the status line and the answer's record."""
        ...

    def reply(self, messages: Sequence[Message], tools: Sequence[JsonSchema]) -> AsyncGenerator[Piece, None]:
        """One turn with tools: text pieces as they come, then the whole `Turn`, which may ask for tool calls.

        Raises: ModelUnavailable, with cause and hint. Closing the iterator stops the model.
        """
        ...

    def answer(self, messages: Sequence[Message], schema: JsonSchema) -> AsyncGenerator[Piece, None]:
        """One turn without calls whose content is JSON by `schema` (an object), else the caller treats it as no answer.

        Raises: ModelUnavailable.
        """
        ...

    def notice(self, question: str) -> str:
        """One fixed sentence, in the question's language, on how such an answer is made; "" when none is needed."""
        ...

    async def aclose(self) -> None:
        """Free the connection or the process."""
        ...
