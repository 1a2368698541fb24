import asyncio

from profiles.store import count_visit, fetch_record


def heading(record):
    return f"{record['name']} ({record['visits']} visits)"


async def load_profile(login):
    await count_visit(login)
    record = fetch_record(login)
    return heading(record)


async def load_all(logins):
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(load_profile(login)) for login in logins]
    return [task.result() for task in tasks]
