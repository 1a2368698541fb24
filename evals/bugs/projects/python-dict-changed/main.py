from sessions.store import SessionStore

store = SessionStore(lifetime=60)
store.open("a", 0)
store.open("b", 10)
store.open("c", 500)
print(store.expire(now=510))
