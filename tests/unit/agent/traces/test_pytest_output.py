"""What pytest prints of a failing test, in each of its styles."""

from agent.traces import read_report

LONG = """\
=================================== FAILURES ===================================
_______________________________ test_total[eur] ________________________________

currency = 'eur'

    def test_total(currency):
>       assert total([1, 2], currency) == 4

tests/test_cart.py:7:
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _

prices = [1, 2], currency = 'eur'

    def total(prices, currency):
>       raise ValueError(currency)
E       ValueError: eur

shop/cart.py:3: ValueError
=========================== short test summary info ============================
FAILED tests/test_cart.py::test_total[eur] - ValueError: eur
"""
SHORT = """\
=================================== FAILURES ===================================
__________________________________ test_total __________________________________
tests/test_cart.py:7: in test_total
    assert total([1, 2]) == 4
E   assert 3 == 4
E    +  where 3 = total([1, 2])
"""
LINE = """\
=================================== FAILURES ===================================
/app/tests/test_cart.py:7: AssertionError: assert 3 == 4
=========================== short test summary info ============================
"""


def places(text):
    failure = read_report(text).decisive
    assert failure is not None
    return [(frame.path, frame.line, frame.function, frame.quoted) for frame in failure.frames]


def test_long_style_names_each_frame_below_its_source():
    assert places(LONG) == [
        ("tests/test_cart.py", 7, "test_total", "assert total([1, 2], currency) == 4"),
        ("shop/cart.py", 3, "total", "raise ValueError(currency)"),
    ]
    report = read_report(LONG)
    assert report.decisive is not None
    assert report.decisive.headline == "ValueError: eur"
    assert "currency = 'eur'" in report.values
    assert report.tests == ("test_total[eur]", "tests/test_cart.py::test_total[eur]")


def test_short_style_names_each_frame_above_its_source():
    assert places(SHORT) == [("tests/test_cart.py", 7, "test_total", "assert total([1, 2]) == 4")]
    report = read_report(SHORT)
    assert report.decisive is not None
    assert report.decisive.type == "AssertionError"
    assert report.values == ("assert 3 == 4", "+  where 3 = total([1, 2])")


def test_line_style_has_place_and_message_on_one_line():
    assert places(LINE) == [("/app/tests/test_cart.py", 7, "", "")]


def test_of_several_failing_tests_the_first_is_explained():
    text = SHORT + SHORT.replace("test_total", "test_other").replace(":7:", ":17:")
    assert places(text)[0][1] == 7
    assert len(read_report(text).failures) == 2
