"""`run_tests` on small committed projects of every language, and what it refuses."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from support.boxed import sandboxes
from support.suites import Person, a_project, opened_suite

from agent.errors import ConsentMissing
from agent.session import open_session
from agent.settings import load_settings
from tools.consent import ConsentRequest
from tools.errors import ToolError
from tools.run_tests import TestsRan
from tools.sandbox.tiers import Sandbox, Tier
from tools.suite import SuiteOptions, TestsUnusable

OPTIONS = SuiteOptions(seconds=300, environment=os.environ)
SUITE = {
    "tests/test_cart.py": """import unittest
class CartTest(unittest.TestCase):
    def test_full(self): self.assertEqual(1, 2)
    def test_empty(self): self.assertEqual(0, 0)
def test_other(): ...
"""
}


def outcomes(ran: TestsRan) -> dict[str, str]:
    return {test.id: test.outcome for test in ran.tests}


def places(ran: TestsRan) -> list[str]:
    return [f"{lines.path}:{lines.symbol}" for failure in ran.failures for lines in failure.lines]


async def test_node_reports_its_tests_and_where_they_fail(tmp_path: Path) -> None:
    with opened_suite(a_project(tmp_path / "shop", "node"), tmp_path / "data", options=OPTIONS) as opened:
        ran = await opened.run()
        assert ran.test_run.verdict == "failed"
        assert outcomes(ran) == {
            "cart.test.js::adds all": "failed",
            "cart.test.js::an empty cart > has no total": "passed",
            "cart.test.js::an empty cart > says why": "failed",
            "cart.test.js::an empty cart > is not sold": "skipped",
        }
        assert "cart.js:total" in places(ran)
        one = await opened.run(target="cart.test.js::an empty cart > has no total")
        assert one.test_run.verdict == "passed"


async def test_a_file_that_ends_itself_has_no_verdict_on_node(tmp_path: Path) -> None:
    files = {"a.test.mjs": "import test from 'node:test';\ntest('bad', () => process.exit(0));\n"}
    with opened_suite(tmp_path / "shop", tmp_path / "data", files, options=OPTIONS) as opened:
        ran = await opened.run()
        assert (ran.test_run.verdict, ran.run.report.problem) == (
            "incomplete",
            "a.test.mjs ended without reporting a test",
        )


@pytest.mark.parametrize("asked_for", ["vitest", "jest"])
async def test_a_framework_that_is_not_installed_is_named(asked_for: str, tmp_path: Path) -> None:
    files = {
        "package.json": f'{{"devDependencies": {{"{asked_for}": "1"}}}}',
        "a.test.js": "test('a', () => {});\n",
    }
    with (
        opened_suite(tmp_path / "shop", tmp_path / "data", files, options=OPTIONS) as opened,
        pytest.raises(TestsUnusable, match=f"{asked_for} is not installed"),
    ):
        await opened.run()


async def test_cargo_reports_its_tests_and_where_they_fail(tmp_path: Path) -> None:
    with opened_suite(a_project(tmp_path / "shop", "rust"), tmp_path / "data", options=OPTIONS) as opened:
        ran = await opened.run()
        assert ran.test_run.verdict == "failed"
        assert outcomes(ran) == {
            "src/lib.rs::tests::adds_all": "failed",
            "src/lib.rs::tests::empty_is_zero": "passed",
            "src/lib.rs::tests::takes_long": "skipped",
            "tests/whole.rs::panics": "passed",
        }
        assert places(ran) == ["src/lib.rs:tests.adds_all"]
        assert "the first price is missing" in ran.failures[0].test.message
        one = await opened.run(target="tests/whole.rs")
        assert outcomes(one) == {"tests/whole.rs::panics": "passed"}


@pytest.mark.slow
async def test_go_reports_its_tests_and_where_they_fail(tmp_path: Path) -> None:
    with opened_suite(a_project(tmp_path / "shop", "go"), tmp_path / "data", options=OPTIONS) as opened:
        ran = await opened.run()
        assert ran.test_run.verdict == "failed"
        assert outcomes(ran)["cart::TestTotal"] == "failed"
        assert "cart/cart.go:Total" in places(ran)
        one = await opened.run(target="cart/cart_test.go::TestKinds")
        assert outcomes(one) == {
            "cart::TestKinds": "passed",
            "cart::TestKinds/passes": "passed",
            "cart::TestKinds/skips": "skipped",
        }


async def test_tests_are_chosen_by_name_keyword_and_last_failure(tmp_path: Path) -> None:
    with opened_suite(tmp_path / "shop", tmp_path / "data", SUITE) as opened:
        ran = await opened.run()
        assert ran.run.report.counts == {"failed": 1, "passed": 2}
        again = await opened.run(last_failed=True)
        assert outcomes(again) == {"tests/test_cart.py::CartTest::test_full": "failed"}
        named = await opened.run(target="tests/test_cart.py::CartTest::test_empty")
        assert (named.test_run.verdict, named.count) == ("passed", 1)
        by_keyword = await opened.run(target="tests", keyword="other")
        assert outcomes(by_keyword) == {"tests/test_cart.py::test_other": "passed"}
        assert len(opened.person.asked) == 1, "one consent holds for all selections"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"target": "--collect-only"}, "cannot begin with `-`"),
        ({"target": "./-x.py"}, "begins with `-`|not found"),
        ({"keyword": "-x"}, "cannot begin with `-`"),
        ({"target": "../outside.py"}, "outside the workspace"),
        ({"target": "/etc/passwd"}, "outside the workspace"),
        ({"target": "tests/nothing.py"}, "not found"),
        ({"target": "link.py"}, "symlink out of the workspace"),
        ({"last_failed": True}, "no test failed"),
    ],
)
async def test_what_cannot_be_run_is_refused(
    arguments: dict[str, object], reason: str, tmp_path: Path
) -> None:
    root = tmp_path / "shop"
    root.mkdir()
    (root / "link.py").symlink_to("/etc/passwd")
    with opened_suite(root, tmp_path / "data", SUITE) as opened:
        with pytest.raises(ToolError, match=reason):
            await opened.run(**arguments)
        assert opened.person.asked == []


async def test_without_consent_nothing_runs_and_the_model_is_told(tmp_path: Path) -> None:
    person = Person(answer=False)
    with (
        opened_suite(tmp_path / "shop", tmp_path / "data", SUITE, person=person) as opened,
        pytest.raises(ToolError, match="nobody agreed"),
    ):
        await opened.run()


async def test_without_isolation_a_run_says_so_and_leaves_the_tree_alone(tmp_path: Path) -> None:
    files = {"test_a.py": "def test_writes():\n    open('new.txt', 'w').write('x')\n"}
    nothing = Sandbox(Tier.NONE, {Tier.OVERLAY: "`bwrap` (bubblewrap) not found"})
    with opened_suite(tmp_path / "shop", tmp_path / "data", files, sandbox=nothing) as opened:
        ran = await opened.run()
        assert ran.test_run.verdict == "passed"
        assert not (opened.root / "new.txt").exists()
        [asked] = opened.person.asked
        assert (asked.isolated, "WITHOUT isolation" in asked.text, "bwrap" in asked.text) == (
            False,
            True,
            True,
        )
        assert "no isolation" in ran.for_model(["E1"])


@pytest.mark.parametrize("name", ["with space", "quote'd", "comma,colon:back\\slash", "-dash"])
async def test_a_workspace_of_any_name_can_be_tested(name: str, tmp_path: Path) -> None:
    with opened_suite(tmp_path / name, tmp_path / "data", SUITE) as opened:
        assert (await opened.run()).run.report.counts == {"failed": 1, "passed": 2}


async def test_an_environment_in_the_workspace_is_used_and_its_packages_are_found(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    site = root / ".venv" / "lib" / "python{}.{}".format(*sys.version_info) / "site-packages"
    base = Path(sys.executable).resolve()  # noqa: ASYNC240
    (root / ".venv" / "bin").mkdir(parents=True)
    site.mkdir(parents=True)
    (root / ".venv" / "bin" / "python").symlink_to(base)
    (root / ".venv" / "pyvenv.cfg").write_text(f"home = {base.parent}\n")
    (site / "only_here.py").write_text("VALUE = 7\n")
    (site / "editable.pth").write_text(f"{root}/src\n")
    files = {
        "src/installed.py": "VALUE = 8\n",
        "test_a.py": "import only_here, installed\ndef test_values():\n    assert (only_here.VALUE, installed.VALUE) == (7, 8)\n",
    }
    with opened_suite(root, tmp_path / "data", files) as opened:
        ran = await opened.run()
        assert ran.test_run.verdict == "passed", ran.tail or ran.test_run.summary
        assert ".venv" in ran.run.program
        assert "with the pytest of Codewitness" in ran.run.program


def _session(tmp_path: Path, **more: object):
    environment = {
        "CODEWITNESS_INDEX__DATA_FOLDER": str(tmp_path / "data"),
        "CODEWITNESS_INDEX__EMBEDDER": "none",
        "CODEWITNESS_MODEL__BACKEND": "extractive",
        "CODEWITNESS_SETTINGS_FILE": str(tmp_path / "none.toml"),
    }
    root = tmp_path / "shop"
    root.mkdir(exist_ok=True)
    (root / "test_a.py").write_text("def test_fine(): ...\n")
    return open_session(load_settings({}, environment).settings, root, **more)  # pyright: ignore[reportArgumentType]


async def test_a_session_runs_tests_for_who_agrees(tmp_path: Path) -> None:
    asked: list[ConsentRequest] = []

    async def agree(request: ConsentRequest) -> bool:
        asked.append(request)
        return True

    session = _session(tmp_path, ask_consent=agree)
    try:
        ran = await session.run_tests()
        assert (ran.test_run.verdict, len(asked)) == ("passed", 1)
        result = await session.look_up("run_tests", {"target": "test_a.py"})
        assert (result.count, len(asked)) == (1, 1)
    finally:
        await session.aclose()


async def test_a_session_without_anybody_to_ask_says_that_a_consent_is_missing(tmp_path: Path) -> None:
    session = _session(tmp_path)
    try:
        with pytest.raises(ConsentMissing) as missing:
            await session.run_tests()
        assert "nobody agreed" in missing.value.cause
        with pytest.raises(ToolError, match="nobody agreed"):
            await session.look_up("run_tests", {})
    finally:
        await session.aclose()


def test_there_is_what_these_tests_need() -> None:
    assert sandboxes() or os.name != "posix"
    assert shutil.which("node")
    assert shutil.which("cargo")
