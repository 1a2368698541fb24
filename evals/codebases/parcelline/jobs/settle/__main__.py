"""The nightly settlement: read yesterday's events, write one CSV statement per carrier.

python -m settle --day 2026-05-01 --out /var/statements
"""

from __future__ import annotations

import argparse
import csv
import logging
import os
import sys
from datetime import date
from pathlib import Path

from parcel_events import ParcelEvent, UnknownEvent, parse_event

from .statements import Statement, UnknownCarrier, statements
from .stream import lines_of_day
from .tariffs import load_tariffs

EXIT_UNKNOWN_CARRIER = 3


def main() -> int:
    options = _options()
    tariffs = load_tariffs(Path(os.environ["TARIFFS_FILE"]))
    events = _events(lines_of_day(os.environ["STREAM_URL"], options.day))
    try:
        settled = statements(events, tariffs)
    except UnknownCarrier as unknown:
        logging.error("nothing is written: no tariff for %s", unknown)
        return EXIT_UNKNOWN_CARRIER
    for statement in settled.values():
        write_statement(options.out / f"{options.day}-{statement.carrier}.csv", statement)
    return 0


def _events(lines: list[str]) -> list[ParcelEvent]:
    events = []
    for line in lines:
        try:
            events.append(parse_event(line))
        except UnknownEvent as unknown:
            logging.warning("skipped an event of type %s", unknown)
    return events


def write_statement(path: Path, statement: Statement) -> None:
    """Written beside and then moved into place, so that nobody reads half a statement."""
    draft = path.with_suffix(".tmp")
    with draft.open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["parcel"])
        writer.writerows([parcel] for parcel in statement.parcels)
        writer.writerow(["payable_cents", statement.payable_cents])
    draft.replace(path)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="settle")
    parser.add_argument("--day", type=date.fromisoformat, required=True)
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
