"""`semantic_search` on real files, ripgrep, tree-sitter and sqlite."""

from pathlib import Path

from support.indexed import IndexedWorkspace, build_index, indexed, refused, write_files
from support.shop import COOKIES

from tools.semantic_search import SearchResults


async def test_the_best_place_is_shown_with_its_lines(shop: IndexedWorkspace) -> None:
    looked = await shop.look("semantic_search", queries=["Which domain are cookies set for?"])
    first = looked.json["results"][0]
    assert first["qualified_name"] == "get_cookie_domain"
    assert first["text"].startswith("def get_cookie_domain(app):")
    assert (
        "[E1] src/shop/cookies.py:6-9 function get_cookie_domain\n6| def get_cookie_domain(app):"
        in looked.text
    )


async def test_several_phrasings_are_asked_at_once(shop: IndexedWorkspace) -> None:
    looked = await shop.look("semantic_search", queries=["cookie domain", "retry the request"], limit=20)
    names = {one["qualified_name"] for one in looked.json["results"]}
    assert {"get_cookie_domain", "App.retry"} <= names


async def test_words_that_no_source_holds_are_named(shop: IndexedWorkspace) -> None:
    looked = await shop.look("semantic_search", queries=["kafka consumer offset"])
    assert "kafka" in looked.json["missing"]
    assert "No source file holds: kafka" in looked.text


async def test_in_another_order_nothing_is_invented_and_the_best_three_stay_in_sight(
    shop: IndexedWorkspace,
) -> None:
    with indexed(shop.root, shop.root.parent / "data", spare=6) as opened:
        found = (await opened.look("semantic_search", queries=["cookie domain"], limit=4)).result
    assert isinstance(found, SearchResults)
    assert (found.count, len(found.candidates)) == (4, 9)
    backwards = range(8, -1, -1)
    turned = found.in_order(backwards)
    assert sorted(turned.candidates) == sorted(found.candidates)
    assert list(turned.results) == [found.ranked[at] for at in (8, 2, 1, 0)]
    assert found.in_order(range(9)) == found


async def test_filters_narrow_and_wrong_ones_are_refused(shop: IndexedWorkspace) -> None:
    looked = await shop.look("semantic_search", queries=["cookie domain"], area="tests")
    assert {one.path for one in looked.shown} == {"tests/test_cookies.py"}
    assert "there are: markdown, python" in await refused(
        shop, "semantic_search", queries=["x"], language="pyton"
    )
    assert "no indexed file matches path" in await refused(shop, "semantic_search", queries=["x"], path="lib")


async def test_a_long_chunk_is_clipped_around_the_words(tmp_path: Path) -> None:
    body = [f"    step_{n} = {n}" for n in range(100)]
    body[70] = "    walrus = hippopotamus()"
    write_files(tmp_path / "long", {"zoo.py": "\n".join(["def feed_animals(keeper):", *body, ""])})
    build_index(tmp_path / "long", tmp_path / "long-data")
    with indexed(tmp_path / "long", tmp_path / "long-data") as zoo:
        looked = await zoo.look("semantic_search", queries=["hippopotamus walrus"])
    (shown,) = looked.shown
    assert "hippopotamus" in shown.text
    assert len(shown.lines()) == 25
    assert "(of lines 1-101)" in looked.text
    assert "in: def feed_animals(keeper)" in looked.text
    assert shown.header == "def feed_animals(keeper)"


async def test_an_edited_file_is_shown_where_the_code_is_now(own_shop: IndexedWorkspace) -> None:
    write_files(own_shop.root, {"src/shop/cookies.py": "# added\n" * 5 + COOKIES})
    looked = await own_shop.look("semantic_search", queries=["get_cookie_domain"])
    first = looked.json["results"][0]
    assert (first["path"], first["first_line"], first["last_line"]) == ("src/shop/cookies.py", 11, 14)


async def test_a_rewritten_definition_is_found_by_its_name(own_shop: IndexedWorkspace) -> None:
    rewritten = "\n\n" + COOKIES.replace("return app", "domain = app").replace("cookies are", "they are")
    write_files(own_shop.root, {"src/shop/cookies.py": rewritten + "    return domain\n"})
    looked = await own_shop.look("semantic_search", queries=["get_cookie_domain"])
    first = looked.json["results"][0]
    assert (first["first_line"], first["last_line"]) == (8, 12)


async def test_a_file_that_is_gone_is_dropped_and_counted(own_shop: IndexedWorkspace) -> None:
    (own_shop.root / "src/shop/cookies.py").unlink()
    looked = await own_shop.look("semantic_search", queries=["get_cookie_domain"], limit=20)
    assert "src/shop/cookies.py" not in {one.path for one in looked.shown}
    assert looked.json["gone"] >= 1
    assert "are in files that are gone or can no longer be read" in looked.text


async def test_a_result_too_large_is_cut_with_the_next_call(tmp_path: Path) -> None:
    line = "    walrus_{0} = 'w" + "x" * 150 + "'"
    chunk = "\n".join(line.format(n) for n in range(25))
    write_files(tmp_path / "work", {f"zoo{n}.py": f"def feed_{n}():\n{chunk}\n" for n in range(12)})
    build_index(tmp_path / "work", tmp_path / "data")
    with indexed(tmp_path / "work", tmp_path / "data") as zoo:
        looked = await zoo.look("semantic_search", queries=["walrus"], limit=12)
    assert looked.result.truncated
    assert len(looked.text) < 26_000
    assert "(cut for size; next: read_file_lines on zoo" in looked.text
