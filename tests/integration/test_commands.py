"""Every command by its entry point, with JSON held against the committed schemas."""

import json
from importlib.resources import files

import pytest
from jsonschema import Draft202012Validator
from support.program import environment
from support.small_workspace import small_workspace

from tui.cli import run


@pytest.fixture
def workspace(tmp_path, monkeypatch):
    for name, value in environment(tmp_path / "home").items():
        monkeypatch.setenv(name, value)
    folder = small_workspace(tmp_path / "shop")
    monkeypatch.chdir(folder / "src")
    return folder


@pytest.fixture
def document(capsys):
    """Run a command with `--json`: its exit code, and the one document, held by the schema it names."""

    def run_and_read(*arguments):
        code = run([*arguments, "--json"])
        written = capsys.readouterr().out
        assert written.isascii()
        value = json.loads(written)
        name = value["schema"].removeprefix("codewitness.").removesuffix("/1")
        schema = json.loads((files("tui.schemas") / f"{name}.schema.json").read_text("utf-8"))
        Draft202012Validator(schema).validate(value)
        return code, value

    return run_and_read


def test_a_question_is_answered_and_the_answer_verified_until_the_code_changes(workspace, document, tmp_path):
    code, answer = document("ask", "Where is `gross_price` defined?")
    assert (code, answer["schema"], answer["status"]) == (0, "codewitness.answer/1", "answered")
    assert answer["backend"]["name"] == "extractive"
    assert "src/shop/prices.py" in {
        citation["path"] for claim in answer["observed"] for citation in claim["citations"]
    }
    saved = tmp_path / "answer.json"
    saved.write_text(json.dumps(answer))

    code, checked = document("verify", str(saved))
    assert (code, checked["schema"], checked["holds"]) == (0, "codewitness.verify/1", True)

    prices = workspace / "src/shop/prices.py"
    prices.write_text("# moved down\n" + prices.read_text())
    code, checked = document("verify", str(saved))
    assert (code, checked["holds"]) == (1, False)
    assert "moved" in {citation["verdict"] for citation in checked["citations"]}

    prices.unlink()
    code, checked = document("verify", str(saved))
    assert "gone" in {citation["verdict"] for citation in checked["citations"]}


def test_a_question_without_evidence_is_one_and_says_how_it_searched(workspace, document):
    code, answer = document("ask", "How does the lunar module land on the moon?")
    assert (code, answer["status"]) == (1, "no_evidence")
    assert answer["searched"]
    assert answer["index"]["files"] == 3


def test_search_finds_and_search_without_hits_is_one(workspace, document):
    code, found = document("search", "gross_price", "--explain")
    assert (code, found["schema"], found["query"]) == (0, "codewitness.search/1", "gross_price")
    assert found["results"][0]["path"] == "src/shop/prices.py"
    assert found["results"][0]["signals"]
    code, found = document("search", "gross_price", "--area", "docs", "--path", "nowhere/**")
    assert (code, found["results"]) == (1, [])


def test_the_index_is_built_shown_explained_listed_and_deleted(workspace, document):
    code, built = document("index")
    assert (code, built["schema"]) == (0, "codewitness.index/1")
    assert built["report"]["added"] == 3
    assert any("no vectors" in note for note in built["report"]["notes"])
    _, status = document("index", "--status")
    assert status["workspace"] == str(workspace.resolve())
    assert status["status"]["skipped"]["secret file"] == 1
    _, explained = document("index", "--explain", ".env")
    assert "secret" in explained["explanation"]["why"]
    _, listed = document("index", "list")
    assert [index["workspace"] for index in listed["indexes"]] == [str(workspace.resolve())]
    code, deleted = document("index", "--delete")
    assert (code, deleted["deleted"]) == (0, True)
    _, listed = document("index", "list")
    assert listed["indexes"] == []


def test_prune_deletes_the_index_of_a_workspace_that_is_gone(workspace, document, tmp_path, monkeypatch):
    document("index")
    monkeypatch.chdir(tmp_path)
    workspace.rename(tmp_path / "moved")
    code, pruned = document("index", "prune")
    assert (code, pruned["schema"]) == (0, "codewitness.indexes/1")
    assert [index["workspace"] for index in pruned["pruned"]["removed"]] == [str(workspace.resolve())]
    assert pruned["indexes"] == []


def test_an_index_that_another_process_writes_is_four_and_names_it(workspace, document):
    from tools.index.location import list_indexes
    from tools.index.lock import WriterLock

    document("index")
    (index,) = list_indexes(workspace.parent / "home/data/codewitness")
    with WriterLock(index.folder):
        code, error = document("index")
    assert (code, error["exit"]) == (4, 4)
    assert "pid" in error["cause"]


def test_settings_are_shown_with_their_source(workspace, document):
    code, shown = document("config", "show", "--backend", "extractive")
    assert (code, shown["schema"]) == (0, "codewitness.config/1")
    assert shown["settings"]["model.backend"] == {"value": "extractive", "source": "`--backend`"}
    assert shown["settings"]["index.embedder"]["source"] == "`CODEWITNESS_INDEX__EMBEDDER`"
    _, path = document("config", "path")
    assert path["exists"] is False
    assert path["path"].startswith(str(workspace.parent / "home"))


def test_a_wrong_setting_is_two_and_names_it(workspace, document, monkeypatch):
    monkeypatch.setenv("CODEWITNESS_MODEL__BACKEND", "oracle")
    code, error = document("search", "gross_price")
    assert (code, error["schema"], error["exit"]) == (2, "codewitness.error/1", 2)
    assert "CODEWITNESS_MODEL__BACKEND" in error["what"]


def test_doctor_checks_everything_and_says_what_is_wrong_with_the_settings(workspace, document, monkeypatch):
    code, seen = document("doctor")
    assert (code, seen["schema"], seen["passed"]) == (0, "codewitness.doctor/1", True)
    monkeypatch.setenv("CODEWITNESS_INDEX__EMBEDDER", "oracle")
    code, seen = document("doctor")
    assert (code, seen["passed"]) == (4, False)
    (settings,) = [check for check in seen["checks"] if check["name"] == "settings"]
    assert (settings["passed"], settings["required"]) == (False, True)
    assert settings["remedy"]


def test_doctor_fails_when_the_data_folder_cannot_be_written(workspace, document, tmp_path, monkeypatch):
    (tmp_path / "taken").write_text("a file, not a folder")
    monkeypatch.setenv("CODEWITNESS_INDEX__DATA_FOLDER", str(tmp_path / "taken" / "data"))
    code, seen = document("doctor")
    assert code == 4
    assert [check["name"] for check in seen["checks"] if check["required"] and not check["passed"]] == [
        "data folder"
    ]


@pytest.mark.parametrize(
    "arguments",
    [
        ["serch"],
        [],
        ["ask", ""],
        ["index", "--status", "--delete"],
        ["verify", "nowhere.json"],
        ["search", "--limit", "0", "x"],
    ],
    ids=" ".join,
)
def test_every_wrong_use_is_two_with_one_error_document(workspace, document, arguments):
    code, error = document(*arguments)
    assert (code, error["schema"], error["exit"]) == (2, "codewitness.error/1", 2)
    assert error["what"]
    assert error["cause"]
    assert error["hint"]


def test_the_home_folder_is_refused_without_force(workspace, document):
    code, error = document("search", "x", "-C", str(workspace.parent / "home"))
    assert (code, error["exit"]) == (2, 2)
    assert "--force" in error["hint"]


def test_the_version_is_told(workspace, document):
    code, version = document("--version")
    assert (code, version["schema"]) == (0, "codewitness.version/1")
