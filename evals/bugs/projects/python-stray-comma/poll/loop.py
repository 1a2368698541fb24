from poll.options import read_options


def deadlines(given):
    options = read_options(given)
    return [attempt * options["interval"] + 0.5 for attempt in range(options["attempts"])]
