"""A board with pieces."""


class Board:
    def __init__(self, width):
        self.width = width
        self.rows = [[""] * width] * width

    def put(self, x, y, piece):
        self.rows[y][x] = piece

    def count(self, piece):
        return sum(row.count(piece) for row in self.rows)
