"""Components and pages are taken apart by their blocks; scripts keep the lines of the file."""

from __future__ import annotations

from tools.index.chunker import chunk_source

_VUE = """<script lang="ts">
import a from './a'
</script>
<script setup lang="ts">
const LIMIT = 1
function go(): void {
  a(LIMIT)
}
</script>
<template>
  <div>
    <template #head><Icon /></template>
  </div>
</template>
<style>
p { color: red }
</style>
"""


def test_all_scripts_of_a_component_are_read_at_their_own_lines() -> None:
    parsed = chunk_source("src/UserCard.vue", _VUE)
    assert [(one.qualified_name, one.first_line, one.last_line) for one in parsed.definitions] == [
        ("UserCard", 1, 17),
        ("LIMIT", 5, 5),
        ("go", 6, 8),
    ]
    assert [(one.module, one.line) for one in parsed.imports] == [("./a", 2)]
    assert ("Icon", 12, "call") in [(one.name, one.line, one.kind) for one in parsed.references]


def test_template_and_style_are_chunks_and_a_nested_template_does_not_end_the_outer() -> None:
    places = [(one.first_line, one.last_line, one.symbol) for one in chunk_source("A.vue", _VUE).chunks]
    assert places[-2:] == [(10, 14, "template"), (15, 17, "style")]


def test_a_script_of_another_language_and_an_unclosed_one_do_no_harm() -> None:
    text = '<script type="application/json">\n{"a": 1}\n</script>\n<script>\nfunction f() {\n'
    parsed = chunk_source("a.html", text)
    assert [one.qualified_name for one in parsed.definitions] in (["f"], [])
    assert parsed.chunks[-1].last_line == 5


def test_scripts_inside_of_a_page_are_read() -> None:
    text = "<body>\n  <script>\n    function start() {\n      run()\n    }\n  </script>\n</body>\n"
    parsed = chunk_source("a.html", text)
    assert [(one.name, one.first_line) for one in parsed.definitions] == [("start", 3)]
