"""A small codebase to ask about, with an answer, a caller, prose and a secret file."""

from __future__ import annotations

from pathlib import Path

FILES = {
    "src/shop/prices.py": (
        '"""What things cost."""\n'
        "\n"
        "VAT_RATE = 0.19\n"
        "\n"
        "\n"
        "def gross_price(net_price: float) -> float:\n"
        '    """The price with value added tax."""\n'
        "    return round(net_price * (1 + VAT_RATE), 2)\n"
    ),
    "src/shop/orders.py": (
        "from shop.prices import gross_price\n"
        "\n"
        "\n"
        "class Order:\n"
        '    """What a customer bought."""\n'
        "\n"
        "    def total(self) -> float:\n"
        '        """Sum of the gross prices of all items."""\n'
        "        return sum(gross_price(item) for item in self.items)\n"
    ),
    "README.md": "# Shop\n\nPrices are shown with tax.\n",
    ".env": "TOKEN=not-for-anyone\n",
}


def small_workspace(folder: Path) -> Path:
    """The codebase, laid out in a folder that is made."""
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / ".git").mkdir()
    return folder
