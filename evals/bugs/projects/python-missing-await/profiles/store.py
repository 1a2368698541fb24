import asyncio

RECORDS = {"ada": {"name": "Ada Lovelace", "visits": 12}}


async def fetch_record(login):
    await asyncio.sleep(0)
    return RECORDS[login]


async def count_visit(login):
    await asyncio.sleep(0)
    RECORDS[login]["visits"] += 1
