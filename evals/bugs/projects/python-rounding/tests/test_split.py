from bill.split import share, split


def test_a_bill_that_divides():
    assert split(900, 3) == [300, 300, 300]


def test_the_shares_add_up():
    assert sum(split(1000, 3)) == 1000
