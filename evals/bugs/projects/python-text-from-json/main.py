from orders.stock import reserve

print(reserve('{"lines": [{"article": "pen", "quantity": 2}]}'))
print(reserve('{"lines": [{"article": "pen", "quantity": "2"}, {"article": "ink", "quantity": "1"}]}'))
