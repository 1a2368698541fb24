from release.notes import headline

print(headline(["1.9.0", "1.10.0"]))
print(headline(["1.10.0", "v1.11.0"]))
