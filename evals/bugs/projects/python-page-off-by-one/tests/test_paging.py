from catalogue.paging import cut, page_count


def test_a_part_of_a_page_counts():
    assert page_count(41, 10) == 5


def test_items_are_cut_in_order():
    assert cut([1, 2, 3], 2) == [[1, 2], [3]]
