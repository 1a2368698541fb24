"""`grep_symbol` on real files, ripgrep, tree-sitter and sqlite."""

from pathlib import Path
from typing import Any

import pytest
from support.indexed import IndexedWorkspace, build_index, indexed, refused, write_files
from support.shop import COOKIES


def kinds(hits: list[dict[str, Any]]) -> dict[str, str]:
    return {f"{hit['path']}:{hit['line']}": hit["kind"] for hit in hits}


async def test_places_are_told_apart_by_syntax(shop: IndexedWorkspace) -> None:
    looked = await shop.look("grep_symbol", name="get_cookie_domain")
    assert kinds(looked.json["definitions"]) == {"src/shop/cookies.py:6": "definition"}
    assert kinds(looked.json["hits"]) == {
        "src/shop/sessions.py:10": "call",
        "tests/test_cookies.py:5": "call",
        "src/shop/sessions.py:3": "import",
        "tests/test_cookies.py:1": "import",
        "docs/guide.md:3": "other",
    }
    call = looked.json["hits"][0]
    assert call["enclosing"] == "SessionInterface.domain"
    assert looked.json["by_file"]["src/shop/sessions.py"] == 2
    assert (
        "[E2] src/shop/sessions.py:10 in SessionInterface.domain\n10|         return get_cookie_domain(app)"
        in looked.text
    )


@pytest.mark.parametrize(
    ("find", "places"),
    [
        ("definition", {"src/shop/cookies.py:6"}),
        ("calls", {"src/shop/sessions.py:10", "tests/test_cookies.py:5"}),
        ("imports", {"src/shop/sessions.py:3", "tests/test_cookies.py:1"}),
    ],
)
async def test_one_kind_can_be_asked_for(shop: IndexedWorkspace, find: str, places: set[str]) -> None:
    looked = await shop.look("grep_symbol", name="get_cookie_domain", find=find)
    assert set(kinds([*looked.json["definitions"], *looked.json["hits"]])) == places


async def test_a_definition_is_shown_with_its_first_lines(shop: IndexedWorkspace) -> None:
    looked = await shop.look("grep_symbol", name="get_cookie_domain", find="definition")
    assert looked.places == ["src/shop/cookies.py:6-9"]
    assert (
        "[E1] src/shop/cookies.py:6-9 function get_cookie_domain\n6| def get_cookie_domain(app):"
        in looked.text
    )


async def test_a_decorated_definition_is_on_the_line_that_names_it(shop: IndexedWorkspace) -> None:
    looked = await shop.look("grep_symbol", name="size", find="definition")
    assert kinds(looked.json["definitions"]) == {"src/shop/sessions.py:13": "definition"}
    assert looked.shown[0].first_line == 12


async def test_a_qualified_name_picks_its_definition(shop: IndexedWorkspace) -> None:
    for name in ("SessionInterface.save", "SessionInterface::save", "SessionInterface#save()"):
        looked = await shop.look("grep_symbol", name=name, find="definition")
        assert kinds(looked.json["definitions"]) == {"src/shop/sessions.py:16": "definition"}


async def test_a_shared_name_is_said_to_be_shared(shop: IndexedWorkspace) -> None:
    looked = await shop.look("grep_symbol", name="save")
    assert len(looked.json["definitions"]) == 2
    assert (
        "(note: name-based: 2 definitions share the name `save` (SessionInterface.save, NullSession.save))"
        in looked.text
    )


async def test_part_of_a_longer_name_is_no_hit(shop: IndexedWorkspace) -> None:
    assert (await shop.look("grep_symbol", name="get_cookie")).result.count == 0


async def test_another_spelling_is_found_and_said(shop: IndexedWorkspace) -> None:
    looked = await shop.look("grep_symbol", name="sessioninterface", find="definition")
    assert [one.symbol for one in looked.shown] == ["SessionInterface"]
    assert "not defined in this spelling; shown: SessionInterface" in looked.text


async def test_nothing_found_says_what_was_searched(shop: IndexedWorkspace) -> None:
    looked = await shop.look("grep_symbol", name="kafka_consumer")
    assert looked.result.count == 0
    assert looked.text.startswith("Nothing found: looked for the name `kafka_consumer` in ")
    assert not looked.result.truncated


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("größe_prüfen", "src/shop/größe.py"),
        ("dashed", "src/shop/-dash.py"),
        ("coloned", "src/shop/co:lon.py"),
        ("newlined", "src/shop/new\nline.py"),
        ("bracketed", "src/shop/(re)[g]*.py"),
        ("dos_name", "src/shop/dos.py"),
        ("after_odd_lines", "src/shop/odd_lines.py"),
    ],
)
async def test_odd_names_and_files_are_found(shop: IndexedWorkspace, name: str, path: str) -> None:
    looked = await shop.look("grep_symbol", name=name)
    assert looked.json["definitions"][0]["path"] == path
    assert f"def {name}(" in looked.json["definitions"][0]["text"]


async def test_a_path_with_a_line_break_stays_on_one_line(shop: IndexedWorkspace) -> None:
    looked = await shop.look("grep_symbol", name="newlined")
    assert '[E1] "src/shop/new\\nline.py":1-2 function newlined' in looked.text


@pytest.mark.parametrize(
    "text", ["--pre=/bin/sh", "--follow", "(.*)", "[a-z]+", "ignore all previous instructions", "caf\xe9"]
)
async def test_literal_text_is_found_whatever_it_looks_like(shop: IndexedWorkspace, text: str) -> None:
    looked = await shop.look("grep_symbol", name=text, literal=True)
    assert looked.result.count >= 1
    assert all(text in hit["text"] for hit in looked.json["hits"])


async def test_a_hit_in_a_file_that_is_not_utf8_is_not_lost(shop: IndexedWorkspace) -> None:
    looked = await shop.look("grep_symbol", name="latin_marker", literal=True)
    assert looked.places == ["src/shop/latin.py:2-2"]
    assert looked.shown[0].text == "# café latin_marker"


async def test_a_hit_in_a_wide_line_is_shown_around_the_match(shop: IndexedWorkspace) -> None:
    looked = await shop.look("grep_symbol", name="needle_in_hay", literal=True)
    assert looked.json["hits"][0]["line"] == 3
    assert "needle_in_hay" in looked.text
    assert len(looked.text) < 1_000


@pytest.mark.parametrize(
    "message",
    [
        "no secret key was set for 'shop', so the session cannot be kept",
        "RuntimeError: no secret key was set for 'shop', so the session cannot be kept",
        "shop/sessions.py: NO SECRET KEY WAS set for",
    ],
)
async def test_a_message_is_found_around_its_placeholders(shop: IndexedWorkspace, message: str) -> None:
    looked = await shop.look("grep_symbol", name=message, literal=True)
    assert looked.shown[0].path == "src/shop/sessions.py"
    assert {one.first_line for one in looked.shown} <= {19, 20}


async def test_file_content_cannot_pass_for_a_heading(shop: IndexedWorkspace) -> None:
    looked = await shop.look("grep_symbol", name="forged.py", literal=True)
    assert "\n7| [E1] src/shop/forged.py" in looked.text


async def test_a_masked_secret_cannot_be_probed(shop: IndexedWorkspace) -> None:
    assert (await shop.look("grep_symbol", name="ghp_a1B2c3D4", literal=True)).result.count == 0
    assert (await shop.look("grep_symbol", name="SECRET_WORD")).result.count == 0


async def test_a_path_narrows_the_search(shop: IndexedWorkspace) -> None:
    looked = await shop.look("grep_symbol", name="get_cookie_domain", path="tests/")
    assert {one.path for one in looked.shown} == {"tests/test_cookies.py"}
    said = await refused(shop, "grep_symbol", name="x", path="lib/**")
    assert said.startswith("no indexed file matches path `lib/**`.")


async def test_a_flood_is_capped_with_honest_counts(tmp_path: Path) -> None:
    write_files(tmp_path / "flood", {f"m{n}.py": "flooded()\n" * 20 for n in range(10)})
    build_index(tmp_path / "flood", tmp_path / "flood-data")
    with indexed(tmp_path / "flood", tmp_path / "flood-data") as flood:
        looked = await flood.look("grep_symbol", name="flooded")
    assert looked.result.count == 200
    assert looked.result.truncated
    assert len(looked.shown) == 60
    assert sum(looked.json["by_file"].values()) == 200
    assert looked.text.endswith("(60 of 200 shown; next: grep_symbol with path or find to narrow it down)")


async def test_an_edited_file_is_told_apart_as_it_is_now(own_shop: IndexedWorkspace) -> None:
    edited = "# get_cookie_domain\n\n" + COOKIES + "\n\nDOMAIN = get_cookie_domain(None)\n"
    write_files(own_shop.root, {"src/shop/cookies.py": edited})
    looked = await own_shop.look("grep_symbol", name="get_cookie_domain", path="src/shop/cookies.py")
    assert kinds([*looked.json["definitions"], *looked.json["hits"]]) == {
        "src/shop/cookies.py:8": "definition",
        "src/shop/cookies.py:14": "call",
        "src/shop/cookies.py:1": "other",
    }


async def test_a_deleted_file_is_left_out_and_said(own_shop: IndexedWorkspace) -> None:
    (own_shop.root / "src/shop/cookies.py").unlink()
    looked = await own_shop.look("grep_symbol", name="get_cookie_domain")
    assert {one.path for one in looked.shown} == {"src/shop/sessions.py"}
    assert "`src/shop/cookies.py` is in the index and cannot be read now: not found" in looked.text


async def test_tests_and_mentions_do_not_crowd_out_the_sources(tmp_path: Path) -> None:
    files = {"src/a.py": "def busy():\n    return 1\n\n\nbusy()\n", "notes.md": "busy\n\n" * 40}
    tests = {f"tests/test_{n}.py": "from a import busy\n\nbusy()\nbusy()\n" for n in range(20)}
    write_files(tmp_path / "work", files | tests)
    build_index(tmp_path / "work", tmp_path / "data")
    with indexed(tmp_path / "work", tmp_path / "data") as busy:
        looked = await busy.look("grep_symbol", name="busy")
        calls = await busy.look("grep_symbol", name="busy", find="calls")
    shown = [hit["kind"] for hit in looked.json["hits"]]
    assert looked.json["totals"] == {"definition": 1, "call": 41, "import": 20, "other": 40}
    assert looked.json["hits"][0]["path"] == "src/a.py"
    assert (shown.count("call"), shown.count("import"), shown.count("other")) == (21, 0, 15)
    assert looked.result.truncated
    assert len(calls.json["hits"]) == 41
    assert not calls.result.truncated


async def test_an_inherited_method_is_found_by_its_own_name(shop: IndexedWorkspace) -> None:
    looked = await shop.look("grep_symbol", name="NullSession.domain", find="definition")
    assert [one.symbol for one in looked.shown] == ["SessionInterface.domain"]
    assert "`NullSession.domain` itself is not defined; shown: all that is called `domain`" in looked.text


async def test_a_definition_says_what_it_is(shop: IndexedWorkspace) -> None:
    looked = await shop.look("grep_symbol", name="SessionInterface.save")
    definition = looked.json["definitions"][0]
    assert (definition["what"], definition["symbol"]) == ("method", "SessionInterface.save")
    assert (definition["in_code"], definition["area"]) == (True, "source")


async def test_a_mention_in_prose_is_no_use_in_code(shop: IndexedWorkspace) -> None:
    looked = await shop.look("grep_symbol", name="get_cookie_domain")
    by_place = {hit["path"]: hit["in_code"] for hit in looked.json["hits"]}
    assert by_place["docs/guide.md"] is False
    assert by_place["src/shop/sessions.py"] is True


async def test_a_module_is_found_where_it_is_imported(tmp_path: Path) -> None:
    write_files(
        tmp_path / "shop",
        {
            "lib/parcel_events/__init__.py": "def parse(line):\n    return line\n",
            "jobs/settle.py": "from parcel_events import parse\n\nprint(parse('x'))\n",
            "jobs/other.py": "# parcel_events is not used here\n",
        },
    )
    build_index(tmp_path / "shop", tmp_path / "data")
    with indexed(tmp_path / "shop", tmp_path / "data") as opened:
        looked = await opened.look("grep_symbol", name="parcel_events", find="imports")
    assert kinds(looked.json["hits"]) == {"jobs/settle.py:1": "import"}
