from text.wrap import wrap


def test_short_text_stays_on_one_line():
    assert wrap("one two", 20) == ["one two"]


def test_no_word_is_lost():
    lines = wrap("the quick brown fox jumps", 12)
    assert " ".join(lines) == "the quick brown fox jumps"
