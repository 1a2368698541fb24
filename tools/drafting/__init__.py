"""Drafts of tests, and what can be proved of them without a model.

`target.py` finds what is to be tested, `mutants.py` breaks it, `judge.py` runs a draft in the sandbox and keeps of it
the tests that pass, wherever and in whatever order they run, and fail when the target is broken.
"""
