"""Readings of weather stations."""


def reading(station, celsius):
    return {"station": station, "temperature": celsius}


def merge(readings):
    merged = {}
    for entry in readings:
        merged.setdefault(entry["station"], []).append(entry)
    return merged
