"""Orders as the shop's web hook sends them."""

import json
from dataclasses import dataclass

SUPPORTED_VERSIONS = ("1", "2")
MAX_LINES = 500


@dataclass
class Line:
    article: str
    quantity: int


def parse_order(text):
    """The lines of an order."""
    body = json.loads(text)
    return [Line(entry["article"], entry["quantity"]) for entry in body["lines"]]
