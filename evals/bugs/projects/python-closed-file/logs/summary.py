from logs.reading import read_lines


def count_errors(lines):
    count = 0
    for line in lines:
        if " ERROR " in line:
            count += 1
    return count


def summary(path):
    lines = read_lines(path)
    return f"{count_errors(lines)} errors in {path}"
