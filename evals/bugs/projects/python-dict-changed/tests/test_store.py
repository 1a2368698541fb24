from sessions.store import SessionStore


def test_a_young_session_stays():
    store = SessionStore(lifetime=60)
    store.open("a", 0)
    assert store.expire(now=30) == 1


def test_an_old_session_is_closed():
    store = SessionStore(lifetime=60)
    store.open("a", 0)
    store.open("b", 5)
    assert store.expire(now=100) == 0
