"""Errors of the agent that a person is told: what failed, why, what to do next."""

from __future__ import annotations

from tools.errors import UserError


class ModelUnavailable(UserError):
    """The model server does not answer, or has no model that can do the work."""


class SettingsInvalid(UserError):
    """A setting has a wrong name or value; the message names the file and the key."""


class ConsentMissing(UserError):
    """The person has not agreed to what this would do."""
