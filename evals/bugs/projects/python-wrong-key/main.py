from client.connection import Connection
from client.settings import read_settings

TEXT = """
# the staging server
host = staging
port = 9090
time-out = 30
"""

connection = Connection.from_settings(read_settings(TEXT))
print(connection.timeout)
