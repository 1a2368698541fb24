from __future__ import annotations

from pathlib import Path

import pytest
from support.suites import Person

from tools.consent import ConsentRefused, Consents, ToRun, fingerprint, granted_by_flags, request
from tools.sandbox.tiers import PROMISES, Tier


def _run(tier: Tier = Tier.OVERLAY, *, content: str = "a", lacks: str = "") -> ToRun:
    return ToRun(
        tier=tier,
        promise=PROMISES[tier],
        lacks=lacks,
        command=("pytest", "test_a.py"),
        program="`python`",
        code=("`conftest.py`", "pytest.ini: addopts = -x\x1b]52;c;planted\x07"),
        fingerprint=fingerprint(("pytest",), {"conftest.py": content}),
    )


async def test_an_isolated_run_is_asked_for_once(tmp_path: Path) -> None:
    person = Person()
    await Consents(tmp_path, person).obtain(_run())
    await Consents(tmp_path, person).obtain(_run())
    assert len(person.asked) == 1


async def test_it_is_asked_for_again_when_what_would_run_has_changed(tmp_path: Path) -> None:
    person = Person()
    consents = Consents(tmp_path, person)
    await consents.obtain(_run())
    await consents.obtain(_run(content="b"))
    await consents.obtain(_run(Tier.COPY))
    assert len(person.asked) == 3


async def test_a_run_without_isolation_is_asked_for_every_time(tmp_path: Path) -> None:
    person = Person()
    consents = Consents(tmp_path, person, "always")
    await consents.obtain(_run(Tier.NONE))
    await consents.obtain(_run(Tier.NONE))
    assert [asked.isolated for asked in person.asked] == [False, False]
    assert not (tmp_path / "consents.json").exists()


async def test_isolated_runs_can_be_allowed_once_and_for_all(tmp_path: Path) -> None:
    person = Person(answer=False)
    await Consents(tmp_path, person, "always").obtain(_run())
    assert person.asked == []


async def test_who_never_wants_tests_run_is_not_asked(tmp_path: Path) -> None:
    person = Person()
    with pytest.raises(ConsentRefused, match="switched off"):
        await Consents(tmp_path, person, "never").obtain(_run())
    assert person.asked == []


async def test_a_no_is_not_kept(tmp_path: Path) -> None:
    person = Person(answer=False)
    with pytest.raises(ConsentRefused):
        await Consents(tmp_path, person).obtain(_run())
    person.answer = True
    await Consents(tmp_path, person).obtain(_run())
    assert len(person.asked) == 2


async def test_consents_can_be_taken_back(tmp_path: Path) -> None:
    person = Person()
    consents = Consents(tmp_path, person)
    await consents.obtain(_run())
    consents.forget()
    await consents.obtain(_run())
    assert len(person.asked) == 2


async def test_a_spoilt_file_of_consents_holds_none(tmp_path: Path) -> None:
    (tmp_path / "consents.json").write_text("[]")
    person = Person()
    await Consents(tmp_path, person).obtain(_run())
    assert len(person.asked) == 1


async def test_yes_agrees_to_isolated_runs_alone(tmp_path: Path) -> None:
    consents = Consents(tmp_path, granted_by_flags(yes=True, allow_unsandboxed=False))
    await consents.obtain(_run())
    with pytest.raises(ConsentRefused, match="--allow-unsandboxed-tests"):
        await consents.obtain(_run(Tier.NONE, lacks="`bwrap` not found"))


async def test_the_other_flag_agrees_to_runs_without_isolation_alone(tmp_path: Path) -> None:
    consents = Consents(tmp_path, granted_by_flags(yes=False, allow_unsandboxed=True))
    await consents.obtain(_run(Tier.NONE))
    with pytest.raises(ConsentRefused, match="--yes"):
        await consents.obtain(_run())


def test_the_question_says_what_would_run_and_what_is_missing() -> None:
    asked = request(_run(Tier.NONE, lacks="`bwrap` (bubblewrap) not found"))
    for fact in ("WITHOUT isolation", "pytest test_a.py", "`conftest.py`", "addopts = -x", "reason: `bwrap`"):
        assert fact in asked.text
    assert "\x1b" not in asked.text
    assert "\x07" not in asked.text


def test_the_question_of_an_isolated_run_says_what_it_promises() -> None:
    asked = request(_run())
    assert "isolation: no network but its own loopback" in asked.text
    assert "WITHOUT" not in asked.text
