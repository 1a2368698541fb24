import pytest

from tools.errors import WorkspaceInvalid
from tui.place import workspace_root


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / "home"
    folder.mkdir()
    return folder.resolve()


def test_without_a_folder_it_is_the_nearest_one_above_that_holds_git(home):
    project = home / "project"
    (project / "src" / "deep").mkdir(parents=True)
    (project / ".git").write_text("gitdir: elsewhere")
    assert workspace_root(None, force=False, here=project / "src" / "deep", home=home) == project


def test_git_in_the_home_folder_makes_no_workspace_of_it(home):
    (home / ".git").mkdir()
    (home / "notes").mkdir()
    assert workspace_root(None, force=False, here=home / "notes", home=home) == home / "notes"


def test_without_git_it_is_the_current_folder(home):
    (home / "notes").mkdir()
    assert workspace_root(None, force=False, here=home / "notes", home=home) == home / "notes"


def test_a_named_folder_is_taken_exactly(home):
    project = home / "project"
    (project / "src").mkdir(parents=True)
    (project / ".git").mkdir()
    assert workspace_root(project / "src", force=False, here=home, home=home) == project / "src"


def test_a_relative_folder_is_seen_from_here_and_links_are_followed_once(home):
    (home / "real").mkdir()
    (home / "link").symlink_to("real")
    assert workspace_root(home.__class__("link"), force=False, here=home, home=home) == home / "real"


@pytest.mark.parametrize("place", ["home", "/"])
def test_the_home_folder_and_the_root_of_the_disk_are_refused_without_force(home, place):
    folder = home if place == "home" else home.__class__(home.anchor)
    with pytest.raises(WorkspaceInvalid) as refused:
        workspace_root(folder, force=False, here=home, home=home)
    assert "--force" in refused.value.hint
    assert workspace_root(folder, force=True, here=home, home=home) == folder


@pytest.mark.parametrize("name", ["missing", "file.txt"])
def test_what_is_not_a_folder_is_no_workspace(home, name):
    (home / "file.txt").write_text("x")
    with pytest.raises(WorkspaceInvalid, match="cannot be a workspace"):
        workspace_root(home / name, force=True, here=home, home=home)
