import io

from tools.index.progress import IndexProgress
from tui.console import Output
from tui.progress import ProgressLine


def written(*steps, quiet=False):
    stderr = io.StringIO()
    progress = ProgressLine(Output(io.StringIO(), stderr, quiet=quiet))
    for step in steps:
        progress.index(step)
    progress.clear()
    return stderr.getvalue().splitlines()


def test_without_a_terminal_there_is_one_line_for_each_phase():
    steps = [IndexProgress("listing", 0, 0)]
    steps += [IndexProgress("parsing", done, 900, f"src/{done}.py") for done in range(1, 901)]
    steps += [IndexProgress("vectors", 8, 4000), IndexProgress("done", 1, 1)]
    assert written(*steps) == [
        "looking for files",
        "reading files 1/900",
        "computing vectors 8/4000, about 12 minutes left",
    ]


def test_quiet_says_nothing():
    assert written(IndexProgress("listing", 0, 0), IndexProgress("parsing", 1, 2), quiet=True) == []


def test_without_a_terminal_a_passing_status_is_not_written():
    stderr = io.StringIO()
    progress = ProgressLine(Output(io.StringIO(), stderr))
    progress.status("the model is writing")
    progress.line("it has written")
    assert stderr.getvalue() == "it has written\n"
