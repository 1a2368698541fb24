from cache.lru import Cache

squares = Cache(10).with_loader(lambda number: number * number)
print(squares.get(4))
