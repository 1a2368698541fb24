"""Bills shared by several people, in cents."""


def share(total, people):
    return int(total / people)


def split(total, people):
    """What each pays; together they pay all of it."""
    each = share(total, people)
    return [each] * people
