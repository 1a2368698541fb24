from jobs.plan import schedule

print(schedule(list("abcdefgh"), 4))
print(schedule(list("abc"), 4))
