"""Who works here, by login name."""

from dataclasses import dataclass


@dataclass
class Employee:
    login: str
    salary: int
    manager: str


class Directory:
    def __init__(self):
        self._by_login = {}

    def add(self, employee):
        self._by_login[employee.login.lower()] = employee

    def find(self, login):
        """The employee with this login, however it is written."""
        return self._by_login.get(login)

    def everyone(self):
        return sorted(self._by_login.values(), key=lambda employee: employee.login)
