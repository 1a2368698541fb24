"""`list_files` on real files, ripgrep, tree-sitter and sqlite."""

from pathlib import Path

from support.indexed import IndexedWorkspace, build_index, indexed, refused, write_files
from support.shop import FILES


async def test_a_folder_lists_its_files_with_language_and_length(shop: IndexedWorkspace) -> None:
    looked = await shop.look("list_files", path="src/shop/")
    assert {
        "path": "src/shop/app.py",
        "language": "python",
        "lines": 17,
        "area": "source",
    } in looked.json["files"]
    assert "src/shop/app.py (python, 17 lines)" in looked.text
    assert '"src/shop/new\\nline.py" (python, 2 lines)' in looked.text


async def test_no_path_lists_the_whole_workspace_without_secret_files(shop: IndexedWorkspace) -> None:
    for path in ("", ".", "./"):
        paths = [file["path"] for file in (await shop.look("list_files", path=path)).json["files"]]
        assert set(FILES) - set(paths) == {".env", "src/shop/wide.py"}  # secret, minified


async def test_a_glob_lists_what_matches(shop: IndexedWorkspace) -> None:
    looked = await shop.look("list_files", path="**/g*.md")
    assert [file["path"] for file in looked.json["files"]] == ["docs/guide.md"]


async def test_one_file_can_be_listed(shop: IndexedWorkspace) -> None:
    assert (await shop.look("list_files", path="docs/guide.md")).result.count == 1


async def test_a_path_without_files_is_refused_with_a_near_one(shop: IndexedWorkspace) -> None:
    said = await refused(shop, "list_files", path="shop/cookie.py")
    assert said.startswith("no indexed file is at `shop/cookie.py`. Did you mean `src/shop/cookies.py`")


async def test_a_large_folder_is_summed_up_by_its_subfolders(tmp_path: Path) -> None:
    many = {f"pkg{n % 3}/m{n}.txt": "x\n" for n in range(120)}
    write_files(tmp_path / "work", {**many, "top.txt": "x\n"})
    build_index(tmp_path / "work", tmp_path / "data")
    with indexed(tmp_path / "work", tmp_path / "data") as large:
        looked = await large.look("list_files")
        cut = await large.look("list_files", path="*.txt")
    assert looked.json["folders"] == [{"path": f"pkg{n}", "files": 40} for n in range(3)]
    assert [file["path"] for file in looked.json["files"]] == ["top.txt"]
    assert looked.result.truncated
    assert len(cut.json["files"]) == 100
    assert cut.json["total"] == 121
    assert cut.text.endswith("(cut; next: list_files with a narrower glob)")


async def test_an_outline_lists_definitions_as_evidence(shop: IndexedWorkspace) -> None:
    looked = await shop.look("list_files", path="src/shop/sessions.py", outline=True)
    assert [(one["name"], one["line"]) for one in looked.json["outline"]] == [
        ("SessionInterface", 6),
        ("SessionInterface.domain", 9),
        ("SessionInterface.size", 13),
        ("SessionInterface.save", 16),
        ("NullSession", 25),
        ("NullSession.save", 26),
    ]
    assert "[E3] 13|     def size(self):" in looked.text
    assert looked.json["outline"][0]["id"] == "E1"


async def test_an_outline_wants_one_file(shop: IndexedWorkspace) -> None:
    assert "outline wants one file; `src`: a folder" in await refused(
        shop, "list_files", path="src", outline=True
    )
