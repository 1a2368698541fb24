"""Mutants in the test process: as the code of a function that is loaded, or as a changed file.

A mutant is {name, path, start, end, replacement (base64), function, function_line}; the last two name the outermost
function that it is in. Standard library only, and nothing newer than Python 3.8 knows.
"""

import base64
import gc
import os
from types import CodeType, FunctionType
from typing import Any, Dict, List, Optional, Tuple

_SECONDS_LATER = 7


class Swap:
    """A mutant's code in the place of a function's that is loaded."""

    def __init__(
        self, root: str, mutant: Dict[str, Any], functions: Dict[Tuple[str, str, int], List[FunctionType]]
    ) -> None:
        place = os.path.join(root, mutant["path"])
        self._found = functions.get(
            (os.path.realpath(place), mutant["function"], mutant["function_line"]), []
        )
        self._code: Optional[CodeType] = None
        if self._found:
            with open(place, "rb") as file:
                changed = compile(
                    _patched(file.read(), mutant),
                    self._found[0].__code__.co_filename,
                    "exec",
                    dont_inherit=True,
                )
            self._code = _code_named(changed, mutant["function"], mutant["function_line"])

    @property
    def possible(self) -> bool:
        code = self._code
        return code is not None and all(one.__code__.co_freevars == code.co_freevars for one in self._found)

    def make(self) -> None:
        assert self._code is not None
        for function in self._found:
            function.__code__ = self._code


def loaded_functions(orders: Dict[str, Any]) -> Dict[Tuple[str, str, int], List[FunctionType]]:
    """The loaded functions of the files that have mutants, also those that a decorator holds."""
    paths: List[str] = [mutant["path"] for mutant in orders["mutants"]]
    wanted = {os.path.realpath(os.path.join(orders["root"], path)) for path in paths}
    real: Dict[str, str] = {}
    found: Dict[Tuple[str, str, int], List[FunctionType]] = {}
    for one in gc.get_objects():
        if isinstance(one, FunctionType):
            code = one.__code__
            path = real.setdefault(code.co_filename, os.path.realpath(code.co_filename))
            if path in wanted:
                found.setdefault((path, code.co_name, code.co_firstlineno), []).append(one)
    return found


def _code_named(code: CodeType, name: str, line: int) -> Optional[CodeType]:
    inner = [one for one in code.co_consts if isinstance(one, CodeType)]
    for one in inner:
        if (one.co_name, one.co_firstlineno) == (name, line):
            return one
    return next(filter(None, (_code_named(one, name, line) for one in inner)), None)


class Changed:
    """A file with a mutant in it, for as long as it lasts."""

    def __init__(self, root: str, mutant: Dict[str, Any]) -> None:
        self._path, self._mutant = os.path.join(root, mutant["path"]), mutant

    def __enter__(self) -> None:
        self._status = os.stat(self._path)
        with open(self._path, "rb") as file:
            self._content = file.read()
        write(self._path, _patched(self._content, self._mutant))
        # A cached compilation is told from its source by the second it was changed in.
        after = self._status.st_mtime_ns + _SECONDS_LATER * 10**9
        os.utime(self._path, ns=(after, after))

    def __exit__(self, *_: object) -> None:
        write(self._path, self._content)
        os.utime(self._path, ns=(self._status.st_atime_ns, self._status.st_mtime_ns))


def _patched(source: bytes, mutant: Dict[str, Any]) -> bytes:
    return source[: mutant["start"]] + base64.b64decode(mutant["replacement"]) + source[mutant["end"] :]


def write(path: str, content: bytes) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)
