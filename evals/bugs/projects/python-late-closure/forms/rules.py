"""Checks that a form makes of its fields."""


def length_rules(limits):
    """One check for each field: its text is no longer than its limit."""
    rules = {}
    for field, limit in limits.items():
        rules[field] = lambda text: len(text) <= limit
    return rules
