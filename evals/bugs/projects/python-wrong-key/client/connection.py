from client.settings import describe


class Connection:
    def __init__(self, host, port, timeout):
        self.host = host
        self.port = port
        self.timeout = timeout

    @classmethod
    def from_settings(cls, settings):
        print("connecting with", describe(settings))
        return cls(settings["host"], int(settings["port"]), float(settings["timeout"]))
