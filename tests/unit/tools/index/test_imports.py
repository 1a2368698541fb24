"""Import statements of each language: the module as written and the names it brings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.index.imports import read_import
from tools.index.languages import LANGUAGES


@pytest.mark.parametrize(
    ("language", "statement", "brought"),
    [
        ("python", "import os.path, sys as system", [("os.path", ()), ("sys", ())]),
        ("python", "from . import util", [(".", ("util",))]),
        ("python", "from ..a.b import (\n    c,  # why\n    d as e,\n)", [("..a.b", ("c", "d", "e"))]),
        ("python", "from a import *", [("a", ("*",))]),
        ("typescript", "import type { A, B as C } from './a'", [("./a", ("A", "B", "C"))]),
        ("typescript", 'import D, * as all from "d"', [("d", ("D", "*", "all"))]),
        ("typescript", "import './side-effect.css'", [("./side-effect.css", ())]),
        ("typescript", "export { a, b } from './c'", [("./c", ("a", "b"))]),
        ("typescript", "export * from './c'", [("./c", ("*",))]),
        ("typescript", "import fs = require('fs')", [("fs", ("fs",))]),
        ("javascript", "a = require('./b')", [("./b", ("a",))]),
        ("javascript", "{ a, b: c } = require('d')", [("d", ("a", "b", "c"))]),
        ("javascript", "import('./lazy')", [("./lazy", ())]),
        ("go", '"net/http"', [("net/http", ())]),
        ("go", '. "testing"', [("testing", ("*",))]),
        ("rust", "use std::fmt;", [("std", ("fmt",))]),
        ("rust", "pub(crate) use a::{self, b::{C, D as E}, *};", [("a", ("*",)), ("a::b", ("C", "D", "E"))]),
        ("rust", "mod inner;", [("inner", ())]),
        ("java", "import java.util.*;", [("java.util", ("*",))]),
        ("java", "import static a.B.c;", [("a.B", ("c",))]),
        ("kotlin", "import a.b.C as D", [("a.b", ("C", "D"))]),
        ("c", "#include <sys/types.h>", [("sys/types.h", ())]),
        ("csharp", "using static System.Math;", [("System.Math", ())]),
        ("csharp", "global using Json = System.Text.Json;", [("System.Text.Json", ())]),
        ("ruby", "require_relative 'lib/a'", [("lib/a", ())]),
        ("php", "use A\\B\\{C, D as E};", [("A\\B", ("C", "D", "E"))]),
        ("php", "use function A\\b;", [("A", ("b",))]),
        ("swift", "@testable import Core", [("Core", ())]),
        ("scala", "import a.b.{C => D, _}", [("a.b", ("C", "D", "*"))]),
        ("bash", "source ./lib.sh", [("./lib.sh", ())]),
        ("elixir", "alias App.{Cart, Store}", [("App", ("Cart", "Store"))]),
        ("haskell", "import qualified Data.Map as M (insert, (!))", [("Data.Map", ("insert",))]),
        ("dart", "import 'package:a/b.dart' as b;", [("package:a/b.dart", ())]),
        ("lua", 'require("a.b")', [("a.b", ())]),
        ("r", "library(stats)", [("stats", ())]),
        ("zig", 'const std = @import("std");', [("std", ())]),
    ],
)
def test_an_import_names_its_module_and_what_it_brings(
    language: str, statement: str, brought: list[tuple[str, tuple[str, ...]]]
) -> None:
    assert read_import(language, statement) == brought


@given(
    st.sampled_from([row.name for row in LANGUAGES]),
    st.sampled_from(["", "import ", "from ", "use ", "#include "]),
    st.text(max_size=80),
)
def test_no_statement_is_too_odd(language: str, word: str, rest: str) -> None:
    for module, names in read_import(language, word + rest):
        assert isinstance(module, str)
        assert all(names)
