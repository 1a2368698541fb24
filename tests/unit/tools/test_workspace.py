from __future__ import annotations

import codecs
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.errors import WorkspaceInvalid
from tools.workspace import SourceFile, Unreadable, Workspace, split_lines

SECRET = "AKIA" + "Z2QW3ERT4YUI5OPA"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "code"
    (root / "src").mkdir(parents=True)
    (root / "src" / "app.py").write_text("import os\n\ndef main():\n    pass\n")
    return root


@pytest.fixture
def workspace(root: Path) -> Iterator[Workspace]:
    opened = Workspace(root)
    yield opened
    opened.close()


def _reason(workspace: Workspace, path: str) -> str:
    with pytest.raises(Unreadable) as refused:
        workspace.read(path)
    return refused.value.reason


def test_a_file_is_read_with_its_hash_and_lines(workspace: Workspace, root: Path) -> None:
    source = workspace.read("src/app.py")
    data = (root / "src" / "app.py").read_bytes()
    assert source == SourceFile(
        path="src/app.py",
        sha256=hashlib.sha256(data).hexdigest(),
        size=len(data),
        encoding="utf-8",
        newline="\n",
        lines=("import os", "", "def main():", "    pass"),
        redactions={},
        hidden_characters=0,
    )


def test_lines_are_given_by_their_numbers(workspace: Workspace) -> None:
    source = workspace.read("src/app.py")
    assert source.text(3, 4) == "def main():\n    pass"
    for first, last in ((0, 1), (1, 5), (3, 2)):
        with pytest.raises(ValueError, match="not within 1-4"):
            source.text(first, last)


@pytest.mark.parametrize(
    "typed", ["src/app.py", "./src/app.py", "src//app.py", "src/./app.py", "src/x/../app.py", "src/app.py/"]
)
def test_every_spelling_of_a_path_is_one_path(workspace: Workspace, typed: str) -> None:
    assert workspace.read(typed).path == "src/app.py"


def test_an_absolute_path_inside_is_accepted(workspace: Workspace, root: Path) -> None:
    assert workspace.normalise(str(root / "src" / "app.py")) == "src/app.py"
    assert workspace.normalise(str(root)) == ""


def test_a_workspace_opened_through_a_link_knows_both_names(root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    workspace = Workspace(tmp_path / "link")
    assert workspace.root == root
    assert workspace.read(str(tmp_path / "link" / "src" / "app.py")).path == "src/app.py"
    assert workspace.read(str(root / "src" / "app.py")).path == "src/app.py"
    workspace.close()


@pytest.mark.parametrize(
    "path", ["..", "../x", "src/../../x", "/etc/passwd", "/etc/there-is-no-such-file", "/", "//etc/passwd"]
)
def test_what_lies_outside_is_refused_alike_whether_it_exists_or_not(workspace: Workspace, path: str) -> None:
    assert _reason(workspace, path) == "outside the workspace"


def test_a_sibling_whose_name_begins_alike_is_outside(workspace: Workspace, root: Path) -> None:
    (root.parent / "code-private").mkdir()
    (root.parent / "code-private" / "a.py").write_text("x")
    assert _reason(workspace, f"{root}-private/a.py") == "outside the workspace"


@pytest.mark.parametrize("path", ["a\0b", "src/\ud800.py"])
def test_what_cannot_be_a_path_is_refused(workspace: Workspace, path: str) -> None:
    assert _reason(workspace, path) == "not a valid path"


@pytest.mark.parametrize(
    ("path", "reason"), [("gone.py", "not found"), ("src/app.py/x", "not found"), ("src", "a folder")]
)
def test_what_is_no_file_is_refused_with_the_reason(workspace: Workspace, path: str, reason: str) -> None:
    assert _reason(workspace, path) == reason
    assert workspace.stat(path) is None


@pytest.mark.parametrize(
    ("link", "target", "asked", "instead"),
    [
        ("link.py", "src/app.py", "link.py", "src/app.py"),
        ("src/link.py", "../src/app.py", "src/link.py", "src/app.py"),
        ("lib", "src", "lib/app.py", "src/app.py"),
        ("src/self", ".", "src/self/self/app.py", "src/self/app.py"),
    ],
)
def test_a_link_inside_says_what_to_read_instead(
    workspace: Workspace, root: Path, link: str, target: str, asked: str, instead: str
) -> None:
    (root / link).symlink_to(target)
    assert _reason(workspace, asked) == f"symlink to `{instead}`, read `{instead}` instead"


def test_an_absolute_link_inside_says_what_to_read_instead(workspace: Workspace, root: Path) -> None:
    (root / "link.py").symlink_to(root / "src" / "app.py")
    assert _reason(workspace, "link.py") == "symlink to `src/app.py`, read `src/app.py` instead"


@pytest.mark.parametrize("target", ["/etc/passwd", "/etc/there-is-no-such-file", "../../x", "/dev/zero"])
def test_a_link_that_leads_out_tells_nothing_of_where(workspace: Workspace, root: Path, target: str) -> None:
    (root / "link").symlink_to(target)
    assert _reason(workspace, "link") == "symlink out of the workspace"
    assert _reason(workspace, "link/below") == "symlink out of the workspace"


def test_a_fifo_is_refused_at_once(workspace: Workspace, root: Path) -> None:
    os.mkfifo(root / "pipe")
    assert _reason(workspace, "pipe") == "not a regular file"
    assert workspace.stat("pipe") is None


@pytest.mark.parametrize("path", [".env", "config/.env.production", "deploy/id_rsa", "server.pem"])
def test_a_secret_file_is_withheld_before_it_is_opened(workspace: Workspace, path: str) -> None:
    assert _reason(workspace, path) == "secret file"


def test_a_binary_file_is_refused(workspace: Workspace, root: Path) -> None:
    (root / "data").write_bytes(b"\x7fELF\0\0")
    assert _reason(workspace, "data") == "binary"


def test_a_file_beyond_the_limit_is_refused(workspace: Workspace, root: Path) -> None:
    (root / "big.py").write_bytes(b"x" * 3000)
    with pytest.raises(Unreadable) as refused:
        workspace.read("big.py", max_bytes=2048)
    assert refused.value.reason == "larger than 2 KiB"
    assert workspace.read_bytes("big.py", max_bytes=3000) == b"x" * 3000


def test_secrets_are_masked_in_place_and_counted(workspace: Workspace, root: Path) -> None:
    (root / "settings.py").write_text(f'a = 1\nKEY = "{SECRET}"  # key\n')
    source = workspace.read("settings.py")
    assert source.lines == ("a = 1", 'KEY = "[REDACTED:aws_id]***"  # key')
    assert source.redactions == {"aws_id": 1}
    assert source.sha256 == hashlib.sha256((root / "settings.py").read_bytes()).hexdigest()


def test_secrets_in_utf_16_are_masked_too(workspace: Workspace, root: Path) -> None:
    (root / "settings.txt").write_bytes(codecs.BOM_UTF16_LE + f"k = {SECRET}\r\n".encode("utf-16-le"))
    source = workspace.read("settings.txt")
    assert source.lines == ("k = [REDACTED:aws_id]***",)
    assert source.newline == "\r\n"


def test_hidden_characters_are_counted(workspace: Workspace, root: Path) -> None:
    (root / "trojan.py").write_text("ok = 1 \u202e# \u200b\n")
    assert workspace.read("trojan.py").hidden_characters == 2


def test_an_empty_file_has_no_lines(workspace: Workspace, root: Path) -> None:
    (root / "empty.py").touch()
    assert workspace.read("empty.py").lines == ()


@pytest.mark.parametrize(
    "name", [b"line\nbreak.py", b"caf\xe9.py", b"\xff\xfe", b"-rf", b"a:12.py", b" spaced "]
)
def test_odd_names_are_read_by_the_name_that_listing_gives(
    workspace: Workspace, root: Path, name: bytes
) -> None:
    path = os.fsdecode(name)
    (root / path).write_text("odd = 1\n")
    assert (path, "file") in workspace.entries("")
    assert workspace.read(path).lines == ("odd = 1",)


def test_listing_refuses_what_is_no_folder_inside(workspace: Workspace, root: Path) -> None:
    (root / "out").symlink_to("/etc")
    for path, reason in (
        ("out", "symlink out of the workspace"),
        ("../", "outside the workspace"),
        ("gone", "not found"),
    ):
        with pytest.raises(Unreadable) as refused:
            workspace.entries(path)
        assert refused.value.reason == reason


def test_a_change_shows_in_the_stat(workspace: Workspace, root: Path) -> None:
    before = workspace.stat("src/app.py")
    (root / "src" / "app.py").write_text("x = 1\n")
    assert before is not None
    assert workspace.stat("src/app.py") != before


@pytest.mark.parametrize("name", ["gone", "file"])
def test_a_workspace_must_be_a_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(WorkspaceInvalid) as invalid:
        Workspace(tmp_path / name)
    assert invalid.value.cause
    assert invalid.value.hint


@given(path=st.text(alphabet=st.sampled_from("ab./\\~\0\n\x1b é\ud800"), max_size=12))
def test_no_path_leaves_the_workspace(path: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    root = tmp_path_factory.getbasetemp() / "confined"
    root.mkdir(exist_ok=True)
    workspace = Workspace(root)
    try:
        canonical = workspace.normalise(path)
    except Unreadable:
        return
    finally:
        workspace.close()
    parts = canonical.split("/") if canonical else []
    assert not {"", ".", ".."}.intersection(parts)
    assert Path(os.path.normpath(root / canonical)).is_relative_to(root)


def test_lines_are_split_by_the_same_rule_everywhere(workspace: Workspace, root: Path) -> None:
    text = "a\r\nb\rc\f\u2028d\n"
    (root / "odd.txt").write_bytes(text.encode())
    assert list(workspace.read("odd.txt").lines) == split_lines(text) == ["a", "b\rc\f\u2028d"]
    assert workspace.read("odd.txt").newline == "mixed"
