from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from support.parsed_files import SESSIONS, parsed_lines, record_of, sessions_parsed

from tools.index.catalog import Catalog
from tools.index.chunk import Discovery, Import, ParsedFile, Skip
from tools.index.records import Filters, SkipRecord

PATH = "src/flask/sessions.py"


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    with Catalog.open(tmp_path) as opened:
        opened.put_file(record_of(PATH, SESSIONS, redactions={"password": 2}), sessions_parsed(), "source")
        yield opened


def test_a_file_comes_back_as_it_was_put(catalog: Catalog) -> None:
    put = record_of(PATH, SESSIONS, redactions={"password": 2})
    assert catalog.files() == {PATH: replace(put, language="python", area="source")}


def test_chunks_come_back_as_they_were_put(catalog: Catalog) -> None:
    stored = catalog.chunks_of(PATH)
    assert [chunk.text for chunk in stored] == [chunk.text for chunk in sessions_parsed().chunks]
    method = stored[2]
    assert (method.path, method.language, method.area) == (PATH, "python", "source")
    assert method.sha256 == record_of(PATH, SESSIONS).sha256
    assert method.signature == "def get_cookie_domain(self, app)"
    assert method.embedded_text == sessions_parsed().chunks[2].embedded_text
    assert catalog.chunks_by_id([method.id, 10**9]) == {method.id: method}


def test_each_line_is_in_one_chunk(catalog: Catalog) -> None:
    found = [catalog.chunk_at(PATH, line) for line in (1, 4, 5, 9, 13, 14)]
    assert [chunk and chunk.first_line for chunk in found] == [1, 1, 5, 8, 12, None]


def test_putting_a_file_again_replaces_it_under_new_ids(catalog: Catalog) -> None:
    before = {chunk.id for chunk in catalog.chunks_of(PATH)}
    catalog.put_file(record_of(PATH, "x = 1\n"), parsed_lines("x = 1\n", "python"), "source")
    assert catalog.chunk_count() == 1
    assert not before & {chunk.id for chunk in catalog.chunks_of(PATH)}
    assert catalog.definitions("SessionInterface") == []
    assert catalog.references("get_cookie_domain") == []
    assert catalog.keyword_search({"cooki": 1.0}) == []


def test_a_removed_file_leaves_nothing_behind(catalog: Catalog) -> None:
    catalog.remove_file(PATH)
    assert catalog.files() == {}
    assert catalog.chunk_count() == 0
    assert catalog.definition_count() == 0
    assert catalog.imports_of(PATH) == []
    assert catalog.document_frequency(["cooki"]) == {"cooki": 0}


def test_a_renamed_file_keeps_its_chunks_and_is_found_by_its_new_path(catalog: Catalog) -> None:
    before = [chunk.id for chunk in catalog.chunks_of(PATH)]
    record = replace(catalog.files()[PATH], path="lib/cookiejar.py")
    catalog.rename_file(PATH, "lib/cookiejar.py", record, "legacy")
    assert [chunk.id for chunk in catalog.chunks_of("lib/cookiejar.py")] == before
    assert catalog.files()["lib/cookiejar.py"].area == "legacy"
    assert catalog.document_frequency(["cookiejar", "flask"]) == {"cookiejar": 4, "flask": 0}
    catalog.check()


def test_a_definition_is_found_by_name_and_by_the_end_of_its_qualified_name(catalog: Catalog) -> None:
    for name in (
        "get_cookie_domain",
        "SessionInterface.get_cookie_domain",
        "SessionInterface::get_cookie_domain",
    ):
        (found,) = catalog.definitions(name)
        assert (found.path, found.first_line, found.last_line) == (PATH, 8, 10)
        assert catalog.chunks_by_id([found.chunk_id])[found.chunk_id].symbol == "get_cookie_domain"
    assert catalog.definitions("Interface.get_cookie_domain") == []
    assert catalog.definitions("") == []


def test_case_counts_unless_told_otherwise(catalog: Catalog) -> None:
    assert catalog.definitions("sessioninterface") == []
    assert [one.name for one in catalog.definitions("sessioninterface", exact_case=False)] == [
        "SessionInterface"
    ]
    qualified = catalog.definitions("SESSIONINTERFACE.get_cookie_domain", exact_case=False)
    assert [one.name for one in qualified] == ["get_cookie_domain"]


def test_the_innermost_definition_encloses(catalog: Catalog) -> None:
    found = [catalog.enclosing(PATH, line) for line in (1, 6, 9, 13)]
    assert [one and one.name for one in found] == [
        None,
        "SessionInterface",
        "get_cookie_domain",
        "session_json_serializer",
    ]


def test_definitions_of_a_file_are_in_order_the_outer_first(catalog: Catalog) -> None:
    names = [one.name for one in catalog.definitions_in(PATH)]
    assert names == ["SessionInterface", "get_cookie_domain", "session_json_serializer"]


def test_references_are_found_by_name_kind_and_place(catalog: Catalog) -> None:
    (call,) = catalog.references("get_cookie_domain")
    assert (call.path, call.line, call.kind, call.enclosing) == (PATH, 13, "call", "session_json_serializer")
    assert catalog.references("get_cookie_domain", kinds=("import",)) == []
    assert [one.name for one in catalog.references_in(PATH, 1, 12)] == ["Request", "Response"]


def test_importers_are_found_by_the_end_of_a_module(catalog: Catalog) -> None:
    other = replace(parsed_lines("import x\n"), imports=(Import("werkzeug.wrappers", (), 1),))
    catalog.put_file(record_of("b.py", "import x\n"), other, "source")
    assert [one.module for one in catalog.imports_of(PATH)] == [".wrappers"]
    assert catalog.imports_of(PATH)[0].names == ("Request", "Response")
    assert [one.path for one in catalog.importers_of("wrappers")] == ["b.py", PATH]
    assert [one.path for one in catalog.importers_of("flask.wrappers")] == [PATH]
    assert catalog.importers_of("") == []


def test_filters_narrow_each_other(catalog: Catalog) -> None:
    guide = ParsedFile("markdown", parsed_lines("# Cookies\n").chunks)
    catalog.put_file(record_of("docs/guide.md", "# Cookies\n"), guide, "docs")
    for filters, count in [
        (Filters(), 5),
        (Filters(language=("python",)), 4),
        (Filters(kind=("method", "class")), 2),
        (Filters(area=("docs",)), 1),
        (Filters(path=("docs/",)), 1),
        (Filters(path=("*.py",)), 4),
        (Filters(path=("./src/**/*.py",), kind=("method",)), 1),
        (Filters(path=("/sessions.py",)), 0),
        (Filters(changed=("docs/guide.md",)), 1),
        (Filters(changed=()), 0),
        (Filters(language=("python",), area=("docs",)), 0),
    ]:
        assert catalog.chunk_count(filters) == len(catalog.chunk_ids(filters)) == count, filters
        found = {chunk_id for chunk_id, _ in catalog.keyword_search({"cooki": 1.0}, filters)}
        assert found <= set(catalog.chunk_ids(filters).tolist())


def test_skips_are_counted_by_reason(catalog: Catalog) -> None:
    catalog.put_skip(SkipRecord("logo.svg", "minified", 10, 1, 1, 1, "v"))
    skips = (Skip("a.png", "binary"), Skip("b.png", "binary"), Skip("bad\udcff", "file name is not UTF-8"))
    catalog.set_skips(Discovery((), skips, "git"))
    assert catalog.skip_counts() == {"binary": 2, "file name is not UTF-8": 1, "minified": 1}
    assert catalog.listed_by() == "git"
    assert list(catalog.content_skips()) == ["logo.svg"]
    catalog.remove_file("logo.svg")
    assert catalog.content_skips() == {}


def test_a_file_that_is_skipped_now_is_no_longer_indexed_and_the_other_way_round(catalog: Catalog) -> None:
    catalog.put_skip(SkipRecord(PATH, "minified", 10, 1, 1, 1, "v"))
    assert catalog.files() == {}
    catalog.put_file(record_of(PATH, SESSIONS), sessions_parsed(), "source")
    assert catalog.content_skips() == {}


def test_readers_see_by_the_change_count_that_something_changed(catalog: Catalog, tmp_path: Path) -> None:
    with Catalog.open(tmp_path, read_only=True) as reader:
        before = reader.change_count()
        discovery = Discovery((), (), "git")
        catalog.set_skips(discovery)
        changed = reader.change_count()
        assert changed != before
        catalog.set_skips(discovery)
        catalog.touch_files([record_of(PATH, SESSIONS, mtime_ns=5)])
        assert reader.change_count() == changed
        assert reader.files()[PATH].mtime_ns == 5


def test_a_file_that_cannot_be_stored_leaves_what_was_there(catalog: Catalog) -> None:
    with pytest.raises(UnicodeEncodeError):
        catalog.put_file(record_of(PATH, "x"), parsed_lines("half a pair: \ud800"), "source")
    assert catalog.chunk_count() == 4
    assert catalog.keyword_search({"cooki": 1.0})
    catalog.check()
