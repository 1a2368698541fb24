"""Short names that stand for others."""

ALIASES = {"ll": "list", "list": "ls", "ls": "ll", "rm": "remove"}


def resolve(name):
    """The command that a short name stands for in the end."""
    if name in ALIASES:
        return resolve(ALIASES[name])
    return name


def known(name):
    return name in ALIASES or name in ALIASES.values()
