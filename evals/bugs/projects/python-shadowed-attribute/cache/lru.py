"""A cache that forgets what was used longest ago."""

from collections import OrderedDict


class Cache:
    def __init__(self, capacity):
        self.capacity = capacity
        self.entries = OrderedDict()
        self.loader = None

    def with_loader(self, loader):
        other = Cache(self.capacity)
        other.entries = self.entries
        self.loader = loader
        return other

    def get(self, key):
        if key in self.entries:
            self.entries.move_to_end(key)
            return self.entries[key]
        value = self.loader(key)
        self.entries[key] = value
        if len(self.entries) > self.capacity:
            self.entries.popitem(last=False)
        return value
