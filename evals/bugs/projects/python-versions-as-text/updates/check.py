from updates.versions import newest


class Checker:
    def __init__(self, index):
        self.index = index

    def offer(self, package):
        released = self.index[package]
        return f"{package} {newest(released)}"
