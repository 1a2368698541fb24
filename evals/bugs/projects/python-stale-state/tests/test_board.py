from game.board import Board


def test_an_empty_board_has_no_pieces():
    assert Board(3).count("x") == 0


def test_one_piece_is_counted_once():
    board = Board(3)
    board.put(1, 1, "x")
    assert board.count("x") == 1
