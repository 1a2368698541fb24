"""On a processor every fixed token is waiting: the system prompt and all schemas have a ceiling."""

from __future__ import annotations

import json

from agent.prompts import prompt
from tools.git_history import GitHistory
from tools.grep_symbol import GrepSymbol
from tools.list_files import ListFiles
from tools.read_file_lines import ReadFileLines
from tools.run_tests import RunTests
from tools.semantic_search import SemanticSearch
from tools.toolbox import Toolbox

CEILING = 1_500
CHARACTERS_PER_TOKEN = 3
"""Fewer than English prose and JSON schemas have with any tokenizer in use, so the count errs on the safe side."""


def test_the_system_prompt_and_all_tool_schemas_stay_under_1500_tokens() -> None:
    # A schema comes from the class alone; no tool is opened here.
    toolbox = Toolbox([SemanticSearch, GrepSymbol, ReadFileLines, ListFiles, RunTests, GitHistory])
    assert len(toolbox.names) == 6
    characters = len(prompt("system")) + len(json.dumps(toolbox.schemas))
    assert characters / CHARACTERS_PER_TOKEN < CEILING
