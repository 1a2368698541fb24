from survey.answers import average, spread


def test_the_spread():
    assert spread(["3", "9", "-"]) == 6


def test_the_average_leaves_out_what_is_no_number():
    assert average(["2", "4", "none"]) == 3
