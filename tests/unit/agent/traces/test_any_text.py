"""Whatever the text: reading it never raises, and takes time in proportion to its length."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.traces import read_report

PIECES = st.sampled_from(
    [
        "Traceback (most recent call last):",
        '  File "/app/a.py", line 3, in f',
        "    return x",
        "E   assert 1 == 2",
        ">   x = 1",
        "tests/test_a.py:3: AssertionError",
        "____ test_a ____",
        "FAILED tests/test_a.py::test_a - x",
        "    at f (/app/a.js:1:2)",
        " ❯ src/a.ts:1:2",
        "  [cause]: TypeError: x",
        "panic: x",
        "goroutine 1 [running]:",
        "main.main()",
        "\t/app/main.go:3 +0x1",
        "--- FAIL: TestX (0.00s)",
        "thread 'main' panicked at src/a.rs:1:2:",
        "   0: a::b",
        "             at ./src/a.rs:1:2",
        "error[E0001]: x",
        " --> src/a.rs:1:2",
        "Caused by: java.lang.X: y",
        "\tat a.B.c(B.java:1)",
        "src/B.java:1: error: x",
        "  | ",
        "    +---------------- 1 ----------------",
        "The above exception was the direct cause of the following exception:",
        "During handling of the above exception, another exception occurred:",
        "",
    ]
)


@given(st.text(max_size=400))
def test_any_text_is_read(text):
    report = read_report(text)
    assert report.text == text


@given(st.lists(st.one_of(PIECES, st.text(max_size=40)), max_size=40))
def test_any_mixture_of_pieces_is_read(lines):
    report = read_report("\n".join(lines))
    for failure in report.failures:
        assert all(frame.line >= 0 for frame in failure.frames)
    assert (report.decisive is None) == (not report.failures)


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("a" * 4000, id="letters"),
        pytest.param("(" * 2000, id="brackets"),
        pytest.param("at " * 900, id="at"),
        pytest.param("a.b" * 900, id="dots"),
        pytest.param("E" + " " * 3000, id="blanks"),
        pytest.param("x/" * 1500 + "y.py:1", id="path"),
        pytest.param("| " * 1500, id="bars"),
        pytest.param("[" * 3000, id="square"),
        pytest.param("File " * 600, id="words"),
    ],
)
def test_hostile_lines_cost_little(line):
    started = time.process_time()
    read_report("\n".join([line] * 40))
    assert time.process_time() - started < 5
