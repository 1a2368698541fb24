from release.versions import parse_version


def test_numbers_are_compared_as_numbers():
    assert parse_version("1.10.0") > parse_version("1.9.0")
