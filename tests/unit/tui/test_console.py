import io

from rich.text import Text

from tools.errors import UserError
from tui.console import Output


def test_an_error_is_told_in_three_parts_on_stderr_even_when_quiet():
    stdout, stderr = io.StringIO(), io.StringIO()
    Output(stdout, stderr, quiet=True).error(UserError("it broke", cause="a reason", hint="do this"))
    assert stdout.getvalue() == ""
    assert stderr.getvalue() == "error: it broke\n  cause: a reason\n\nhint: do this\n"


def test_with_json_the_document_is_all_there_is_on_stdout():
    stdout = io.StringIO()
    output = Output(stdout, io.StringIO(), json=True)
    output.answer("for people")
    output.document({"schema": "x"})
    assert stdout.getvalue() == '{\n  "schema": "x"\n}\n'


def test_details_are_told_only_on_request():
    quiet, verbose = io.StringIO(), io.StringIO()
    Output(io.StringIO(), quiet).detail("more")
    Output(io.StringIO(), verbose, verbose=True).detail("more")
    assert (quiet.getvalue(), verbose.getvalue()) == ("", "more\n")


def test_markup_and_emoji_codes_are_text_and_long_lines_are_not_wrapped():
    stdout = io.StringIO()
    line = "[bold]x[/bold] :warning: [/] " + "y" * 300
    Output(stdout, io.StringIO()).answer(line)
    Output(stdout, io.StringIO()).answer(Text(line))
    assert stdout.getvalue() == f"{line}\n{line}\n"


def test_a_stream_of_an_old_code_page_gets_escapes_instead_of_a_crash():
    raw = io.BytesIO()
    stdout = io.TextIOWrapper(raw, encoding="ascii", write_through=True)
    Output(stdout, io.StringIO()).answer("größer 日本")
    assert raw.getvalue() == b"gr\\xf6\\xdfer \\u65e5\\u672c\n"
