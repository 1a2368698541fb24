"""Where statements begin: the places at which a piece that is too long may be split."""

from __future__ import annotations

from tree_sitter import Tree

from tools.index.layout import Boundaries

_MAX_DEPTH = 60
_MAX_NODES = 200_000


def boundaries_of(tree: Tree) -> Boundaries:
    """For a stretch of lines: each line on which a node is the first thing, with the depth of that node."""

    def between(first: int, last: int) -> list[tuple[int, int]]:
        depths: dict[int, int] = {}
        whole = tree.root_node.descendant_for_point_range((first - 1, 0), (last, 0)) or tree.root_node
        cursor = whole.walk()
        depth = 0
        steps = 0
        while steps < _MAX_NODES:
            steps += 1
            node = cursor.node
            assert node is not None
            top, bottom = node.start_point.row + 1, node.end_point.row + 1
            if node.is_named and first < top <= last:
                depths.setdefault(top, depth)
            is_worth = top < bottom and bottom > first and top <= last and depth < _MAX_DEPTH
            if is_worth and not node.type.endswith("string") and cursor.goto_first_child():
                depth += 1
                continue
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return sorted(depths.items())
                depth -= 1
        return sorted(depths.items())

    return between
