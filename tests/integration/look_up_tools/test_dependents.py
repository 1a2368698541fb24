"""`dependents` on real files, ripgrep, tree-sitter and sqlite."""

from support.indexed import IndexedWorkspace, write_files
from support.shop import APP


async def test_users_are_followed_through_a_cycle(shop: IndexedWorkspace) -> None:
    looked = await shop.look("grep_symbol", name="get_cookie_domain", find="dependents")
    depths = {one["symbol"]: one["depth"] for one in looked.json["dependents"]}
    assert depths == {
        "SessionInterface.domain": 1,
        "test_domain": 1,
        "App.handle": 2,
        "SessionInterface.save": 2,
        "App.retry": 3,
        "main": 3,
    }
    assert looked.json["dependents"][0]["symbol"] == "SessionInterface.domain"
    assert looked.json["dependents"][-1]["symbol"] == "test_domain"
    assert (
        "tests at depth 1 (1):\n[E7] tests/test_cookies.py:5 test_domain calls get_cookie_domain"
        in looked.text
    )
    assert "\ndepth 2 (2):\n" in looked.text


async def test_a_class_is_depended_on_by_its_subclasses_and_makers(shop: IndexedWorkspace) -> None:
    looked = await shop.look("grep_symbol", name="SessionInterface", find="dependents")
    assert {"NullSession", "App.__init__", "main"} <= {one["symbol"] for one in looked.json["dependents"]}


async def test_every_dependent_shows_the_line_of_its_use(shop: IndexedWorkspace) -> None:
    looked = await shop.look("grep_symbol", name="get_cookie_domain", find="dependents")
    for one, shown in zip(looked.json["dependents"], looked.shown[1:], strict=True):
        assert one["via"] in shown.text
        assert shown.first_line == one["line"] == one["first_line"]


async def test_what_is_not_defined_here_is_answered_with_its_uses(shop: IndexedWorkspace) -> None:
    looked = await shop.look("grep_symbol", name="logging", find="dependents")
    assert {one.path for one in looked.shown} == {"src/shop/cookies.py"}
    assert "`logging` is not defined in this workspace" in looked.text


async def test_a_dependent_that_was_edited_shows_its_use_as_it_is_now(own_shop: IndexedWorkspace) -> None:
    write_files(own_shop.root, {"src/shop/app.py": "# moved\n" * 7 + APP})
    looked = await own_shop.look("grep_symbol", name="SessionInterface.domain", find="dependents")
    lines = {
        one["symbol"]: one["line"] for one in looked.json["dependents"] if one["path"].endswith("app.py")
    }
    assert lines["App.handle"] == 16
