from shop.prices import discounted, with_tax


def subtotal(prices):
    return sum(prices)


def total(prices, voucher=0):
    """What the customer pays."""
    amount = subtotal(prices)
    if voucher:
        amount = discounted(voucher, amount)
    return with_tax(amount)
