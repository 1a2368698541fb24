import pytest

from tools.search_pattern import Symbol, exact, shared_words, whole, windows


@pytest.mark.parametrize(
    ("written", "qualified_name"),
    [
        ("get_user", "get_user"),
        ("get_user()", "get_user"),
        ("`Session.get`", "Session.get"),
        ("crate::config::Config", "crate.config.Config"),
        ("Session#get", "Session.get"),
        ("ptr->field", "ptr.field"),
        ("def get_user", "get_user"),
        ("async def get_user", "get_user"),
        ("class Session", "Session"),
        ("pub fn run", "run"),
        ("größe", "größe"),
        ("$store", "$store"),
        ("empty?", "empty?"),
    ],
)
def test_a_symbol_is_read_as_people_write_it(written: str, qualified_name: str) -> None:
    symbol = Symbol(written)
    assert symbol.is_name
    assert symbol.qualified_name == qualified_name


@pytest.mark.parametrize("written", ["no secret key was set", "...", "()", "!=", "  "])
def test_what_is_no_name_is_text(written: str) -> None:
    assert not Symbol(written).is_name


@pytest.mark.parametrize(
    ("name", "line", "found"),
    [
        ("get", "x.get()", True),
        ("get", "get_all()", False),
        ("get", "target", False),
        ("größe", "self.größe = 1", True),
        ("größe", "größer", False),
        ("$store", "let a = $store;", True),
        ("empty?", "return empty?", True),
        ("a+b", "aab", False),
    ],
)
def test_a_name_is_found_as_a_whole_word_only(name: str, line: str, found: bool) -> None:
    assert (Symbol(name).pattern().find(line) is not None) is found


def test_text_is_found_as_it_stands_whatever_it_holds() -> None:
    text = r"a(b)[c]{d}*+?.^$|\e -x #&~"
    assert exact(text).find(f"before {text} after") == 7
    assert exact("a.c").find("abc") is None
    assert whole("fmt.Errorf").find("return fmt.Errorf(x)") == 7
    assert whole("fmt.Errorf").find("myfmt.Errorf(x)") is None


def test_upper_and_lower_case_can_be_alike() -> None:
    assert exact("No Key").any_case().find("there is no key") == 9
    assert exact("No Key").find("there is no key") is None


def test_a_message_is_found_around_its_placeholders() -> None:
    message = "RuntimeError: no route for 'GET' on host example.com was registered yet"
    source = 'raise RuntimeError(f"no route for {method!r} on host {host} was registered yet")'
    assert any(pattern.find(source) is not None for pattern in windows(message))


def test_runs_of_short_words_alone_are_not_looked_for() -> None:
    assert list(windows("a b c d e")) == []


def test_the_number_of_runs_is_bounded() -> None:
    patterns = list(windows(" ".join(f"word{n}" for n in range(500))))
    assert all(len(pattern.regex) <= 1_000 for pattern in patterns)


def test_shared_words_count_each_word_once() -> None:
    assert shared_words("The key is missing", 'raise KeyMissing("the key key is gone")') == 3
