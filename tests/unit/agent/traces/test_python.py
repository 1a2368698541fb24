"""Python's tracebacks: plain, prefixed, chained, grouped, cut short."""

from agent.traces import read_report

PLAIN = """\
Traceback (most recent call last):
  File "/app/main.py", line 9, in <module>
    print(total(orders))
          ^^^^^^^^^^^^^
  File "/app/shop/cart.py", line 4, in total
    return sum(order["price"] for order in orders)
  File "/app/shop/cart.py", line 4, in <genexpr>
    return sum(order["price"] for order in orders)
               ~~~~~^^^^^^^^^
KeyError: 'price'
"""


def frames(text):
    failure = read_report(text).decisive
    assert failure is not None
    return [(frame.path, frame.line, frame.function) for frame in failure.frames]


def test_frames_run_from_the_outermost_call_to_the_failing_line():
    report = read_report(PLAIN)
    assert report.language == "python"
    assert report.decisive is not None
    assert report.decisive.headline == "KeyError: 'price'"
    assert frames(PLAIN) == [
        ("/app/main.py", 9, "<module>"),
        ("/app/shop/cart.py", 4, "total"),
        ("/app/shop/cart.py", 4, "<genexpr>"),
    ]
    assert report.decisive.frames[-1].quoted == 'return sum(order["price"] for order in orders)'


def test_what_loggers_and_containers_put_before_a_line_changes_nothing():
    prefixes = (
        "web-1  | ",
        "2024-05-02T08:15:42.118Z ",
        "[2024-05-02 08:15:42,118] [ERROR] ",
        "May  2 08:15:42 host app[123]: ",
        "2024-05-02T08:15:42Z stderr F ",
        "\x1b[31m",
    )
    for prefix in prefixes:
        text = "".join(f"{prefix}{line}\n" for line in PLAIN.splitlines())
        assert frames(text) == frames(PLAIN), prefix
        assert read_report(text).decisive == read_report(PLAIN).decisive


def test_windows_line_ends_and_paths_are_read():
    text = PLAIN.replace("/app/", "C:\\code\\").replace("\n", "\r\n")
    assert frames(text)[-1][:2] == ("C:\\code\\shop/cart.py", 4)


CHAINED = """\
Traceback (most recent call last):
  File "/app/a.py", line 2, in load
    return table[name]
KeyError: 'x'

{marker}

Traceback (most recent call last):
  File "/app/main.py", line 9, in <module>
    load("x")
  File "/app/a.py", line 4, in load
    {handler}
{last}
"""
CAUSE = "The above exception was the direct cause of the following exception:"
CONTEXT = "During handling of the above exception, another exception occurred:"


def test_the_root_of_a_chain_of_causes_decides():
    report = read_report(
        CHAINED.format(marker=CAUSE, handler='raise ConfigError("x") from error', last="ConfigError: x")
    )
    assert [failure.type for failure in report.failures] == ["KeyError", "ConfigError"]
    assert report.decisive == report.failures[0]


def test_a_failure_raised_while_handling_another_leads_back_to_it():
    report = read_report(CHAINED.format(marker=CONTEXT, handler='raise Missing("x")', last="Missing: x"))
    assert report.decisive == report.failures[0]


def test_a_handler_that_fails_by_itself_is_what_is_explained():
    report = read_report(
        CHAINED.format(marker=CONTEXT, handler="log(nam)", last="NameError: name 'nam' is not defined")
    )
    assert report.decisive == report.failures[1]


def test_of_an_exception_group_the_first_member_decides():
    text = """\
  + Exception Group Traceback (most recent call last):
  |   File "/app/main.py", line 5, in <module>
  |     asyncio.run(all())
  | ExceptionGroup: unhandled errors in a TaskGroup (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/app/view.py", line 7, in heading
    |     return record["name"]
    |            ~~~~~~^^^^^^^^
    | TypeError: 'coroutine' object is not subscriptable
    +---------------- 2 ----------------
    | Traceback (most recent call last):
    |   File "/app/other.py", line 3, in other
    |     1 / 0
    | ZeroDivisionError: division by zero
    +------------------------------------
"""
    report = read_report(text)
    assert [failure.type for failure in report.failures] == [
        "TypeError",
        "ZeroDivisionError",
        "ExceptionGroup",
    ]
    assert report.decisive == report.failures[0]
    assert frames(text) == [("/app/view.py", 7, "heading")]


def test_a_message_may_have_several_lines():
    text = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    g()\nValueError: first\nsecond\n\nrest'
    report = read_report(text)
    assert report.decisive is not None
    assert report.decisive.message == "first\nsecond"
    assert report.decisive.headline == "ValueError: first"


def test_a_traceback_without_its_beginning_or_its_end_still_has_frames():
    lines = PLAIN.splitlines()
    assert frames("\n".join(lines[4:])) == frames(PLAIN)[1:]
    assert frames("\n".join(lines[:-1])) == frames(PLAIN)


def test_a_syntax_error_has_the_place_it_names():
    text = '  File "/app/a.py", line 3\n    def f(:\n          ^\nSyntaxError: invalid syntax\n'
    assert frames(text) == [("/app/a.py", 3, "")]


def test_sentences_around_a_traceback_are_kept_apart():
    report = read_report(f"Hola, esto falla cada noche en producción:\n\n{PLAIN}")
    assert report.prose == "Hola, esto falla cada noche en producción:"
    assert read_report(PLAIN).prose == ""
