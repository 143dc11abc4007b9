from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest

from permutree.errors import ConfigError
from permutree.settings import as_dict, read_toml, set_by_path, settings_from


@dataclass(frozen=True)
class Inner:
    size: int = 3
    rate: float = 0.5
    name: str | None = None
    limit: int | None = None

    def __post_init__(self) -> None:
        if self.size < 1:
            raise ConfigError(f"size must be at least 1, not {self.size}")


@dataclass(frozen=True)
class Outer:
    kind: Literal["one", "two"] = "one"
    files: tuple[str, ...] = ()
    is_loud: bool = False
    inner: Inner = field(default_factory=Inner)


def test_what_is_not_set_stays_as_it_is() -> None:
    assert settings_from(Outer, {}) == Outer()
    changed = settings_from(Outer, {"kind": "two", "inner": {"rate": 1, "name": "x"}, "files": ["a", "b"]})
    assert changed == Outer("two", ("a", "b"), False, Inner(3, 1.0, "x"))
    assert isinstance(changed.inner.rate, float)
    assert settings_from(Outer, {"files": "a"}).files == ("a",)
    assert settings_from(Outer, {"inner": {"limit": "none"}}).inner.limit is None


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"kinds": 1}, "no setting 'kinds'; did you mean 'kind'?"),
        ({"zzz": 1}, "no setting 'zzz'; there are kind, files, is_loud, inner"),
        ({"inner": {"sise": 1}}, "no setting 'inner.sise'; did you mean 'inner.size'?"),
        ({"inner": 3}, "inner must be a table"),
        ({"inner": {"size": "3"}}, "inner.size must be a whole number, not '3'"),
        ({"inner": {"size": True}}, "inner.size must be a whole number, not True"),
        ({"inner": {"size": 3.0}}, "inner.size must be a whole number, not 3.0"),
        ({"inner": {"rate": "fast"}}, "inner.rate must be a number, not 'fast'"),
        ({"inner": {"rate": float("nan")}}, "inner.rate must be a finite number, not nan"),
        ({"inner": {"limit": "many"}}, "inner.limit must be a whole number, not 'many'"),
        ({"inner": {"size": 0}}, "inner: size must be at least 1, not 0"),
        ({"kind": "three"}, "kind must be one of one, two, not 'three'"),
        ({"is_loud": 1}, "is_loud must be true or false, not 1"),
        ({"files": ["a", 1]}, "files must be a text, not 1"),
    ],
)
def test_what_is_wrong_is_named(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        settings_from(Outer, values)
    assert str(caught.value) == message


def test_settings_as_data_are_the_same_settings() -> None:
    settings = Outer("two", ("a",), True, Inner(7, 0.25, None, 9))
    assert settings_from(Outer, as_dict(settings)) == settings


@pytest.mark.parametrize(
    ("assignment", "value"),
    [
        ("inner.size=4", 4),
        ("inner.size = 4", 4),
        ("inner.size=0.5", 0.5),
        ("inner.size=true", True),
        ('inner.size=["a", "b"]', ["a", "b"]),
        ("inner.size=a=b", "a=b"),
        ("inner.size='4'", "4"),
        ("inner.size=some/path.txt", "some/path.txt"),
        ("inner.size=", ""),
    ],
)
def test_assignments(assignment: str, value: Any) -> None:
    tables: dict[str, Any] = {"inner": {"rate": 1.0}}
    set_by_path(tables, assignment)
    assert tables == {"inner": {"rate": 1.0, "size": value}}


def test_bad_assignments() -> None:
    with pytest.raises(ConfigError, match="expected name=value, not 'inner'"):
        set_by_path({}, "inner")
    with pytest.raises(ConfigError, match="inner is not a table"):
        set_by_path({"inner": 3}, "inner.size=4")


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("[inner]\nsize = 4\n", "utf-8")
    assert read_toml(path) == {"inner": {"size": 4}}
    path.write_text("[inner\n", "utf-8")
    with pytest.raises(ConfigError, match="not TOML"):
        read_toml(path)
    path.write_bytes(b"name = '\xff'\n")
    with pytest.raises(ConfigError, match="UTF-8"):
        read_toml(path)
    with pytest.raises(ConfigError, match="No such file"):
        read_toml(tmp_path / "absent.toml")
