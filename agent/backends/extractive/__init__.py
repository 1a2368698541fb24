"""The backend without a model: fixed rules that search, look up names, read the best places and quote them."""

from agent.backends.extractive.backend import Extractive

__all__ = ["Extractive"]
