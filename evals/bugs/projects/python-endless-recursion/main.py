from names.shell import run

for line in ("rm a.txt", "ll -a"):
    print(run(line))
