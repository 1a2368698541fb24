"""The bench of the full-screen app, with so little of each that only its working is tested."""

from pathlib import Path

import pytest
from support.indexed import write_files
from support.small_codebase import FILES

from evals.bench_tui import measured, report


@pytest.mark.slow
def test_it_measures_starts_keys_and_memory(tmp_path: Path) -> None:
    write_files(tmp_path / "shop", FILES)
    starts, echoes, memory = measured(tmp_path / "shop", tmp_path, starts=1, keys=3, turns=5)
    assert len(starts.wall) == len(starts.cpu) == 1
    assert [len(each.wall) for each in echoes] == [3, 3]
    assert memory.after[-1][0] == 5
    page = report(starts, echoes, memory)
    assert "| while 200 tokens/s stream" in page
