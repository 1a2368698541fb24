from logs.summary import summary

with open("/tmp/service.log", "w", encoding="utf-8") as handle:
    handle.write("10:00 INFO start\n\n10:01 ERROR disk full\n")

print(summary("/tmp/service.log"))
