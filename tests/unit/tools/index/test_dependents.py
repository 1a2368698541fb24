from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.index.catalog import Catalog
from tools.index.chunk import Chunk, Definition, Import, ParsedFile, Reference, ReferenceKind
from tools.index.dependents import MAX_DEPENDENTS, Dependents, dependents
from tools.index.records import FileRecord

LINES_EACH = 10


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    with Catalog.open(tmp_path) as opened:
        yield opened


def put(
    catalog: Catalog,
    path: str,
    uses: dict[str, list[str]],
    *,
    imports: tuple[Import, ...] = (),
    kind: ReferenceKind = "call",
    area: str = "source",
) -> None:
    """A file whose definitions, ten lines each, use the named things; "" is the file's own level."""
    names = [name for name in uses if name]
    starts = {name: at * LINES_EACH + 1 for at, name in enumerate(names)}
    last = len(names) * LINES_EACH + 1
    definitions = tuple(
        Definition(name.rpartition(".")[2], name, "function", start, start + LINES_EACH - 1)
        for name, start in starts.items()
    )
    references = tuple(
        Reference(used, starts.get(name, last) + 1 * bool(name), kind, name)
        for name in uses
        for used in uses[name]
    )
    imported = tuple(Reference(name, last, "import") for one in imports for name in one.names)
    text = "\n".join("x" for _ in range(last))
    parsed = ParsedFile(
        "python", (Chunk(1, last, "module", text),), definitions, (*references, *imported), imports
    )
    catalog.put_file(FileRecord(path, "0" * 64, 1, 1, 1, n_lines=last), parsed, area)


def walk(catalog: Catalog, name: str, **options: int) -> Dependents:
    return dependents(catalog, catalog.definitions(name), **options)


def names_by_depth(outcome: Dependents) -> dict[str, int]:
    return {one.symbol or one.path: one.depth for one in outcome.found}


def test_callers_are_followed_to_their_callers(catalog: Catalog) -> None:
    put(catalog, "a.py", {"low": [], "middle": ["low"], "high": ["middle"], "alone": []})
    assert names_by_depth(walk(catalog, "low")) == {"middle": 1, "high": 2}


def test_a_cycle_ends_where_it_closes(catalog: Catalog) -> None:
    put(catalog, "a.py", {"one": ["three"], "two": ["one"], "three": ["two"]})
    assert names_by_depth(walk(catalog, "one")) == {"two": 1, "three": 2}


def test_recursion_is_no_dependent(catalog: Catalog) -> None:
    put(catalog, "a.py", {"loop": ["loop"]})
    assert walk(catalog, "loop").found == ()


def test_the_walk_stops_at_its_depth(catalog: Catalog) -> None:
    put(catalog, "a.py", {"d0": [], **{f"d{n + 1}": [f"d{n}"] for n in range(8)}})
    assert max(names_by_depth(walk(catalog, "d0")).values()) == 4
    assert names_by_depth(walk(catalog, "d0", max_depth=1)) == {"d1": 1}


def test_a_dependent_says_where_and_by_which_name_it_depends(catalog: Catalog) -> None:
    put(catalog, "a.py", {"low": [], "middle": ["low"], "high": ["middle"]})
    high = walk(catalog, "low").found[1]
    assert (high.path, high.symbol, high.line, high.via, high.kind) == ("a.py", "high", 22, "middle", "call")


def test_an_import_counts_only_where_nothing_else_uses_the_name(catalog: Catalog) -> None:
    put(catalog, "web.py", {"get": []})
    brings = (Import("web", ("get",), 1),)
    put(catalog, "uses.py", {"run": ["get"]}, imports=brings)
    put(catalog, "exports.py", {}, imports=brings)
    assert {(one.path, one.symbol, one.kind) for one in walk(catalog, "get").found} == {
        ("uses.py", "run", "call"),
        ("exports.py", "", "import"),
    }


def test_use_at_the_level_of_the_file_is_told_and_not_followed(catalog: Catalog) -> None:
    put(catalog, "a.py", {"low": [], "": ["low"], "other": []})
    assert names_by_depth(walk(catalog, "low")) == {"a.py": 1}


def test_a_rival_in_the_same_file_takes_its_uses(catalog: Catalog) -> None:
    put(catalog, "one.py", {"get": [], "run": ["get"]})
    put(catalog, "two.py", {"get": [], "go": ["get"]})
    one = [each for each in catalog.definitions("get") if each.path == "one.py"]
    assert names_by_depth(dependents(catalog, one)) == {"run": 1}
    assert names_by_depth(walk(catalog, "get")) == {"run": 1, "go": 1}


def test_direct_uses_by_name_only_are_marked(catalog: Catalog) -> None:
    put(catalog, "one.py", {"Client.get": []})
    put(catalog, "two.py", {"Cache.get": []})
    put(catalog, "app.py", {"run": ["get"]})
    (run,) = walk(catalog, "Client.get").found
    assert run.by_name_only


def test_farther_steps_follow_only_what_can_be_told_apart(catalog: Catalog) -> None:
    put(catalog, "low.py", {"low": [], "run": ["low"]})
    put(catalog, "other.py", {"run": []})
    put(catalog, "far.py", {"far": ["run"]})
    put(catalog, "near.py", {"near": ["run"]}, imports=(Import("low", ("run",), 1),))
    outcome = walk(catalog, "low")
    assert names_by_depth(outcome) == {"run": 1, "near": 2}
    assert outcome.not_followed == ("run",)


def test_a_constructor_is_used_through_its_class(catalog: Catalog) -> None:
    put(catalog, "a.py", {"Client": [], "Client.__init__": ["low"], "low": [], "main": ["Client"]})
    assert names_by_depth(walk(catalog, "low")) == {"Client.__init__": 1, "main": 2}


def test_a_subclass_is_followed_to_its_users(catalog: Catalog) -> None:
    put(catalog, "a.py", {"Base": [], "Derived": ["Base"], "main": ["Derived"]}, kind="other")
    assert names_by_depth(walk(catalog, "Base")) == {"Derived": 1, "main": 2}


def test_tests_are_found_like_all_others(catalog: Catalog) -> None:
    put(catalog, "a.py", {"low": []})
    put(catalog, "tests/test_a.py", {"test_low": ["low"]}, imports=(Import("a", ("low",), 1),), area="tests")
    assert names_by_depth(walk(catalog, "low")) == {"test_low": 1}


def test_a_flood_of_users_is_cut_and_said(catalog: Catalog) -> None:
    put(catalog, "a.py", {"low": [], **{f"user{n}": ["low"] for n in range(MAX_DEPENDENTS + 5)}})
    outcome = walk(catalog, "low")
    assert len(outcome.found) == MAX_DEPENDENTS
    assert not outcome.complete


def test_a_title_that_shares_the_name_is_no_rival(catalog: Catalog) -> None:
    put(catalog, "low.py", {"low": [], "run": ["low"]})
    title = Definition("run", "suite.run", "test", 1, 5)
    chunk = Chunk(1, 5, "test", "\n" * 4)
    parsed = ParsedFile("typescript", (chunk,), (title,))
    catalog.put_file(FileRecord("run.test.ts", "1" * 64, 1, 1, 1, n_lines=5), parsed, "tests")
    put(catalog, "far.py", {"far": ["run"]})
    assert names_by_depth(walk(catalog, "low")) == {"run": 1, "far": 2}


def test_past_the_first_step_an_attribute_of_another_thing_is_no_use_of_a_method(catalog: Catalog) -> None:
    put(catalog, "low.py", {"low": []})
    text = "\n" * 39
    definitions = (
        Definition("request", "App.request", "method", 1, 10),
        Definition("fire", "App.fire", "method", 11, 20),
        Definition("log", "log", "function", 21, 30),
    )
    references = (
        Reference("low", 2, "call", "App.request"),
        Reference("request", 12, "other", "App.fire"),
        Reference("request", 22, "other", "log"),
    )
    parsed = ParsedFile("python", (Chunk(1, 40, "module", text),), definitions, references)
    catalog.put_file(FileRecord("app.py", "2" * 64, 1, 1, 1, n_lines=40), parsed, "source")
    assert names_by_depth(walk(catalog, "low")) == {"App.request": 1, "App.fire": 2}


def test_tests_are_marked_also_in_the_tests_module_of_a_rust_source(catalog: Catalog) -> None:
    references = (Reference("low", 12, "call", "tests.checks_low"), Reference("low", 22, "call", "run"))
    definitions = (
        Definition("low", "low", "function", 1, 10),
        Definition("checks_low", "tests.checks_low", "function", 11, 20),
        Definition("run", "run", "function", 21, 30),
    )
    parsed = ParsedFile("rust", (Chunk(1, 30, "module", "\n" * 29),), definitions, references)
    catalog.put_file(FileRecord("low.rs", "3" * 64, 1, 1, 1, n_lines=30), parsed, "source")
    assert {one.symbol: one.is_test for one in walk(catalog, "low").found} == {
        "tests.checks_low": True,
        "run": False,
    }
