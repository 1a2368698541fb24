import os

from server.pool import start

os.environ["WORKERS"] = "8"
print(start())
