from release.versions import newest


def headline(tags):
    """The heading of the release notes."""
    latest = newest(tags)
    return f"What is new in {latest}"
