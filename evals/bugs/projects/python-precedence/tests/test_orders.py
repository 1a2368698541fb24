from shipping.orders import Order


def test_a_small_order_of_a_member_pays_shipping():
    assert Order(total=20, member=True).to_pay() == 27
