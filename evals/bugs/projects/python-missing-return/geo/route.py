"""Routes between stops."""


class Route:
    def __init__(self, stops):
        self.stops = stops

    def reversed(self):
        return Route(list(reversed(self.stops)))

    def without(self, stop):
        rest = [one for one in self.stops if one != stop]
        if len(rest) < len(self.stops):
            return Route(rest)

    def length(self):
        return len(self.stops) - 1
