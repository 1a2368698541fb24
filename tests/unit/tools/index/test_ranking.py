from __future__ import annotations

from tools.index.ranking import Signals, older_versions

PATHS = ("src/v3/types.ts", "src/v4/types.ts", "lib/v1/only.go")


def test_a_version_folder_is_old_where_a_newer_one_lies_beside_it() -> None:
    assert older_versions(PATHS, "where is ZodObject defined?") == {"src/v3/"}


def test_a_version_that_the_question_speaks_of_is_not_old() -> None:
    assert older_versions(PATHS, "where does v3 define ZodObject?") == frozenset()


def test_the_definition_of_a_name_comes_before_what_only_holds_it() -> None:
    holder = Signals(fused=1.0, coverage=1.0, names=1.0, path=0.0, area=1.0, is_function=1.0)
    definition = Signals(fused=1.0, coverage=1.0, names=1.0, path=0.0, area=1.0, is_named=1.0)

    assert definition.score > holder.score
