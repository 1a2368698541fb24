import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import pytest
from pydantic import Field

from tools.errors import ToolError
from tools.evidence import Evidence
from tools.grep_symbol import GrepSymbol
from tools.list_files import ListFiles
from tools.read_file_lines import ReadFileLines
from tools.semantic_search import SemanticSearch
from tools.tool import Arguments
from tools.toolbox import Toolbox

FOUR_TOOLS = (SemanticSearch, GrepSymbol, ReadFileLines, ListFiles)


class LookArguments(Arguments):
    """Look at
    things."""

    words: list[str] = Field(min_length=1, max_length=3, description="What to look for.")
    where: str | None = Field(default=None, description="Folder.")
    how: Literal["near", "far"] = Field(default="near")
    limit: int = Field(default=5, ge=1, le=9, description="How many.")
    deep: bool = Field(default=False)


@dataclass(frozen=True)
class Looked:
    arguments: LookArguments
    evidence: Sequence[Evidence] = ()
    count: int = 0
    truncated: bool = False

    def for_model(self, ids: Sequence[str]) -> str:
        return ""

    def as_json(self, ids: Sequence[str]) -> dict[str, Any]:
        return {}


@dataclass(frozen=True)
class Look:
    name: ClassVar[str] = "look"
    arguments: ClassVar[type[LookArguments]] = LookArguments
    calls: list[LookArguments] = field(default_factory=list[LookArguments])

    async def __call__(self, arguments: LookArguments) -> Looked:
        self.calls.append(arguments)
        return Looked(arguments)


async def looked(**arguments: object) -> LookArguments:
    look = Look()
    await Toolbox([look]).call("look", arguments)
    return look.calls[0]


async def refusal(**arguments: object) -> str:
    with pytest.raises(ToolError) as refused:
        await looked(**arguments)
    return str(refused.value)


def test_a_schema_is_flat_and_carries_its_limits_in_words() -> None:
    assert Toolbox([Look()]).schemas == [
        {
            "type": "function",
            "function": {
                "name": "look",
                "description": "Look at things.",
                "parameters": {
                    "type": "object",
                    "properties": {
                        "words": {
                            "type": "array",
                            "description": "What to look for. (1-3 texts)",
                            "items": {"type": "string"},
                        },
                        "where": {"type": "string", "description": "Folder."},
                        "how": {"type": "string", "description": "(default near)", "enum": ["near", "far"]},
                        "limit": {"type": "integer", "description": "How many. (1-9, default 5)"},
                        "deep": {"type": "boolean"},
                    },
                    "required": ["words"],
                },
            },
        }
    ]


def keys_of(value: object) -> set[str]:
    match value:
        case dict():
            return set(value) | {key for inner in value.values() for key in keys_of(inner)}
        case list():
            return {key for inner in value for key in keys_of(inner)}
        case _:
            return set()


def test_the_schemas_of_all_tools_hold_only_what_servers_keep_and_are_terse() -> None:
    class AsBuilt(Toolbox):
        """The schemas need the classes only."""

    schemas = AsBuilt(FOUR_TOOLS).schemas  # type: ignore[arg-type]
    parameters = [schema["function"]["parameters"] for schema in schemas]

    assert [schema["function"]["name"] for schema in schemas] == [
        "semantic_search",
        "grep_symbol",
        "read_file_lines",
        "list_files",
    ]
    for each in parameters:
        for property_schema in each["properties"].values():
            assert set(property_schema) <= {"type", "description", "enum", "items"}
    assert keys_of(schemas).isdisjoint({"$ref", "$defs", "anyOf", "title", "default", "minimum", "maximum"})
    assert len(json.dumps(schemas)) < 3_600  # some four characters to a token: under 900 tokens


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"words": "one"}, {"words": ["one"]}),
        ({"words": '["one", "two"]'}, {"words": ["one", "two"]}),
        ({"words": '{"a": 1}'}, {"words": ['{"a": 1}']}),
        ({"words": "[not json"}, {"words": ["[not json"]}),
        ({"words": ["x"], "limit": "7"}, {"limit": 7}),
        ({"words": ["x"], "limit": 7.0}, {"limit": 7}),
        ({"words": ["x"], "limit": None}, {"limit": 5}),
        ({"words": ["x"], "deep": "true"}, {"deep": True}),
        ({"words": ["x"], "deep": "False"}, {"deep": False}),
        ({"words": ["x"], "where": None}, {"where": None}),
        ({"words": ["x"], "where": ""}, {"where": None}),
        ({"words": ["x"], "where": ["src"]}, {"where": "src"}),
        ({"words": ["x"], "where": 404}, {"where": "404"}),
        ({"words": ["x"], "how": " FAR "}, {"how": "far"}),
        ({"words": ["x"], "how": ""}, {"how": "near"}),
        ({"words": ["x"], "surplus": None}, {"words": ["x"]}),
    ],
)
async def test_slips_that_have_one_reading_are_mended(given: dict[str, Any], wanted: dict[str, Any]) -> None:
    assert wanted.items() <= (await looked(**given)).model_dump().items()


async def test_an_unknown_tool_is_answered_with_the_names_that_exist() -> None:
    with pytest.raises(ToolError) as refused:
        await Toolbox([Look()]).call("lock", {})
    assert str(refused.value) == "there is no tool `lock`. The tools are: look."


async def test_a_missing_argument_is_named_with_what_is_wanted() -> None:
    assert await refusal() == "look: `words` is missing: a list of texts (what to look for. (1-3 texts))."


async def test_an_extra_argument_is_named_with_those_that_exist() -> None:
    assert await refusal(words=["x"], query="y") == (
        "look: unknown argument `query`; it takes words, where, how, limit, deep."
    )


async def test_a_value_out_of_range_is_quoted_with_the_range() -> None:
    assert await refusal(words=["x"], limit=10) == (
        "look: `limit` must be a whole number (how many. (1-9, default 5)); got 10."
    )


async def test_an_unknown_choice_is_answered_with_the_choices() -> None:
    assert (
        await refusal(words=["x"], how="sideways") == 'look: `how` must be one of near, far; got "sideways".'
    )


async def test_every_problem_is_told_at_once_and_huge_values_are_cut() -> None:
    said = await refusal(limit="x" * 5_000)
    assert "`words` is missing" in said
    assert "`limit` must be" in said
    assert len(said) < 400
    assert "\n" not in said


async def test_a_list_with_wrong_items_is_refused_under_the_name_of_the_list() -> None:
    assert "`words` must be a list of texts" in await refusal(words=[{"a": 1}])
