"""Wraps text at a width."""


def first_words(words, width):
    """As many words as fit, and the rest."""
    used = 0
    for index, word in enumerate(words):
        used += len(word) + 1
        if used > width:
            return words[:index], words[index + 1 :]
    return words, []


def wrap(text, width):
    lines, rest = [], text.split()
    while rest:
        line, rest = first_words(rest, width)
        lines.append(" ".join(line))
    return lines
