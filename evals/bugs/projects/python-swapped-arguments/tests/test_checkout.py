from shop.checkout import subtotal, total


def test_the_total_without_a_voucher_holds_the_tax():
    assert subtotal([1000, 500]) == 1500
    assert total([1000, 500]) == 1800


def test_a_voucher_is_taken_off_before_the_tax():
    assert total([1000, 1000], voucher=10) == 2160
