"""Answers of a survey."""


def valid(answers):
    """Those that are numbers."""
    return filter(str.isdigit, answers)


def average(answers):
    numbers = valid(answers)
    count = sum(1 for _ in numbers)
    total = sum(int(number) for number in numbers)
    return total / count


def spread(answers):
    numbers = [int(number) for number in valid(answers)]
    return max(numbers) - min(numbers)
