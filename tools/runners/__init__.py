"""How the tests of a project are run: one file per test framework, each behind the protocol in `runner.py`.

A runner reads the project's files and runs nothing itself: it says which command would run (`Plan`), what a person
should know before it does (`Plan.facts`), and what came of it (`read_report`).
"""
