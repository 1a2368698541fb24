from poll import defaults


def read_options(given):
    """The person's options over the defaults."""
    options = {"interval": defaults.interval_seconds, "attempts": defaults.attempts}
    options.update(given)
    return options
