from updates.check import Checker


def test_the_newest_release_is_offered():
    checker = Checker({"shelf": ["1.9.0", "1.10.0"]})
    assert checker.offer("shelf") == "shelf 1.10.0"
