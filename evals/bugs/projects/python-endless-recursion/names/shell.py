from names.aliases import known, resolve


def run(line):
    name, *arguments = line.split()
    if not known(name):
        return f"{name}: unknown"
    return f"{resolve(name)} {' '.join(arguments)}".strip()
