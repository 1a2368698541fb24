"""Deletes the names and streets of parcels that were delivered long ago, as the data protection officer asked.

Runs on the first day of each month. Countries and postcodes stay, for statistics.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from datetime import UTC, datetime, timedelta

KEEP_DAYS = 90


def purge(database: sqlite3.Connection, now: datetime) -> int:
    """Blank what tells who somebody is; how many parcels that were."""
    limit = (now - timedelta(days=KEEP_DAYS)).isoformat()
    with database:
        done = database.execute(
            "UPDATE parcels SET name = '', street = '' WHERE delivered_at < ? AND name != ''", (limit,)
        )
    return done.rowcount


if __name__ == "__main__":
    print(purge(sqlite3.connect(os.environ["PARCELS_DB"]), datetime.now(UTC)))
    sys.exit(0)
