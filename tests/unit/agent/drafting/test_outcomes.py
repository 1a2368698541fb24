"""Which calls become tests."""

from agent.drafting.expressions import Call, Expression
from agent.drafting.outcomes import MOST, Outcome, thinned


def outcome(argument, value, origin="boundary"):
    return Outcome(Call((Expression(argument),), origin=origin), value)


def test_calls_that_notice_nothing_new_are_left_out():
    calls = [outcome("1", "'a'"), outcome("2", "'a'"), outcome("3", "'b'")]
    kills = {calls[0].call.key: {1, 2}, calls[1].call.key: {1}, calls[2].call.key: {3}}
    assert thinned(calls, {key: frozenset(value) for key, value in kills.items()}) == [calls[0], calls[2]]


def test_of_equal_calls_the_one_that_the_docstring_shows_is_taken():
    calls = [outcome("1", "'a'"), outcome("22", "'b'", "docstring")]
    kills = {one.call.key: frozenset({1}) for one in calls}
    assert calls[1] in thinned(calls, kills)


def test_where_there_is_nothing_to_notice_different_results_are_taken():
    calls = [outcome(str(number), repr(number % 2)) for number in range(6)]
    assert len(thinned(calls, {})) == 2


def test_there_are_never_more_than_a_person_reads():
    calls = [outcome(str(number), str(number)) for number in range(30)]
    kills = {one.call.key: frozenset({number}) for number, one in enumerate(calls)}
    assert len(thinned(calls, kills)) == MOST
