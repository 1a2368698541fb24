from importer.suppliers import report

with open("/tmp/suppliers.csv", "wb") as handle:
    handle.write("Müller;Köln\nSmith;Leeds\n".encode("cp1252"))

print(report("/tmp/suppliers.csv"))
