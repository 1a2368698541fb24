"""The app on a real workspace: its own index, the extractive backend, nothing scripted."""

import asyncio

from support.app_driving import WIDE, answered, ask, main, text_of, until
from support.small_workspace import small_workspace

from agent.live import LiveSession
from agent.settings import load_settings
from tui.app import CodewitnessApp
from tui.widgets.claim_view import ClaimView


def app_on(workspace, data_folder):
    flags = {
        "model.backend": "extractive",
        "index.embedder": "none",
        "index.data_folder": str(data_folder),
    }
    settings = load_settings(
        flags, environment={"CODEWITNESS_SETTINGS_FILE": str(data_folder / "none.toml")}
    ).settings
    return CodewitnessApp(lambda tell, ask_consent: LiveSession(settings, workspace, tell, ask_consent))


async def test_ask_read_the_source_follow_up_export_and_resume_while_the_index_follows(tmp_path):
    workspace = small_workspace(tmp_path / "shop")
    app = app_on(workspace, tmp_path / "data")
    async with app.run_test(size=WIDE) as pilot:
        await ask(pilot, "Where is gross_price defined?")
        await answered(pilot)
        claims = [view.claim for view in main(pilot).query(ClaimView)]
        assert any("gross_price" in claim.text for claim in claims)
        assert all(claim.citations for claim in claims)
        await until(pilot, lambda: "def gross_price(net_price: float) -> float:" in text_of(pilot))
        assert "in function gross_price" in text_of(pilot)

        await ask(pilot, "and who calls gross_price?")
        await answered(pilot)
        target = tmp_path / "said.md"
        await ask(pilot, f"/export {target}")
        await until(pilot, target.exists)
        sections = [line for line in target.read_text(encoding="utf-8").split("\n") if line.startswith("## ")]
        assert sections == ["## Where is gross_price defined?", "## and who calls gross_price?"]

        (workspace / "src/shop/vouchers.py").write_text(
            "def voucher_value(code):\n    return 5\n", encoding="utf-8"
        )
        async with asyncio.timeout(20):
            while not await app.desk.completions("voucher_v"):
                await pilot.pause(0.05)
        kept = await app.desk.conversations()
        assert [one.questions for one in kept] == [
            ("Where is gross_price defined?", "and who calls gross_price?")
        ]


async def test_definitions_and_references_come_from_the_index(tmp_path):
    app = app_on(small_workspace(tmp_path / "shop"), tmp_path / "data")
    async with app.run_test(size=WIDE) as pilot:
        await ask(pilot, "Where is gross_price defined?")
        await answered(pilot)
        hits = await app.desk.look_up("gross_price", "any")
        assert [(hit.lines.path, hit.line) for hit in hits.definitions] == [("src/shop/prices.py", 6)]
        assert "src/shop/orders.py" in {hit.lines.path for hit in hits.hits}


async def test_two_apps_on_one_workspace_share_its_index(tmp_path):
    workspace = small_workspace(tmp_path / "shop")
    first, second = app_on(workspace, tmp_path / "data"), app_on(workspace, tmp_path / "data")
    async with first.run_test(size=WIDE) as pilot:
        await ask(pilot, "Where is gross_price defined?")
        await answered(pilot)
        async with second.run_test(size=WIDE) as other:
            await ask(other, "Who calls gross_price?")
            await answered(other)
            assert main(other).query(ClaimView)
            await until(other, lambda: "not followed" in text_of(other))
