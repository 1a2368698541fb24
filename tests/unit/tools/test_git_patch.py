from __future__ import annotations

from tools.git_patch import MAX_LINE_CHARACTERS, read_patch

TOKEN = "ghp_" + "a1B2" * 9


def patch(*lines: str) -> str:
    return "\n".join(lines) + "\n"


def test_each_file_comes_with_its_lines_and_what_they_do_not_say() -> None:
    files = read_patch(
        patch(
            "diff --git a/a.py b/a.py",
            "index 1..2 100644",
            "--- a/a.py",
            "+++ b/a.py",
            "@@ -1,2 +1,2 @@ def f():",
            "-x = 1",
            "+x = 2",
            " y = 3",
            "diff --git a/old name.py b/new name.py",
            "similarity index 100%",
            "rename from old name.py",
            "rename to new name.py",
            "diff --git a/logo.png b/logo.png",
            "new file mode 100644",
            "Binary files /dev/null and b/logo.png differ",
            "diff --git a/gone.py b/gone.py",
            "deleted file mode 100644",
            "--- a/gone.py",
            "+++ /dev/null",
            "@@ -1 +0,0 @@",
            "-z = 1",
        )
    )
    assert [file.heading for file in files] == [
        "a.py",
        "new name.py (was old name.py)",
        "logo.png (binary)",
        "gone.py (deleted)",
    ]
    assert files[0].lines == ("@@ -1,2 +1,2 @@ def f():", "-x = 1", "+x = 2", " y = 3")
    assert files[3].lines == ("@@ -1 +0,0 @@", "-z = 1")


def test_lines_that_look_like_headers_are_lines() -> None:
    (file,) = read_patch(
        patch(
            "diff --git a/a.diff b/a.diff",
            "--- a/a.diff",
            "+++ b/a.diff",
            "@@ -1,2 +1,3 @@",
            " diff --git a/secret b/secret",
            "--- a/x",
            "+++ b/x",
            "+diff --git a/y b/y",
            "\\ No newline at end of file",
        )
    )
    assert file.path == "a.diff"
    assert file.lines[2:4] == ("--- a/x", "+++ b/x")


def test_paths_that_git_quotes_are_read_back() -> None:
    (file,) = read_patch(
        patch('diff --git "a/caf\\303\\251 \\"x\\".py" "b/caf\\303\\251 \\"x\\".py"', "new file mode 100644")
    )
    assert file.path == 'café "x".py'


def test_secret_files_are_withheld_also_under_their_old_name() -> None:
    files = read_patch(
        patch(
            "diff --git a/.env b/.env",
            "--- a/.env",
            "+++ b/.env",
            "@@ -1 +1 @@",
            "-PASSWORD=old-hunter2x",
            "+PASSWORD=new-hunter2x",
            "diff --git a/.env b/env.txt",
            "rename from .env",
            "rename to env.txt",
            "--- a/.env",
            "+++ b/env.txt",
            "@@ -1 +1 @@",
            "-PASSWORD=old-hunter2x",
            "+PASSWORD=new-hunter2x",
        )
    )
    assert [(file.note, file.lines) for file in files] == [("withheld (secret file)", ())] * 2


def test_secrets_are_masked_behind_the_marks_of_a_patch() -> None:
    key = [f"{'Ab1+' * 16}" for _ in range(4)]
    (file,) = read_patch(
        patch(
            "diff --git a/a.sh b/a.sh",
            "--- a/a.sh",
            "+++ b/a.sh",
            "@@ -1,3 +1,4 @@",
            "-export DB_PASSWORD=qz81kd02mfw",
            f'+token = "{TOKEN}"',
            f" {key[0]}",
            f" {key[1]}",
            f"+{key[2]}",
        )
    )
    text = "\n".join(file.lines)
    assert "qz81kd02mfw" not in text
    assert TOKEN not in text
    assert key[0] not in text
    assert [line[:1] for line in file.lines] == ["@", "-", "+", " ", " ", "+"]


def test_what_acts_on_a_terminal_is_made_visible_and_long_lines_are_cut() -> None:
    (file,) = read_patch(
        patch(
            "diff --git a/a b/a",
            "--- a/a",
            "+++ b/a",
            "@@ -0,0 +1,2 @@",
            "+\x1b]52;c;aGk=\x07",
            "+" + "x" * 5_000,
        )
    )
    assert "\x1b" not in file.lines[1]
    assert len(file.lines[2]) == MAX_LINE_CHARACTERS + 1


def test_a_patch_that_was_cut_short_is_read_as_far_as_it_goes() -> None:
    (file,) = read_patch("diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,9 +1,9 @@\n-x")
    assert file.lines == ("@@ -1,9 +1,9 @@", "-x")
    assert read_patch("") == ()
