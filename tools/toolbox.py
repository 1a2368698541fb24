"""The toolbox: the tools by name; JSON schemas out, validated calls in.

A model server keeps only `type`, `description`, `enum`, `items`, `properties` and `required` of a schema, so each
property is flat and carries its limits and its default in words. A model's small slips ("5" for 5, null for
"not given", one text where a list is wanted) are mended here; what cannot be mended goes back as one line.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from tools.errors import ToolError
from tools.tool import Arguments, Tool, ToolResult

Schema = dict[str, Any]


class Toolbox:
    """The tools that a model may call, in a fixed order: equal prompts are what a server's cache is keyed by."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._parameters = {tool.name: _flat(tool.arguments) for tool in tools}

    def replacing(self, tool: Tool) -> Toolbox:
        """The same tools in the same order, with this one in place of the one of its name."""
        return Toolbox([tool if tool.name == one.name else one for one in self._tools.values()])

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._tools)

    @property
    def schemas(self) -> list[Schema]:
        """One function schema per tool, as chat servers take them."""
        return [_function(tool, self._parameters[tool.name]) for tool in self._tools.values()]

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Run the tool `name`.

        Raises: ToolError for an unknown tool, for arguments that cannot be mended, and from the tool itself.
        """
        tool = self._tools.get(name)
        if tool is None:
            raise ToolError(f"there is no tool `{name}`. The tools are: {', '.join(self._tools)}.")
        return await tool(_validated(tool, self._parameters[name], arguments))


def _function(tool: Tool, parameters: Schema) -> Schema:
    description = " ".join((tool.arguments.__doc__ or "").split())
    return {
        "type": "function",
        "function": {"name": tool.name, "description": description, "parameters": parameters},
    }


def _flat(arguments: type[Arguments]) -> Schema:
    full = arguments.model_json_schema()
    properties = {
        name: _flat_property(cast(Schema, schema)) for name, schema in full.get("properties", {}).items()
    }
    return {"type": "object", "properties": properties, "required": list(full.get("required", []))}


def _flat_property(schema: Schema) -> Schema:
    """One property with its plain type: an optional's `anyOf` with null is its other branch."""
    plain = {**schema, **_other_than_null(schema)}
    flat: Schema = {"type": plain["type"]}
    if description := _described(plain):
        flat["description"] = description
    if "enum" in plain:
        flat["enum"] = list(plain["enum"])
    if "items" in plain:
        flat["items"] = {"type": plain["items"]["type"]}
    return flat


def _other_than_null(schema: Schema) -> Schema:
    branches = [branch for branch in schema.get("anyOf", []) if branch.get("type") != "null"]
    return cast(Schema, branches[0]) if branches else {}


def _described(schema: Schema) -> str:
    """The field's own description, then its limits and default, which servers drop from a schema."""
    limits = _limits(schema)
    default = schema.get("default")
    if default not in (None, "", False):
        limits.append(f"default {default}")
    description = schema.get("description", "")
    return f"{description} ({', '.join(limits)})".strip() if limits else description


def _limits(schema: Schema) -> list[str]:
    items = "texts" if schema.get("type") == "array" else ""
    least = schema.get("minItems", schema.get("minimum"))
    most = schema.get("maxItems", schema.get("maximum"))
    if least is None and most is None:
        return []
    if most is None:
        return [f"at least {least} {items}".strip()]
    return [f"{least or 0}-{most} {items}".strip()]


def _validated(tool: Tool, parameters: Schema, arguments: Mapping[str, Any]) -> Arguments:
    try:
        return tool.arguments.model_validate(_mended(parameters, arguments))
    except ValidationError as invalid:
        problems = [_problem(error, parameters) for error in invalid.errors(include_url=False)]
        raise ToolError(f"{tool.name}: {'; '.join(dict.fromkeys(problems))}.") from invalid


def _mended(parameters: Schema, arguments: Mapping[str, Any]) -> dict[str, Any]:
    mended: dict[str, Any] = {}
    for name, value in arguments.items():
        schema = parameters["properties"].get(name)
        if schema is None:
            if value is not None:
                mended[name] = value
        elif name in parameters["required"] or value not in (None, ""):
            mended[name] = _mend(value, schema)
    return mended


def _mend(value: object, schema: Schema) -> object:
    """`value` in the wanted type where only one reading of it is possible, else as it came.

    "5" and "true" need nothing here: the validation itself reads them.
    """
    match schema["type"], value:
        case "array", str():
            return _as_list(value)
        case "string", [str() as only]:
            return _mend(only, schema)
        case "string", str() if "enum" in schema:
            return value.strip().lower()
        case "string", int() | float() if not isinstance(value, bool):
            return str(value)
        case _:
            return value


def _as_list(text: str) -> object:
    try:
        parsed = json.loads(text)
    except ValueError:
        return [text]
    return cast(object, parsed) if isinstance(parsed, list) else [text]


def _problem(error: ErrorDetails, parameters: Schema) -> str:
    """One invalid argument in words: its name, what is wanted, what came."""
    name = str(error["loc"][0])
    properties: dict[str, Schema] = parameters["properties"]
    if name not in properties:
        return f"unknown argument `{name}`; it takes {', '.join(properties)}"
    wanted = _wanted(properties[name])
    if error["type"] == "missing":
        return f"`{name}` is missing: {wanted}"
    given = json.dumps(error["input"], ensure_ascii=False, default=str)
    return f"`{name}` must be {wanted}; got {given if len(given) <= 80 else given[:80] + '…'}"


def _wanted(schema: Schema) -> str:
    if "enum" in schema:
        return f"one of {', '.join(schema['enum'])}"
    kind = {"array": "a list of texts", "integer": "a whole number", "boolean": "true or false"}.get(
        schema["type"], "a text"
    )
    description = str(schema.get("description", "")).rstrip(".")
    return f"{kind} ({description[:1].lower()}{description[1:]})" if description else kind
