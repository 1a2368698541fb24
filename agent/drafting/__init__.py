"""Drafting unit tests for one function in the way its project tests: what is learnt, tried, written and told.

`drafter.py` is the file to read first. Code of the workspace runs in the sandbox only; here it is read, never imported.
"""
