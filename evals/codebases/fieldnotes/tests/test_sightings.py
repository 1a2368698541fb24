from fieldnotes.sightings import Sighting, total


def test_total_counts_all_birds(walk: list[Sighting]) -> None:
    assert total(walk) == 8


def test_total_counts_one_species(walk: list[Sighting]) -> None:
    assert total(walk, "Tern") == 7


def test_total_of_nothing_is_zero() -> None:
    assert total([]) == 0
