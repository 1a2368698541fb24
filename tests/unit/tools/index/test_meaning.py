import pytest

from tools.index.chunk import Import
from tools.index.meaning import Use, means, module_names, parent_of
from tools.index.records import StoredDefinition


def definition(path: str, qualified_name: str = "get") -> StoredDefinition:
    return StoredDefinition(
        name=qualified_name.rpartition(".")[2],
        qualified_name=qualified_name,
        kind="function",
        first_line=1,
        last_line=2,
        path=path,
        language="python",
        area="source",
        chunk_id=1,
    )


def importing(module: str, *names: str) -> list[Import]:
    return [Import(module, names, 1)]


HERE, THERE = definition("src/web/here.py"), definition("src/web/there.py")


@pytest.mark.parametrize(
    ("module", "importer", "path"),
    [
        ("flask.sessions", "tests/test_sessions.py", "src/flask/sessions.py"),
        ("flask", "examples/app.py", "src/flask/__init__.py"),
        ("flask", "examples/app.py", "src/flask/app.py"),
        (".sessions", "src/flask/app.py", "src/flask/sessions.py"),
        ("..sessions", "src/flask/json/tag.py", "src/flask/sessions.py"),
        (".", "src/flask/app.py", "src/flask/sessions.py"),
        ("./util", "src/web/app.ts", "src/web/util.ts"),
        ("../lib/util.js", "src/web/app.ts", "src/lib/util.ts"),
        ("./router", "src/hono.ts", "src/router/index.ts"),
        ("github.com/gin-gonic/gin/binding", "gin.go", "binding/form.go"),
        ("crate::output::Printer", "src/bin/bat/main.rs", "src/output/Printer.rs"),
    ],
)
def test_a_module_as_written_names_its_file(module: str, importer: str, path: str) -> None:
    assert module_names(module, importer, path)


@pytest.mark.parametrize(
    ("module", "importer", "path"),
    [
        ("os", "src/app.py", "src/app.py"),
        (".sessions", "src/other/app.py", "src/flask/sessions.py"),
        ("./util", "src/web/app.ts", "src/lib/util.ts"),
        ("encoding/json", "gin.go", "codec/json/json.go"),
        ("", "a.py", "b.py"),
    ],
)
def test_another_module_does_not(module: str, importer: str, path: str) -> None:
    assert not module_names(module, importer, path)


def test_a_use_in_the_defining_file_means_that_definition() -> None:
    use = Use("src/web/here.py", "run")
    assert means(use, HERE, [THERE], []) == "this"
    assert means(use, THERE, [HERE], []) == "another"


def test_the_import_of_the_name_decides() -> None:
    use = Use("src/app.py", "run")
    assert means(use, HERE, [THERE], importing("web.here", "get")) == "this"
    assert means(use, HERE, [THERE], importing("web.there", "get")) == "another"


def test_the_import_of_the_class_or_of_the_module_decides_too() -> None:
    method, other = definition("src/web/here.py", "Client.get"), definition("src/web/there.py", "Cache.get")
    use = Use("src/app.py", "run")
    assert means(use, method, [other], importing("web.here", "Client")) == "this"
    assert means(use, method, [other], importing("web.there", "Cache")) == "another"
    assert means(use, method, [other], importing("web", "here")) == "this"
    assert means(use, method, [other], importing("web.here")) == "this"


def test_the_import_of_both_decides_nothing() -> None:
    both = [*importing("web.here", "get"), *importing("web.there", "get")]
    assert means(Use("src/app.py", "run"), HERE, [THERE], both) == "unknown"


def test_without_a_word_in_the_file_the_use_stays_open() -> None:
    assert means(Use("src/app.py", "run"), HERE, [THERE], importing("os", "path")) == "unknown"
    assert means(Use("src/app.py", "run"), HERE, [], []) == "unknown"


def test_of_two_classes_in_one_file_the_own_one_is_meant() -> None:
    client, cache = definition("a.py", "Client.get"), definition("a.py", "Cache.get")
    assert means(Use("a.py", "Client.run"), client, [cache], []) == "this"
    assert means(Use("a.py", "Client.run"), cache, [client], []) == "another"
    assert means(Use("a.py", "main"), client, [cache], []) == "unknown"


def test_files_of_one_go_package_see_each_other() -> None:
    one, other = definition("gin/context.go"), definition("binding/form.go")
    assert means(Use("gin/gin.go", "New"), one, [other], []) == "this"
    assert means(Use("binding/json.go", "New"), one, [other], []) == "unknown"


def test_the_parent_of_a_name_is_what_stands_before_its_last_dot() -> None:
    assert parent_of("Session.get.inner") == "Session.get"
    assert parent_of("get") == ""
