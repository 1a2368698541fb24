from board.people import Person
from board.posts import deletable


def test_people_delete_their_own_posts_only():
    posts = [{"id": 1, "author": "ada"}, {"id": 2, "author": "bob"}]
    assert deletable(Person("ada", []), posts) == [1]
