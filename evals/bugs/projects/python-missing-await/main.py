import asyncio

from profiles.view import load_all

print(asyncio.run(load_all(["ada"])))
