from dataclasses import dataclass

from shipping.offers import shipping


@dataclass
class Order:
    total: int
    member: bool = False
    friend: bool = False

    def to_pay(self):
        return self.total + shipping(self)
