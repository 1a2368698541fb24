"""What is wrong with the value of a setting, in words for the person who wrote it and not for who validates it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pydantic_core import ErrorDetails

_TEMPLATES = {
    "int_parsing": "{value} is not a whole number",
    "int_type": "{value} is not a whole number",
    "int_from_float": "{value} is not a whole number",
    "float_parsing": "{value} is not a number",
    "float_type": "{value} is not a number",
    "finite_number": "{value} is not a number that ends",
    "bool_parsing": "{value} is neither true nor false",
    "bool_type": "{value} is neither true nor false",
    "string_type": "{value} is not text",
    "tuple_type": "{value} is not a list",
    "model_type": "{value} is not a table of settings",
    "literal_error": "{value} is none of {expected}",
    "greater_than_equal": "{value} is too small: at least {ge}",
    "greater_than": "{value} is too small: more than {gt}",
    "less_than_equal": "{value} is too large: at most {le}",
    "less_than": "{value} is too large: less than {lt}",
}
_VALUE_ERROR = re.compile("^Value error, ")
_MOST_CHARACTERS = 80


def wrong(errors: Sequence[ErrorDetails]) -> str:
    """The fault of one value; what may be several things has one error for each of them."""
    first, *_ = errors
    same = [error for error in errors if error["loc"][:2] == first["loc"][:2]]
    value = _value(first["input"])
    if len(same) > 1 and (choices := [_choices(error) for error in same if error["type"] == "literal_error"]):
        truth = ["true or false"] if any(error["type"].startswith("bool") for error in same) else []
        return f"{value} is none of {', '.join([*truth, *choices])}"
    template = _TEMPLATES.get(first["type"])
    if template is None:
        return _VALUE_ERROR.sub("", first["msg"])
    return template.format(value=value, expected=_choices(first), **_bounds(first))


def _value(given: object) -> str:
    text = str(given)
    return f"`{text if len(text) <= _MOST_CHARACTERS else text[:_MOST_CHARACTERS] + '…'}`"


def _choices(error: ErrorDetails) -> str:
    return _context(error).get("expected", "").replace("'", "`")


def _bounds(error: ErrorDetails) -> dict[str, Any]:
    return {name: f"{value:,}" for name, value in _context(error).items() if name in ("ge", "gt", "le", "lt")}


def _context(error: ErrorDetails) -> dict[str, Any]:
    return error.get("ctx", {})
