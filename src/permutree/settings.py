"""Settings: frozen dataclasses read from TOML and from the command line, with errors that name what is wrong.

A dataclass says what settings there are, of which types, and what they are if nobody sets them. Nested dataclasses are
the tables of the file.
"""

from __future__ import annotations

import dataclasses
import math
import types
import typing
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from permutree.errors import ConfigError

__all__ = ["as_dict", "read_toml", "set_by_path", "settings_from"]

Settings = TypeVar("Settings")
#: the types of all settings of a dataclass; a grid has thousands of these, and to find them out takes long
_types: Callable[[Any], dict[str, Any]] = cache(typing.get_type_hints)


def read_toml(path: str | Path) -> dict[str, Any]:
    """The tables of a TOML file."""
    import tomllib

    try:
        return tomllib.loads(Path(path).read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: not TOML: {error}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not TOML, which is UTF-8 text: {error}") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None


def settings_from(
    kind: type[Settings], values: Mapping[str, Any], path: str = "", *, ignore_unknown: bool = False
) -> Settings:
    """Settings of this kind from tables; what is not set is as the kind says.

    A setting that there is not is an error, unless it is to be ignored, as in files that other versions wrote.

    >>> @dataclasses.dataclass(frozen=True)
    ... class Some:
    ...     size: int = 3
    >>> settings_from(Some, {"sise": 4})
    Traceback (most recent call last):
    permutree.errors.ConfigError: no setting 'sise'; did you mean 'size'?
    """
    hints = _types(kind)
    names = [field.name for field in dataclasses.fields(kind)]  # type: ignore[arg-type]
    if ignore_unknown:
        values = {name: value for name, value in values.items() if name in names}
    for name in values:
        if name not in names:
            from difflib import get_close_matches

            near = get_close_matches(name, names, 1)
            hint = f"did you mean {_join(path, near[0])!r}?" if near else f"there are {', '.join(names)}"
            raise ConfigError(f"no setting {_join(path, name)!r}; {hint}")
    converted = {
        name: _convert(hints[name], value, _join(path, name), ignore_unknown) for name, value in values.items()
    }
    try:
        return kind(**converted)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}" if path else str(error)) from None


def _convert(hint: Any, value: Any, path: str, ignore_unknown: bool) -> Any:
    """A value as the type that the setting has."""
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        if not isinstance(value, Mapping):
            raise ConfigError(f"{path} must be a table")
        return settings_from(hint, value, path, ignore_unknown=ignore_unknown)
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        if value is None or (value == "none" and type(None) in arguments and str not in arguments):
            return None
        inner = [argument for argument in arguments if argument is not type(None)]
        return _convert(inner[0], value, path, ignore_unknown)
    if origin is typing.Literal:
        if value not in arguments:
            raise ConfigError(f"{path} must be one of {', '.join(map(str, arguments))}, not {value!r}")
        return value
    if origin is tuple:
        items = value if isinstance(value, list | tuple) else [value]
        return tuple(_convert(arguments[0], item, path, ignore_unknown) for item in items)
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, hint) or (hint is int and isinstance(value, bool)):
        raise ConfigError(f"{path} must be {_NAMES.get(hint, hint)}, not {value!r}")
    if hint is float and not math.isfinite(value):
        raise ConfigError(f"{path} must be a finite number, not {value!r}")
    return value


_NAMES = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def set_by_path(values: dict[str, Any], assignment: str) -> None:
    """Set ``table.name=value`` in tables; the value is TOML, or else a text.

    >>> tables = {"optimiser": {"rate": 0.1}}
    >>> set_by_path(tables, "optimiser.rate=0.2")
    >>> set_by_path(tables, "encoding=pointer")
    >>> tables
    {'optimiser': {'rate': 0.2}, 'encoding': 'pointer'}
    """
    import tomllib

    path, equals, text = assignment.partition("=")
    if not equals:
        raise ConfigError(f"expected name=value, not {assignment!r}")
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text
    *tables, name = path.strip().split(".")
    for table in tables:
        values = values.setdefault(table, {})
        if not isinstance(values, dict):
            raise ConfigError(f"{path}: {table} is not a table")
    values[name] = value


def as_dict(settings: Any) -> dict[str, Any]:
    """Settings as plain data, ready for JSON."""
    return dataclasses.asdict(settings)
