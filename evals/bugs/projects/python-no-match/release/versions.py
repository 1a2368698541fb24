"""Version numbers of releases."""

import re

VERSION = re.compile(r"^(\d+)\.(\d+)\.(\d+)$")


def parse_version(text):
    match = VERSION.match(text)
    return tuple(int(part) for part in match.groups())


def newest(texts):
    return max(texts, key=parse_version)
