"""Sessions in memory."""


class SessionStore:
    def __init__(self, lifetime):
        self.lifetime = lifetime
        self.started = {}

    def open(self, key, now):
        self.started[key] = now

    def close(self, key):
        del self.started[key]

    def expire(self, now):
        """Close what is older than its lifetime."""
        for key, since in self.started.items():
            if now - since > self.lifetime:
                self.close(key)
        return len(self.started)
