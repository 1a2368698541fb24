from __future__ import annotations

from tools.index.ranking import Leg, Signals, fuse, older_versions

PATHS = ("src/v3/types.ts", "src/v4/types.ts", "lib/v1/only.go")


def test_a_version_folder_is_old_where_a_newer_one_lies_beside_it() -> None:
    assert older_versions(PATHS, "where is ZodObject defined?") == {"src/v3/"}


def test_a_version_that_the_question_speaks_of_is_not_old() -> None:
    assert older_versions(PATHS, "where does v3 define ZodObject?") == frozenset()


def test_the_definition_of_a_name_comes_before_what_only_holds_it() -> None:
    holder = Signals(fused=1.0, coverage=1.0, names=1.0, path=0.0, area=1.0, is_function=1.0)
    definition = Signals(fused=1.0, coverage=1.0, names=1.0, path=0.0, area=1.0, is_named=1.0)

    assert definition.score > holder.score


def test_a_chunk_that_many_legs_rank_first_comes_first() -> None:
    fused = fuse([Leg("keyword", 1.0, [1, 2]), Leg("vector", 3.0, [1, 3])])

    assert fused[1] == 4.0
    assert fused[1] > fused[3] > fused[2]


def test_scores_say_how_far_apart_two_ranks_are() -> None:
    near = fuse([Leg("keyword", 1.0, [1, 2], [9.0, 8.9], score_weight=2.0)])
    far = fuse([Leg("keyword", 1.0, [1, 2], [9.0, 1.0], score_weight=2.0)])

    assert near[1] == far[1] == 3.0
    assert far[2] < near[2]
