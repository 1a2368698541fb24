"""Explains a failure without a model: fixed rules follow its values back through the code and quote what they find."""

from agent.backends.extractive.explaining.backend import ExplainByRules

__all__ = ["ExplainByRules"]
