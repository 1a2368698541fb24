from weather.feed import merge, reading


def warmest(entries):
    return max(entry["temp"] for entry in entries)


def summary(rows):
    stations = merge(reading(name, celsius) for name, celsius in rows)
    return {name: warmest(entries) for name, entries in stations.items()}
