from jobs.plan import batch_size, schedule


def test_work_is_split_evenly():
    assert schedule([1, 2, 3, 4], 2) == {0: [1, 2], 1: [3, 4]}


def test_a_batch_is_a_share_of_the_items():
    assert batch_size(range(8), 4) == 2
