from server.options import host, workers


class Pool:
    def __init__(self, size):
        self.size = size
        self.slots = [None] * size


def start():
    pool = Pool(workers())
    return f"{len(pool.slots)} workers on {host()}"
