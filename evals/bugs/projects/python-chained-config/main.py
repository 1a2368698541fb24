from deploy.start import start

with open("/tmp/environment", "w", encoding="utf-8") as handle:
    handle.write("ENVIRONMENT=prod\n")

print(start("/tmp/environment"))
