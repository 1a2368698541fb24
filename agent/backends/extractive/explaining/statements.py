"""What one line of code says, in any of the languages, by its text alone: what it names, calls, binds and returns.

This is no parser. It reads what people write on one line; what it cannot read it leaves out, and a value that it
loses track of ends a trail, no more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_STRINGS = re.compile(r"[rbu]?\"\"\".*?\"\"\"|[rbu]?\"(?:[^\"\\\n]|\\.)*\"|[rbu]?'(?:[^'\\\n]|\\.)*'")
_FIELDS = re.compile(r"\{([^{}\n]*)\}")
_COMMENT = re.compile(r"(?:^|\s)(?:#(?!\[)|//).*$")
_NAME = re.compile(r"(?<![\w.$])(?:self\.|this\.|@)?[A-Za-z_$][\w$]*+(?!\s*=(?!=)[^,()]*[,)])")
_CALL = re.compile(
    r"(?P<callee>[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)*)!?\s*(?:::<[^<>]*>)?\("
)
_KEYWORDS = frozenset(
    [
        "and",
        "as",
        "assert",
        "async",
        "await",
        "break",
        "case",
        "catch",
        "class",
        "const",
        "continue",
        "def",
        "default",
        "defer",
        "del",
        "do",
        "elif",
        "else",
        "enum",
        "except",
        "export",
        "extends",
        "final",
        "finally",
        "fn",
        "for",
        "from",
        "func",
        "function",
        "global",
        "go",
        "if",
        "impl",
        "import",
        "in",
        "instanceof",
        "interface",
        "is",
        "lambda",
        "let",
        "loop",
        "match",
        "mut",
        "new",
        "nil",
        "none",
        "None",
        "not",
        "null",
        "of",
        "or",
        "package",
        "pass",
        "print",
        "private",
        "protected",
        "pub",
        "public",
        "raise",
        "range",
        "ref",
        "return",
        "self",
        "Self",
        "static",
        "struct",
        "super",
        "switch",
        "this",
        "throw",
        "throws",
        "true",
        "false",
        "True",
        "False",
        "try",
        "type",
        "typeof",
        "undefined",
        "use",
        "var",
        "void",
        "where",
        "while",
        "with",
        "yield",
        "int",
        "str",
        "float",
        "bool",
        "list",
        "dict",
        "set",
        "tuple",
        "len",
        "sum",
        "min",
        "max",
        "sorted",
        "enumerate",
        "zip",
        "map",
        "filter",
        "boolean",
        "usize",
        "u8",
        "u16",
        "u32",
        "u64",
        "i8",
        "i16",
        "i32",
        "i64",
        "f32",
        "f64",
        "int64",
        "float64",
        "append",
        "make",
        "assert_eq",
        "assert_ne",
        "expect",
        "isinstance",
        "println",
        "format",
        "panic",
        "Some",
        "Ok",
        "Err",
        "unwrap",
        "Object",
        "Array",
        "Math",
        "String",
        "Number",
    ]
)
_BINDS = (
    re.compile(
        r"^\s*(?:(?:const|let|var|final|mut|pub|static|auto|val|export)\s+)*(?:(?:[A-Z][\w.<>\[\], ]*|int|long|double|float|boolean|char|String)\s+)?(?:mut\s+)?(?P<names>[A-Za-z_$*][\w$]*(?:\s*,\s*\*?[A-Za-z_$][\w$]*)*)(?:\s*:\s*[^=]+?)?\s*(?:[-+*/%|&]?|//|:)=(?!=|>)\s*(?P<value>.+)$"
    ),
    re.compile(
        r"\b(?:async\s+)?for\s*\(?\s*(?:(?:const|let|var|final)\s+)?(?:[A-Z][\w.<>\[\]]*\s+|int\s+)?\(?\[?(?P<names>[A-Za-z_$&][\w$]*(?:\s*,\s*&?[A-Za-z_$][\w$]*)*)\]?\)?\s*(?:\bin\b|\bof\b|:=\s*range\b|:(?!=))\s*(?P<value>.+?)\)?\s*(?:[:{]\s*$|\)\s*\{?$|\bif\b|[\])}]|$)"
    ),
    re.compile(r"\bwith\s+(?P<value>.+?)\s+as\s+(?P<names>[A-Za-z_]\w*)\s*[:,]"),
    re.compile(r"\b(?:if|while)\s+let\s+(?:Some|Ok|Err)\((?P<names>\w+)\)\s*=\s*(?P<value>.+?)\s*\{?$"),
    re.compile(r"\bif\s+(?P<names>[A-Za-z_]\w*)\s*:=\s*(?P<value>.+?)(?:;|:\s*$)"),
)
_RETURN = re.compile(r"^\s*(?:return|yield(?: from)?)\b\s*(?P<value>.*?);?\s*$")
_SIGNATURE = re.compile(
    r"\b(?:def|fn|func|function|constructor)\b|^\s*(?:[\w<>\[\].,@]+\s+)*[\w$]+\s*\([^;]*\)\s*(?:throws [\w., ]+)?(?::\s*[^=]+)?\{\s*$|=\s*(?:async\s*)?\([^)]*\)\s*(?::[^=]+)?=>"
)


@dataclass(frozen=True, slots=True)
class Binding:
    """Names that a line gives a value."""

    names: tuple[str, ...]
    value: str


@dataclass(frozen=True, slots=True)
class Call:
    """One call on a line."""

    callee: str
    """As written: `directory.find`, `Settings::parse`."""
    arguments: tuple[str, ...]

    @property
    def name(self) -> str:
        return re.split(r"\.|::|->", self.callee)[-1].lstrip("?")


def bare(line: str) -> str:
    """The line without comment and string contents; what an f-string or template puts in stays."""
    kept = _STRINGS.sub(
        lambda match: " ".join(['""', *_FIELDS.findall(match[0])]) if "{" in match[0] else '""', line
    )
    return _COMMENT.sub("", kept)


def names_in(expression: str) -> list[str]:
    """The values that an expression is made of, each once: variables, and attributes of `self` and `this`."""
    text = bare(expression)
    called = {match.start() for match in _CALL.finditer(text) if not re.search(r"\.|::", match["callee"])}
    found = [
        match[0]
        for match in _NAME.finditer(text)
        if match[0] not in _KEYWORDS and match.start() not in called and not match[0].isdigit()
    ]
    return list(dict.fromkeys(found))


def module_members(expression: str) -> list[tuple[str, str]]:
    """Names that are read from another name (`defaults.interval`): (owner, member), calls left out."""
    found = re.findall(r"(?<![\w.\"'])([a-z_]\w*)\.([A-Za-z_]\w*)\b(?!\s*[(.])", bare(expression))
    return [(owner, member) for owner, member in dict.fromkeys(found) if owner not in ("self", "this", "cls")]


def calls_in(expression: str) -> list[Call]:
    """The calls of an expression, the outer before the inner."""
    text = bare(expression)
    return [
        Call(match["callee"].replace("?.", "."), tuple(_arguments(text, match.end())))
        for match in _CALL.finditer(text)
        if match["callee"] not in _KEYWORDS and match["callee"].split(".")[0] not in ("def", "func", "fn")
    ]


def binding(line: str) -> Binding | None:
    """What the line binds, if it does."""
    text = _COMMENT.sub("", line)
    for pattern in _BINDS:
        match = pattern.search(text)
        if match:
            names = tuple(name.strip(" *&") for name in match["names"].split(","))
            return None if names[0] in _KEYWORDS else Binding(names, match["value"].rstrip("; {"))
    return None


def bindings(line: str) -> list[Binding]:
    """Every binding of the line: comprehensions bind beside an assignment."""
    text = _COMMENT.sub("", line)
    first = binding(line)
    loops = [
        Binding(tuple(name.strip(" &") for name in match["names"].split(",")), match["value"])
        for match in _BINDS[1].finditer(text)
    ]
    return [*([first] if first else []), *(loop for loop in loops if loop != first)]


def attribute_binding(line: str, attribute: str) -> bool:
    """True when the line gives the attribute a value, or puts something into it."""
    name = re.escape(attribute)
    return (
        re.search(
            rf"\b{name}\b(?:\s*:\s*[^=(]+)?\s*=(?!=)|\b{name}\b\s*\[[^\]]+\]\s*=(?!=)|\b{name}\b\.(?:set|put|insert|add|append|push|update|setdefault|pop|remove|clear|splice|shift|delete)\(|\bdel(?:ete)?\b.*\b{name}\b|\bself\.{name}\b.*\.entry\(",
            line,
        )
        is not None
    )


def gives_attribute(line: str, attribute: str) -> bool:
    """True when the line says what an attribute is: in an object literal, by keyword, or by assignment."""
    name = re.escape(attribute)
    return (
        re.search(
            rf"(?<![?\w]){name}\s*:\s*(?!\{{|[A-Z]\w*\s*[;,]?$)[^:=]|[\w\])]\.{name}\s*=(?!=)|[(,]\s*{name}=(?!=)",
            line,
        )
        is not None
    )


def stored_key(line: str, container: str) -> str:
    """The key under which the line puts something into the container, or ""."""
    name = re.escape(container)
    match = re.search(
        rf"\b{name}\b\s*\[(?P<key>.+?)\]\s*=(?!=)|\b{name}\b\.(?:set|put|insert|setdefault)\((?P<start>)",
        line,
    )
    if match is None:
        return ""
    return match["key"] or next(_arguments(line, match.end()), "")


def returned(line: str) -> str | None:
    """The expression that the line returns."""
    match = _RETURN.match(_COMMENT.sub("", line))
    return match["value"] if match else None


def last_statement(lines: Sequence[str]) -> int:
    """Index of the last line that says something: Rust and arrow functions return it without a word."""
    telling = (at for at in range(len(lines) - 1, -1, -1) if re.search(r"\w", bare(lines[at])))
    return next(telling, len(lines) - 1)


def assigned_value(line: str) -> str:
    """What stands right of the line's `=`, else the line."""
    text = _COMMENT.sub("", line)
    bound = _BINDS[0].match(text) or re.match(
        r"\s*(?:self|this)?[\w.]+(?:\[[^\]]*\])?\s*=(?!=|>)\s*(?P<value>.+)$", text
    )
    return bound["value"] if bound and not re.search(r"[-+*/%|&]=", line) else line


def parameters(header: str) -> list[str]:
    """The names of a definition's parameters, in order, without `self`."""
    text = _STRINGS.sub('""', header)
    for _ in range(3):
        text = re.sub(r"<[^<>()]*>", "", text)
    start = text.find("(")
    receiver = re.match(r"\s*func\s*\([^)]*\)\s*\w+\s*", text)
    if receiver:
        start = receiver.end()
    if start < 0:
        return []
    entries = [entry.strip() for entry in _arguments(text, start + 1)]
    names = [_parameter(entry) for entry in entries]
    return [name for name in names if name not in ("self", "cls", "this", "")]


def is_signature(line: str) -> bool:
    """True when the line begins a definition."""
    return _SIGNATURE.search(line) is not None


def is_raise(line: str) -> bool:
    """True when the line fails on purpose."""
    return (
        re.match(
            r"\s*(?:raise\b|throw\b|panic!?\(|unreachable!|bail!|assert\b)|.*\b(?:throw new|panic\()", line
        )
        is not None
    )


def argument_at(call: Call, parameter: str, names: Sequence[str]) -> str:
    """The expression that a call gives to a parameter, "" when it gives none."""
    for argument in call.arguments:
        keyword = re.match(rf"{re.escape(parameter)}\s*=(?!=)\s*(.+)", argument)
        if keyword:
            return keyword[1]
    at = names.index(parameter) if parameter in names else -1
    return (
        call.arguments[at]
        if 0 <= at < len(call.arguments) and "=" not in call.arguments[at].split("(")[0]
        else ""
    )


def _parameter(entry: str) -> str:
    """`name: Type = default`, `Type name`, `name Type` (Go), `&mut self`, `mut name: Type`."""
    entry = re.sub(
        r"^(?:@\w+\s+|final\s+|mut\s+|readonly\s+|private\s+|public\s+|\.\.\.|\*{1,2}|&(?:mut\s+)?)+",
        "",
        entry,
    )
    named = re.match(r"([A-Za-z_$][\w$]*)\??\s*(?::|=|$)", entry)
    if named:
        return named[1]
    words = re.findall(r"[A-Za-z_$][\w$]*", entry)
    typed_first = bool(words) and (
        words[0][:1].isupper() or words[0] in ("int", "long", "double", "float", "boolean", "char", "byte")
    )
    return words[-1] if typed_first and len(words) > 1 else words[0] if words else ""


def _arguments(text: str, start: int) -> Iterator[str]:
    """The parts between brackets from `start` on, cut at the commas of their own level."""
    depth, begin = 0, start
    for at in range(start, len(text)):
        mark = text[at]
        if mark in "([{":
            depth += 1
        elif mark in ")]}":
            if depth == 0:
                if text[begin:at].strip():
                    yield text[begin:at].strip()
                return
            depth -= 1
        elif mark == "," and depth == 0:
            yield text[begin:at].strip()
            begin = at + 1
    if text[begin:].strip():
        yield text[begin:].strip()
