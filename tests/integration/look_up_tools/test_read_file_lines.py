"""`read_file_lines` on real files, ripgrep, tree-sitter and sqlite."""

import pytest
from support.indexed import IndexedWorkspace, refused, write_files


async def test_lines_come_numbered_with_what_encloses_them(shop: IndexedWorkspace) -> None:
    looked = await shop.look("read_file_lines", path="./src/shop/sessions.py", first_line=10, last_line=10)
    (shown,) = looked.shown
    assert shown.text == "        return get_cookie_domain(app)"
    assert shown.symbol == "SessionInterface.domain"
    assert shown.header == "class SessionInterface\ndef domain(self, app)"
    assert looked.text == (
        "[E1] src/shop/sessions.py:10 of 27 lines, in SessionInterface.domain\n"
        "in: class SessionInterface\n"
        "in: def domain(self, app)\n"
        "10|         return get_cookie_domain(app)"
    )
    assert looked.json["text"] == shown.text
    assert not looked.result.truncated


async def test_a_range_past_the_end_is_refused_with_the_range_there_is(shop: IndexedWorkspace) -> None:
    said = await refused(shop, "read_file_lines", path="src/shop/app.py", first_line=300, last_line=340)
    assert said == "`src/shop/app.py` has 17 lines; you asked for 300-340. Ask within 1-17."


async def test_a_range_that_only_ends_too_late_is_cut_and_said(shop: IndexedWorkspace) -> None:
    looked = await shop.look("read_file_lines", path="src/shop/app.py", first_line=16, last_line=99)
    assert looked.places == ["src/shop/app.py:16-17"]
    assert "(the file ends at line 17)" in looked.text
    assert not looked.result.truncated


async def test_a_turned_range_is_refused_with_the_right_one(shop: IndexedWorkspace) -> None:
    said = await refused(shop, "read_file_lines", path="src/shop/app.py", first_line=9, last_line=3)
    assert said == "`src/shop/app.py`: last_line 3 comes before first_line 9. Ask for 3-9."


async def test_a_wrong_path_is_answered_with_a_near_one(shop: IndexedWorkspace) -> None:
    said = await refused(shop, "read_file_lines", path="shop/sesions.py", first_line=1, last_line=2)
    assert said == "`shop/sesions.py`: not found. Did you mean `src/shop/sessions.py`?"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        (".env", "withheld (secret file)"),
        ("../other.py", "outside the workspace"),
        ("/etc/passwd", "outside the workspace"),
        ("src/shop", "a folder"),
    ],
)
async def test_what_may_not_be_read_is_refused_with_the_reason(
    shop: IndexedWorkspace, path: str, reason: str
) -> None:
    said = await refused(shop, "read_file_lines", path=path, first_line=1, last_line=1)
    assert said == f"`{path}`: {reason}."


async def test_more_than_the_cap_is_cut_with_the_next_call(own_shop: IndexedWorkspace) -> None:
    write_files(own_shop.root, {"long.py": "x = 1\n" * 1_000})
    looked = await own_shop.look("read_file_lines", path="long.py", first_line=11, last_line=900)
    assert looked.places == ["long.py:11-410"]
    assert looked.result.truncated
    assert looked.text.endswith("(cut here; next: read_file_lines long.py 411-900)")


async def test_wide_lines_are_cut_in_the_text_and_whole_in_the_evidence(shop: IndexedWorkspace) -> None:
    looked = await shop.look("read_file_lines", path="src/shop/wide.py", first_line=1, last_line=2)
    assert len(looked.shown[0].text) > 40_000
    assert len(looked.text) < 3_000
    assert "more characters]" in looked.text


async def test_a_size_cap_leaves_out_whole_lines_only(own_shop: IndexedWorkspace) -> None:
    write_files(own_shop.root, {"wide.txt": ("w" * 1_500 + "\n") * 50})
    looked = await own_shop.look("read_file_lines", path="wide.txt", first_line=1, last_line=50)
    assert len(looked.text) < 25_000
    assert looked.result.truncated
    assert looked.places == ["wide.txt:1-15"]


async def test_an_empty_file_is_said_to_be_empty(own_shop: IndexedWorkspace) -> None:
    write_files(own_shop.root, {"empty.py": ""})
    said = await refused(own_shop, "read_file_lines", path="empty.py", first_line=1, last_line=1)
    assert said == "`empty.py` is empty."


async def test_a_file_edited_since_is_read_and_named_as_it_is_now(own_shop: IndexedWorkspace) -> None:
    write_files(own_shop.root, {"src/shop/app.py": "\n\n\ndef brand_new():\n    return 1\n"})
    looked = await own_shop.look("read_file_lines", path="src/shop/app.py", first_line=5, last_line=5)
    assert looked.shown[0].symbol == "brand_new"


@pytest.mark.parametrize(
    ("path", "line", "text"),
    [
        ("src/shop/dos.py", 5, "    return os.name"),
        ("src/shop/odd_lines.py", 3, "B = '\u2028'"),
        ("src/shop/odd_lines.py", 7, "    return A, B"),
        ("src/shop/latin.py", 3, "NAME = 'café'"),
        ("src/shop/new\nline.py", 2, "    return 1"),
        ("src/shop/co:lon.py", 2, "    return 1"),
        ("src/shop/-dash.py", 2, "    return 1"),
    ],
)
async def test_lines_count_alike_in_odd_files(
    shop: IndexedWorkspace, path: str, line: int, text: str
) -> None:
    looked = await shop.look("read_file_lines", path=path, first_line=line, last_line=line)
    assert looked.shown[0].text == text


async def test_secrets_are_masked(shop: IndexedWorkspace) -> None:
    looked = await shop.look("read_file_lines", path="src/shop/keys.py", first_line=1, last_line=1)
    assert "ghp_" not in looked.text
    assert "REDACTED" in looked.shown[0].text
