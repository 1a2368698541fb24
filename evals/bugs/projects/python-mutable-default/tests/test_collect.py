from tags.collect import collect, normalise


def test_tags_are_normalised():
    assert normalise(" Python ") == "python"


def test_each_tag_is_collected_once():
    assert collect(["Python", "python "]) == ["python"]


def test_another_article_starts_afresh():
    article = collect(["Rust", "Go"])
    assert article == ["rust", "go"]
