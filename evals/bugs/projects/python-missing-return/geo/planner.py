from geo.route import Route


def plan(stops, closed):
    route = Route(stops)
    for stop in closed:
        route = route.without(stop)
    return route


def describe(stops, closed):
    return f"{plan(stops, closed).length()} legs"
