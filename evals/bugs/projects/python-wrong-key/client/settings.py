"""Settings of the client, read from lines like `time-out = 30`."""

DEFAULTS = {"host": "localhost", "port": "8080", "timeout": "10"}


def read_settings(text):
    settings = {}
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        key, _, value = line.partition("=")
        settings[key.strip().replace("-", "_")] = value.strip()
    return settings


def describe(settings):
    return ", ".join(f"{key}={value}" for key, value in sorted(settings.items()))
