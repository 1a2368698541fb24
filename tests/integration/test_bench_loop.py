"""The benchmark of the loop runs, and the prefix that a server can reuse is whole."""

from __future__ import annotations

from pathlib import Path

from support.small_codebase import write_codebase

from evals.bench_loop import KINDS, measured, report


async def test_every_request_begins_with_the_whole_request_before_it(tmp_path: Path) -> None:
    root = write_codebase(tmp_path / "shop")
    for number in range(8):
        lines = [f"value_{line} = {line}" for line in range(180)]
        (root / f"constants_{number}.py").write_text("\n".join(lines), encoding="utf-8")
    overhead, readings = await measured(root, transcript_tokens=4_000, turns=8)
    assert overhead.prefix_reuse == 1.0
    assert overhead.turns >= 8
    assert overhead.tokens >= 4_000
    assert [each.kind for each in readings] == list(KINDS)
    for each in readings:
        assert 0 < each.first_call < each.answer < each.answer_uncached
        assert each.without_tools < each.answer
        assert each.reranking < 3_000
    assert any(each.without_tools for each in readings)
    assert "p95" in report(overhead, readings)
