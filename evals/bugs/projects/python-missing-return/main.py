from geo.planner import describe

print(describe(["a", "b", "c"], ["b"]))
print(describe(["a", "b", "c"], ["x"]))
