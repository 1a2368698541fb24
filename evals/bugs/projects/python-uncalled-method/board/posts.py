"""Who may do what with a post."""


def may_delete(person, post):
    """Admins may, and authors their own."""
    return bool(person.is_admin or post["author"] == person.name)


def deletable(person, posts):
    return [post["id"] for post in posts if may_delete(person, post)]
