"""What customers owe, and how we collect it."""
