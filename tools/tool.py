"""What every tool is: a name, an arguments model, an awaitable call, and a typed result that carries Evidence.

The arguments model gives the JSON schema, the validation and the description the model reads. The result is
rendered twice: `for_model()` as text here, and from its fields by the front ends. Nothing is written down twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict

from tools.evidence import Evidence


class Arguments(BaseModel):
    """Arguments of one tool. The subclass's docstring is what the model reads about the tool."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ToolResult(Protocol):
    """What a tool found."""

    @property
    def evidence(self) -> Sequence[Evidence]:
        """What was shown, in order. The caller numbers it and passes the ids back to `for_model`."""
        ...

    @property
    def count(self) -> int:
        """How many things were found, for one progress line ("12 results")."""
        ...

    @property
    def truncated(self) -> bool:
        """True when a cap cut the result; `for_model` then says which call to make next."""
        ...

    def for_model(self, ids: Sequence[str]) -> str:
        """The result as text, each piece of evidence headed by its id (`ids[i]` belongs to `evidence[i]`)."""
        ...

    def as_json(self, ids: Sequence[str]) -> dict[str, Any]:
        """The same as plain JSON values, for the session file and for backends that read no prose."""
        ...


@runtime_checkable
class Rankable(ToolResult, Protocol):
    """A result that is a choice among candidates, best first: somebody may know a better order."""

    @property
    def candidates(self) -> Sequence[str]:
        """What each candidate is, in a few lines, those that are not shown too."""
        ...

    def in_order(self, order: Sequence[int]) -> ToolResult:
        """The same result with its candidates in another order, each named by its place in this one."""
        ...


class Tool(Protocol):
    """One thing that can be looked up. Tools never write, never run a shell, never reach the network."""

    name: ClassVar[str]
    arguments: ClassVar[type[Any]]
    """A subclass of `Arguments`; the protocol cannot say so, since a class variable is invariant."""

    async def __call__(self, arguments: Any, /) -> ToolResult:
        """Look it up.

        Raises: ToolError for what the model can mend; UserError when the tool itself cannot work.
        """
        ...
