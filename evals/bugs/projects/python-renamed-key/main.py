from weather.summary import summary

print(summary([("north", 3), ("north", 5), ("south", 9)]))
