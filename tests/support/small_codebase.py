"""A small codebase of several languages, written to disk and committed."""

from __future__ import annotations

import subprocess
from pathlib import Path

FILES = {
    "src/shop/cart.py": '''"""What a customer is about to buy."""

from .prices import total_price


class Cart:
    """Items and how many of each."""

    def __init__(self):
        self.items = {}

    def add_item(self, sku, count=1):
        """Put an item into the cart."""
        self.items[sku] = self.items.get(sku, 0) + count

    def total(self):
        return total_price(self.items)
''',
    "src/shop/prices.py": '''"""Prices in cents."""

VAT_RATE = 0.19


def total_price(items):
    """The sum of all items, taxes included."""
    return sum(with_tax(price_of(sku)) * count for sku, count in items.items())


def with_tax(cents):
    return round(cents * (1 + VAT_RATE))


def price_of(sku):
    return {"apple": 30, "pear": 40}[sku]
''',
    "web/src/checkout.ts": """import { formatPrice } from "./format";

export interface Order {
  id: string;
  cents: number;
}

export function renderOrder(order: Order): string {
  return `${order.id}: ${formatPrice(order.cents)}`;
}
""",
    "web/src/format.ts": """export function formatPrice(cents: number): string {
  return (cents / 100).toFixed(2);
}
""",
    "cmd/server/main.go": """package main

import "fmt"

// ListenAddress is where the shop answers.
const ListenAddress = ":8080"

func main() {
	fmt.Println(ListenAddress)
}
""",
    "tests/test_cart.py": """from shop.cart import Cart


def test_a_cart_sums_up():
    cart = Cart()
    cart.add_item("apple", 2)
    assert cart.total() == 72
""",
    "docs/guide.md": """# The shop

Fill a cart and check out.

## Taxes

Every price includes the value added tax.
""",
    "settings.toml": """[shop]
currency = "EUR"

[server]
port = 8080
""",
    "README.md": "# Shop\n\nA shop for fruit.\n",
}


def write_codebase(root: Path) -> Path:
    """Write the files and commit them; returns the root."""
    for path, text in FILES.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    git(root, "init", "--quiet")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "Open the shop")
    return root


def git(root: Path, *arguments: str) -> str:
    """Run git as a person of its own, untouched by this machine's configuration; its output."""
    environment = {
        "PATH": "/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin",
        "HOME": str(root),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
    } | {
        f"GIT_{who}_{what}": value
        for who in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", "Ada"), ("EMAIL", "ada@example.org"), ("DATE", "2024-01-02T03:04:05Z"))
    }
    done = subprocess.run(
        ["git", *arguments], cwd=root, env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout
