class Person:
    def __init__(self, name, roles):
        self.name = name
        self.roles = set(roles)

    def is_admin(self):
        return "admin" in self.roles
