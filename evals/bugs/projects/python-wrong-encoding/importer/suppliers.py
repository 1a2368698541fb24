import csv

from importer.files import open_export


def supplier_names(path):
    names = []
    with open_export(path) as handle:
        for row in csv.reader(handle, delimiter=";"):
            names.append(row[0])
    return names


def report(path):
    names = supplier_names(path)
    return f"{len(names)} suppliers, the first is {names[0]}"
