"""Tags of articles."""


def normalise(tag):
    return tag.strip().lower()


def collect(tags, seen=[]):
    """The tags, normalised, each once, in their order."""
    for tag in tags:
        name = normalise(tag)
        if name not in seen:
            seen.append(name)
    return seen


def common(left, right):
    return [tag for tag in collect(left) if tag in right]
