"""Kinds of failures, by what exceptions say in each language."""

import pytest

from agent.backends.extractive.explaining.faults import fault_of
from agent.traces.report import Failure, Frame, Report


def kind(type_, message, quoted=""):
    fault = fault_of(Report("", "python", (Failure(type_, message, (Frame("a.py", 1, "f", quoted),)),)))
    assert fault is not None
    return fault.kind


@pytest.mark.parametrize(
    ("type_", "message", "expected"),
    [
        ("AttributeError", "'NoneType' object has no attribute 'x'", "nothing"),
        ("TypeError", "Cannot read properties of undefined (reading 'x')", "nothing"),
        ("panic", "runtime error: invalid memory address or nil pointer dereference", "nothing"),
        ("panic", "called `Option::unwrap()` on a `None` value", "nothing"),
        ("java.lang.NullPointerException", "", "nothing"),
        ("panic", "assignment to entry in nil map", "unmade_map"),
        ("panic", "already mutably borrowed: BorrowError", "borrowed"),
        ("KeyError", "'timeout'", "key"),
        ("IndexError", "list index out of range", "bounds"),
        ("panic", "runtime error: slice bounds out of range [:-1]", "bounds"),
        ("java.lang.ArrayIndexOutOfBoundsException", "Index 3 out of bounds for length 3", "bounds"),
        ("TypeError", "'coroutine' object is not subscriptable", "not_awaited"),
        ("TypeError", "unsupported operand type(s) for +=: 'int' and 'str'", "type"),
        ("java.lang.ClassCastException", "class a cannot be cast to class b", "type"),
        ("UnicodeDecodeError", "'utf-8' codec can't decode byte 0xfc", "encoding"),
        ("TypeError", "can't compare offset-naive and offset-aware datetimes", "time_zone"),
        ("ZeroDivisionError", "division by zero", "zero"),
        ("ValueError", "I/O operation on closed file.", "closed"),
        ("RuntimeError", "dictionary changed size during iteration", "changed"),
        ("java.util.ConcurrentModificationException", "", "changed"),
        ("RecursionError", "maximum recursion depth exceeded", "recursion"),
        ("AssertionError", "assert 3 == 4", "value"),
        ("shop.BookingRefused", "too early", "other"),
    ],
)
def test_the_kind_is_read_from_what_is_said(type_, message, expected):
    assert kind(type_, message) == expected


def test_undefined_read_through_this_is_a_lost_this():
    message = "Cannot read properties of undefined (reading 'count')"
    assert kind("TypeError", message, "this.count += 1;") == "lost_this"


def test_a_text_without_a_failure_has_no_kind():
    assert fault_of(Report("only words")) is None
